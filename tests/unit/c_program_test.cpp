// C programs with threads, failures and the machine's functions, all interleavings of them, at several levels of
// optimisation. Each expectation is what the C standard (or the machine's header) says of the snippet.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "c_snippet.h"
#include "core/budget.h"
#include "explore/product.h"
#include "explore/search.h"
#include "models/models.h"
#include "vm_sc_runner.h"

namespace heddle {
namespace {

using Statuses = std::set<std::uint64_t>;

void expect_statuses(const std::string& code, const Statuses& statuses) {
  for (const char* level : {"0", "1", "2"})
    for (const bool pending : {false, true}) {
      const auto p = tests::program_of(code, level, pending);
      ASSERT_TRUE(p);
      const auto r = tests::ScRunner(*p).explore();
      EXPECT_TRUE(r.complete);
      EXPECT_EQ(r.statuses, statuses) << "-O" << level << " " << r.first.kind << ": " << r.first.message;
      EXPECT_TRUE(r.failures.empty()) << *r.failures.begin() << ": " << r.first.message << " -O" << level;
    }
}

// `line` counts from the first line of the snippet.
void expect_failure(const std::string& code, const std::string& kind, unsigned line,
                    const std::vector<const char*>& levels = {"0", "1"}) {
  for (const char* level : levels) {
    const auto p = tests::program_of(code, level);
    ASSERT_TRUE(p);
    const auto r = tests::ScRunner(*p).explore();
    EXPECT_EQ(r.failures, std::set<std::string>{kind}) << "-O" << level << " " << r.first.message << "\n" << code;
    if (r.failures.empty()) continue;
    EXPECT_EQ(p->place(r.first.site).line, line) << "-O" << level << " " << r.first.message << "\n" << code;
    EXPECT_FALSE(p->stack(r.failed).empty());
  }
}

TEST(CProgram, StoreBufferingUnderSc) {
  expect_statuses(R"(int x, y, a, b;
void *t(void *p) { __atomic_store_n(&x, 1, relaxed); a = __atomic_load_n(&y, relaxed); return 0; }
void *u(void *p) { __atomic_store_n(&y, 1, relaxed); b = __atomic_load_n(&x, relaxed); return 0; }
int main(void) { unsigned i = __heddle_spawn(t, 0), j = __heddle_spawn(u, 0); __heddle_join(i); __heddle_join(j); return a * 2 + b; })",
                  {1, 2, 3});
}

TEST(CProgram, ArgumentsOfThreadsAndStackObjects) {
  expect_statuses(R"(struct job { int in, out; };
void *work(void *p) { struct job *j = p; j->out = j->in * 2; return 0; }
int main(void) { struct job j[2] = {{3, 0}, {4, 0}}; unsigned a = __heddle_spawn(work, j), b = __heddle_spawn(work, j + 1); __heddle_join(a); __heddle_join(b); return j[0].out + j[1].out; })",
                  {14});
}

TEST(CProgram, LostUpdateAndRmw) {
  expect_statuses(
      R"(int n; void *inc(void *p) { int k = __atomic_load_n(&n, relaxed); __atomic_store_n(&n, k + 1, relaxed); return 0; }
int main(void) { unsigned a = __heddle_spawn(inc, 0), b = __heddle_spawn(inc, 0); __heddle_join(a); __heddle_join(b); return n; })",
      {1, 2});
  expect_statuses(R"(int n; void *inc(void *p) { __atomic_fetch_add(&n, 1, relaxed); return 0; }
int main(void) { unsigned a = __heddle_spawn(inc, 0), b = __heddle_spawn(inc, 0); __heddle_join(a); __heddle_join(b); return n; })",
                  {2});
}

TEST(CProgram, AtomicSections) {
  expect_statuses(
      R"(volatile int n; void *inc(void *p) { __heddle_atomic_begin(); n = n + 1; __heddle_atomic_end(); return 0; }
int main(void) { unsigned a = __heddle_spawn(inc, 0), b = __heddle_spawn(inc, 0); __heddle_join(a); __heddle_join(b); return n; })",
      {2});
  expect_statuses(
      R"(volatile int n; void __VERIFIER_atomic_inc(void) { n = n + 1; } void *inc(void *p) { __VERIFIER_atomic_inc(); return 0; }
int main(void) { unsigned a = __heddle_spawn(inc, 0), b = __heddle_spawn(inc, 0); __heddle_join(a); __heddle_join(b); return n; })",
      {2});
}

TEST(CProgram, SixteenBytesAtOnce) {
  expect_statuses(
      R"(_Alignas(16) unsigned __int128 w; void *t(void *p) { unsigned __int128 e = 0, d = ((unsigned __int128)7 << 64) | 7; __atomic_compare_exchange_n(&w, &e, d, 0, 5, 5); return 0; }
int main(void) { unsigned a = __heddle_spawn(t, 0); unsigned __int128 v = __atomic_load_n(&w, 5); int lo = (int)v, hi = (int)(v >> 64); __heddle_join(a); return lo * 10 + hi; })",
      {0, 77});
}

TEST(CProgram, ChooseAndAssume) {
  expect_statuses(
      R"(int main(void) { unsigned a = __heddle_choose(4), b = __heddle_choose(3); __heddle_assume(a != b); return a * 10 + b; })",
      {1, 2, 10, 12, 20, 21, 30, 31, 32});
}

TEST(CProgram, WaitsDoNotSpin) {
  expect_statuses(
      R"(int lock; int n; volatile int m; void *t(void *p) { __heddle_wait_cas(&lock, 0, 1); m = m + 1; __atomic_store_n(&lock, 0, 5); return 0; }
int main(void) { unsigned a = __heddle_spawn(t, 0), b = __heddle_spawn(t, 0); __heddle_wait_equal(&lock, 0); __heddle_join(a); __heddle_join(b); return m; })",
      {2});
  const auto p = tests::program_of("int lock = 1; int main(void) { __heddle_wait_cas(&lock, 0, 1); return 0; }");
  EXPECT_TRUE(tests::ScRunner(*p).explore().deadlock);
}

TEST(CProgram, ThreadLocals) {
  expect_statuses(
      R"(_Thread_local int t = 5; _Thread_local int *q = 0; int sum; void *f(void *p) { t += (int)(long)p; q = &t; *q += 1; __atomic_fetch_add(&sum, t, relaxed); return 0; }
int main(void) { unsigned a = __heddle_spawn(f, (void *)1), b = __heddle_spawn(f, (void *)2); t = 100; __heddle_join(a); __heddle_join(b); return sum + t; })",
      {115});
}

TEST(CProgram, ThreadPointerSelfAndExit) {
  expect_statuses(
      R"(int r; void *f(void *p) { int *q = __heddle_alloc(4, 3); __heddle_set_thread_pointer(q); *q = __heddle_self(); r = *(int *)__heddle_thread_pointer(); __heddle_thread_exit(); }
int main(void) { if (__heddle_thread_pointer()) return 99; unsigned a = __heddle_spawn(f, 0); __heddle_join(a); __heddle_exit(r + 10); })",
      {11});
}

TEST(CProgram, SetjmpAndLongjmp) {
  expect_statuses(
      R"(long buf[25]; int *leak; int deep(int n) { volatile int here[2] = {n, n}; leak = (int *)here; if (n == 0) __heddle_longjmp(buf, 42); return deep(n - 1) + here[1]; }
int main(void) { volatile int tries = 0; int v = __heddle_setjmp(buf); if (v == 0) { tries = tries + 1; deep(4); return 1; } if (tries < 3) { tries = tries + 1; deep(tries); } return v + tries; })",
      {45});
}

TEST(CProgram, ObjectSizesAndFree) {
  expect_statuses(
      R"(int main(void) { char *p = malloc(37); int a[3]; int n = __heddle_object_size(p) + __heddle_object_size(a); free(p); free(0); return n; })",
      {49});
}

TEST(CProgram, LlmcProcesses) {
  expect_statuses(
      R"(int x, y, r0, r1; int llmc_init() { x = 0; y = 0; return 0; } int llmc_proc_1_t0() { __atomic_store_n(&x, 1, relaxed); r0 = __atomic_load_n(&y, relaxed); return 0; }
int llmc_proc_1_t1() { __atomic_store_n(&y, 1, relaxed); r1 = __atomic_load_n(&x, relaxed); return 0; } int llmc_fini() { assert(r0 || r1); return 0; })",
      {0});
}

TEST(CProgram, Constructors) {
  expect_statuses(
      R"(int n; __attribute__((constructor(200))) void b(void) { n = n * 10 + 2; } __attribute__((constructor(101))) void a(void) { n = n * 10 + 1; } int main(int argc, char **argv) { return n + argc * 100 + (argv[1] == 0) * 1000; })",
      {1112});
}

TEST(CProgram, Output) {
  const auto p = tests::program_of(
      R"(static const char text[] = "some words\n"; int main(void) { char b[4] = "ab\n"; __heddle_output(1, text, sizeof text - 1); __heddle_output(1, b, 3); return 0; })");
  EXPECT_EQ(tests::ScRunner(*p).run().output, "some words\nab\n");
}

TEST(CProgram, InlineAssembly) {
  expect_statuses(
      R"C(int main(void) { int x = 3; __asm__ volatile("" ::: "memory"); __asm__ volatile("mfence" ::: "memory"); __asm__ volatile("" : "+r"(x)); __asm__ volatile("pause"); __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory"); __asm__ volatile("lock; orl $0,%0" : "+m"(x)); return x; })C",
      {3});
  expect_failure(
      "int main(void) {\n  __asm__ volatile(\"cpuid\" ::: \"eax\", \"ebx\", \"ecx\", \"edx\");\n  return 0; }",
      "unsupported", 2);
  // Not the addition of a constant 0, and not the addition alone.
  expect_failure(
      "int x; int main(void) {\n  __asm__ volatile(\"lock; addl %0,%1\" : : \"r\"(5), \"m\"(x) : \"memory\");\n  "
      "return x; }",
      "unsupported", 2);
  expect_failure(
      "int x; int main(void) {\n  __asm__ volatile(\"lock; addl $0,0(%%rsp); incl %0\" : \"+m\"(x));\n  return x; }",
      "unsupported", 2);
}

TEST(CProgram, ManyDynamicObjects) {  // of one frame, which counts them in sixteen bits
  const auto p = tests::program_of(
      "int main(void) { char *p;\n  for (int i = 0; i < 65536; i++) p = __builtin_alloca(1);\n  return p == 0; }");
  ASSERT_TRUE(p);
  const tests::ScRunner runner(*p);
  tests::ScState s = runner.initial();
  core::Local& local = s.threads[0];
  std::uint32_t count = 0;
  for (; p->request(local).kind == core::Kind::Alloc; ++count) {
    core::Answer a;
    a.value = core::Value::address(s.next_object + count, 0);
    p->resume(local, a);
  }
  EXPECT_EQ(count, 65535u);
  ASSERT_EQ(p->request(local).kind, core::Kind::Failed);
  EXPECT_EQ(p->failure(local).kind, "unsupported");
}

TEST(CProgram, Failures) {
  expect_failure("int x = 3;\nint main(void) {\n  assert(x == 4);\n  return 0; }", "assertion", 3);
  expect_failure("int main(void) {\n  abort(); }", "abort", 2);
  expect_failure("int *volatile p;\nint main(void) {\n  return *p; }", "null-dereference", 3);
  expect_failure("struct s { int a, b; } *volatile p;\nint main(void) {\n  return p->b; }", "null-dereference", 3);
  expect_failure("int *volatile p = (int *)0xdeadbeef00;\nint main(void) {\n  *p = 1;\n  return 0; }", "wild-pointer",
                 3);
  expect_failure("volatile int n = 4; int a[4];\nint main(void) {\n  return a[n]; }", "out-of-bounds", 3);
  expect_failure("volatile int n = 4;\nint main(void) { int a[4] = {0}; int *volatile q = a;\n  return q[n]; }",
                 "out-of-bounds", 3);
  expect_failure(
      "volatile int n = 4;\nint f(int *a) {\n  return a[n]; }\nint main(void) { int a[4] = {0}; return f(a); }",
      "out-of-bounds", 3, {"0"});
  expect_failure("int main(void) { volatile int *p = malloc(4); *p = 1; free((void *)p);\n  return *p; }",
                 "use-after-free", 2, {"0"});
  expect_failure("int *volatile g; int main(void) { g = malloc(4); free(g);\n  free(g);\n  return 0; }", "double-free",
                 2);
  expect_failure("int x; int *volatile g; int main(void) { g = &x;\n  free(g);\n  return 0; }", "invalid-free", 2);
  expect_failure("volatile int z;\nint main(void) {\n  return 5 / z; }", "division-by-zero", 3);
  expect_failure("volatile int z = -1, m = -2147483647 - 1;\nint main(void) {\n  return m / z; }", "division-overflow",
                 3);
  expect_failure(
      "int f(int c) { int x; if (c) x = 1;\n  if (x) return 1;\n  return 0; }\nvolatile int c; int main(void) { return "
      "f(c); }",
      "uninitialised", 2, {"0"});
  expect_failure("int *volatile p;\nint main(void) { p = malloc(8);\n  if (*p) return 1;\n  return 0; }",
                 "uninitialised", 3, {"0"});
  expect_failure("volatile int c = 1;\nint main(void) { if (c)\n  __builtin_unreachable();\n  return 0; }",
                 "unreachable", 3, {"0"});
  expect_failure("void (*volatile f)(void);\nint main(void) {\n  f(); return 0; }", "bad-call", 3);
  expect_failure("int x; void (*volatile f)(void) = (void (*)(void))&x;\nint main(void) {\n  f(); return 0; }",
                 "bad-call", 3);
  expect_failure("void nobody(int);\nint main(void) {\n  nobody(3); return 0; }", "unsupported", 3);
  expect_failure("extern int nothing;\nint main(void) {\n  return nothing; }", "unsupported", 3);
  expect_failure("int main(void) {\n  __heddle_fail(\"misuse\", \"a lock that is not held\"); }", "misuse", 2);
  expect_failure("int main(void) { unsigned long x = 1;\n  for (;;) x = x * 6364136223846793005ul + 1; }",
                 "unsupported", 2, {"0"});
  expect_failure("const int c = 3;\nint main(void) {\n  *(volatile int *)&c = 4; return 0; }", "read-only", 3, {"0"});
  expect_failure("int *volatile g; int f(void) { int x = 3; g = &x; return x; }\nint main(void) { f();\n  return *g; }",
                 "use-after-free", 3, {"0"});
  expect_failure(
      "int f(int n) { volatile int x = n; return n == 0 ? 0 : f(n + 1) + x; }\nint main(void) { return f(1); }",
      "unsupported", 1, {"0"});
  expect_failure("int main(void) {\n  __heddle_atomic_end(); return 0; }", "unbalanced-atomic", 2);
}

TEST(CProgram, LoopsForEver) {
  // Who goes round without any request never ends, and the others go on; an atomic section must end.
  const auto p = tests::program_of("int main(void) {\n  for (;;) ; }");
  const auto r = tests::ScRunner(*p).explore();
  EXPECT_TRUE(r.failures.empty() && r.statuses.empty() && !r.deadlock);
  expect_statuses("void *t(void *p) { for (;;) ; }\nint main(void) { __heddle_spawn(t, 0); return 3; }", {3});
  expect_failure("int main(void) { __heddle_atomic_begin();\n  for (;;) ; }", "unsupported", 2, {"0"});
}

TEST(CProgram, NoFalseAlarms) {
  // Undefined bytes may be copied, padded structs compared field by field, one-past pointers formed and ordered.
  expect_statuses(
      R"(struct s { char c; int i; }; struct s g; struct s mk(int i) { struct s s; s.c = 1; s.i = i; return s; }
int main(void) { struct s a = mk(4), b; b = a; g = b; struct s *h = malloc(sizeof *h); *h = g; int r = h->i + h->c; free(h); int v[3] = {1, 2, 3}; for (int *p = v + 2; p >= v; p--) r += *p; unsigned long t = (unsigned long)v | 1; r += *(int *)(t & ~1ul); char u[8]; char w[8]; __builtin_memcpy(w, u, 8); return r; })",
      {12});
}

TEST(CProgram, Names) {
  const auto p = tests::program_of(
      R"(struct node { int v; struct node *next; } pool[2], *head = pool; int arr[4][3]; struct { int a; struct { short b, c; } in; } rec;
int main(void) { struct node *n = malloc(sizeof *n); n->next = head; n->v = 1; pool[1].next = 0; arr[2][1] = 5; rec.in.c = 7; return 0; })");
  std::vector<std::string> names;
  tests::ScRunner runner(*p);
  auto s = runner.initial();
  for (int k = 0; k < 100; ++k) {
    const auto q = p->request(s.threads[0]);
    if (q.kind == core::Kind::Store) names.push_back(p->location_name(q.loc, s.threads[0]));
    auto next = runner.step(s, 0);
    if (next.empty()) break;
    s = next[0];
  }
  EXPECT_EQ(names, (std::vector<std::string>{"n->next", "n->v", "pool[1].next", "arr[2][1]", "rec.in.c"}));
}

TEST(CProgram, ClangsOwnWords) {
  char name[] = "/tmp/heddle-broken-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name);
  const auto file = (folder / "broken.c").string();
  std::ofstream(file) << "int main(void) {\n  return undeclared;\n}\n";
  const auto r = lang::llvm_ir::load({file}, {});
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().line, 2u);
  EXPECT_EQ(r.error().column, 10u);
  EXPECT_NE(r.error().message.find("undeclared identifier"), std::string::npos);
  EXPECT_EQ(r.error().source_line, "  return undeclared;");
  std::filesystem::remove_all(folder);
}

// Limits hold however large states become: by recursion, or by threads that are created for ever.
TEST(CProgram, LimitsHoldWhereStatesGrow) {
  const char* const endless[] = {
      "volatile int g; int h(int n) { g = n; return h(n + 1) + g; } int main(void) { return h(0); }",
      "void *w(void *a) { return a; } int main(void) { for (;;) __heddle_spawn(w, 0); }"};
  for (const char* code : endless) {
    const auto p = tests::program_of(code);
    ASSERT_TRUE(p);
    const explore::Product product(*p, *models::machine("sc"), {});
    core::Budget budget;
    budget.bytes = core::resident_bytes() + (std::uint64_t{128} << 20);
    budget.max_states = 50;
    const auto result = explore::search(product, {.reduction = core::Reduction::Safety}, budget);
    EXPECT_TRUE(result.stopped) << code;
    EXPECT_LT(result.bytes, std::uint64_t{512} << 20) << code;
  }
}

}  // namespace
}  // namespace heddle
