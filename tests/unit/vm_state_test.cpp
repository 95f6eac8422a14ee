// Local states of the virtual machine: loads that are put off, dependencies, canonical bytes, pointers in them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "c_snippet.h"
#include "core/address_deps.h"
#include "vm_sc_runner.h"

namespace heddle {
namespace {

core::Local started(const core::Program& p, core::Shadow* shadow = nullptr, core::Tid self = 0) {
  core::Local local;
  const auto e = p.initial_threads()[0];
  p.start(e.entry, e.arg, self, local, shadow);
  return local;
}

core::Answer answer(std::uint64_t v) {
  core::Answer a;
  a.value = core::Value(v);
  return a;
}

TEST(VmState, LoadsCanBePutOff) {
  for (const char* level : {"0", "1", "2"}) {
    const auto p = tests::program_of(
        "volatile int x, y, z; int main(void) { int r = y; x = 1; int s = z; x = 2; return r * 10 + s; }", level, true);
    ASSERT_TRUE(p->features().pending_loads);
    auto l = started(*p);
    const auto first = p->request(l);
    ASSERT_EQ(first.kind, core::Kind::Load);
    p->defer(l);
    ASSERT_EQ(p->request(l).kind, core::Kind::Store) << "-O" << level;
    p->resume(l, {});
    const auto second = p->request(l);
    ASSERT_EQ(second.kind, core::Kind::Load);
    EXPECT_NE(first.slot, second.slot);
    p->defer(l);
    ASSERT_EQ(p->request(l).kind, core::Kind::Store);
    p->resume(l, {});
    EXPECT_EQ(p->request(l).kind, core::Kind::Await);
    auto other = l;
    p->deliver(l, second.slot, answer(4));
    EXPECT_EQ(p->request(l).kind, core::Kind::Await);
    p->deliver(l, first.slot, answer(7));
    ASSERT_EQ(p->request(l).kind, core::Kind::Exit);
    EXPECT_EQ(p->request(l).value.bits, 74u);
    // The order in which values arrive leaves no trace.
    p->deliver(other, first.slot, answer(7));
    p->deliver(other, second.slot, answer(4));
    EXPECT_EQ(other, l) << "-O" << level;
  }
}

TEST(VmState, AddressesAndOperandsWait) {
  const auto p = tests::program_of(
      "volatile int y, a[4]; volatile int *volatile q = a; int main(void) { int r = y; a[r & 3] = 1; return 0; }", "1",
      true);
  auto l = started(*p);
  const auto load = p->request(l);
  p->defer(l);
  EXPECT_EQ(p->request(l).kind, core::Kind::Await);
  p->deliver(l, load.slot, answer(2));
  ASSERT_EQ(p->request(l).kind, core::Kind::Store);
  EXPECT_EQ(p->request(l).loc.offset, 8u);
}

TEST(VmState, LoadsBelowCallsAreDeliveredToTheirFrame) {
  const auto p = tests::program_of(
      "volatile int y, x; __attribute__((noinline)) void f(int k) { x = k; } int main(void) { int r = y; f(3); return "
      "r; }",
      "0", true);
  auto l = started(*p);
  const auto load = p->request(l);
  p->defer(l);
  ASSERT_EQ(p->request(l).kind, core::Kind::Store);  // inside f
  p->deliver(l, load.slot, answer(9));
  p->resume(l, {});
  ASSERT_EQ(p->request(l).kind, core::Kind::Exit);
  EXPECT_EQ(p->request(l).value.bits, 9u);
}

TEST(VmState, Dependencies) {
  for (const char* level : {"0", "1"}) {
    const auto p =
        tests::program_of(R"(volatile int x, y, z, a[4]; __attribute__((noinline)) int id(int v) { return v; }
int main(void) { int r = x; int s = z; y = r; a[s & 3] = 5; y = id(r) + s; int v[2]; v[s & 1] = r; v[1 - (s & 1)] = 7; y = v[0]; if (r) y = 1; return 0; })",
                          level);
    using S = core::LoadSet;
    const auto of_first = p->make_shadow();  // which has created no other thread
    auto first = started(*p, of_first.get());
    p->resume(first, answer(1), of_first.get());
    p->resume(first, answer(0), of_first.get());
    EXPECT_EQ(p->deps(first, *of_first).data, S{});
    const auto shadow = p->make_shadow();
    auto l = started(*p, shadow.get(), 1);
    p->resume(l, answer(1), shadow.get());
    p->resume(l, answer(0), shadow.get());
    auto d = p->deps(l, *shadow);  // y = r
    EXPECT_EQ(d.data, (S{0}));
    EXPECT_EQ(d.addr, S{});
    EXPECT_EQ(d.ctrl, S{});
    p->resume(l, {}, shadow.get());
    d = p->deps(l, *shadow);  // a[s & 3] = 5
    EXPECT_EQ(d.addr, (S{1}));
    EXPECT_EQ(d.data, S{});
    const auto copy = p->copy_shadow(*shadow);
    p->resume(l, {}, shadow.get());
    d = p->deps(l, *shadow);  // y = id(r) + s
    EXPECT_EQ(d.data, (S{0, 1}));
    p->resume(l, {}, shadow.get());
    d = p->deps(l, *shadow);  // y = v[0]
    EXPECT_TRUE(std::find(d.data.begin(), d.data.end(), 0u) != d.data.end()) << "-O" << level;
    p->resume(l, {}, shadow.get());
    d = p->deps(l, *shadow);                                           // if (r) y = 1
    EXPECT_EQ(d.ctrl, (S{0, 1 + core::by_address, core::read_back}));  // v[s & 1] is no request
    EXPECT_EQ(d.data, S{});
  }
}

TEST(VmState, DeadRegistersLeaveNoTrace) {
  for (const char* level : {"0", "1"}) {
    const auto p =
        tests::program_of(R"(volatile int x; __attribute__((noinline)) int twice(int v) { x = v; return v * 2; }
int main(void) { int a = __heddle_choose(3); int b = a * 5; if (b > 100) return 1; int c[4] = {a, b}; int d = c[1] + twice(4); { int e = a + d; x = e - e; } x = 5; x = 6; return 0; })",
                          level);
    std::vector<core::Local> states;
    for (std::uint64_t k = 0; k < 3; ++k) {
      auto l = started(*p);
      p->resume(l, answer(k));
      p->resume(l, {});
      p->resume(l, {});  // now before x = 5: nothing of a, b, d matters
      ASSERT_EQ(p->request(l).value.bits, 5u);
      states.push_back(l);
    }
    if (level[0] == '1') {  // at -O0 the array lives to the end of the function
      EXPECT_EQ(states[0], states[1]);
    }
    EXPECT_EQ(states[0].size(), states[1].size());
  }
}

TEST(VmState, PointersCanBeRenamed) {
  const auto p = tests::program_of(
      R"(struct n { struct n *next; int v; }; struct n *volatile keep; void f(struct n **list, struct n *x) { list[1]->v = 3; x->v = 4; }
int main(void) { struct n *a = malloc(16); struct n *list[2] = {0, a}; f(list, a); return 0; })");
  auto l = started(*p);
  core::Answer a;
  a.value = core::Value::address(7, 0);
  ASSERT_EQ(p->request(l).kind, core::Kind::Alloc);
  p->resume(l, a);
  ASSERT_EQ(p->request(l).loc.object, 7u);
  unsigned seen = 0;
  p->visit_pointers(l, [&](core::Value& v) {
    if (v.object() != 7) return;
    ++seen;
    v = core::Value::address(70, v.offset());
  });
  EXPECT_GE(seen, 2u);
  EXPECT_EQ(p->request(l).loc, (core::Loc{70, 8, 4}));
  p->resume(l, {});
  EXPECT_EQ(p->request(l).loc, (core::Loc{70, 8, 4}));
}

TEST(VmState, AddressesUsedAsNumbersAreTold) {
  const auto plain = tests::program_of(
      "int x; int *volatile p = &x; int main(void) { long t = (long)p | 1; return *(int *)(t & ~1l) + (p == &x) + "
      "(int)(p + 1 - &x); }");
  const auto hashed = tests::program_of(
      "int x, y; int *volatile p = &x; volatile unsigned h; int main(void) { h = ((unsigned long)p >> 33) % 7; return "
      "0; }");
  auto run = [](const core::Program& p) {
    tests::ScRunner runner(p);
    auto s = runner.initial();
    bool matter = false;
    for (int k = 0; k < 20; ++k) {
      matter = matter || p.names_matter(s.threads[0]);
      auto next = runner.step(s, 0);
      if (next.empty()) break;
      s = next[0];
    }
    return matter;
  };
  EXPECT_FALSE(run(*plain));
  EXPECT_TRUE(run(*hashed));
}

TEST(VmState, IrTextIsReadAndUnsupportedIsNamedWhenReached) {
  const auto p = tests::program_of(R"(
define i32 @main() {
  %a = call i32 @pick(i32 1)
  ret i32 %a
}
define i32 @pick(i32 %k) {
  switch i32 %k, label %other [ i32 0, label %bad
                                i32 1, label %good ]
bad:
  %f = fadd half 1.0, 2.0
  ret i32 9
good:
  %v = insertelement <2 x float> poison, float 1.5, i32 0
  %w = insertelement <2 x float> %v, float 2.5, i32 1
  %s = fadd <2 x float> %w, %w
  %d = bitcast <2 x float> %s to i64
  %h = lshr i64 %d, 32
  %t = trunc i64 %h to i32
  %e = bitcast i32 %t to float
  %i = fptosi float %e to i32
  ret i32 %i
other:
  unreachable
})",
                                   "0", false, ".ll");
  const auto r = tests::ScRunner(*p).run();
  EXPECT_TRUE(r.exited) << r.message;
  EXPECT_EQ(r.status, 5u);
  const auto q =
      tests::program_of("define i32 @main() {\n  %f = fadd half 1.0, 2.0\n  ret i32 0\n}\n", "0", false, ".ll");
  const auto u = tests::ScRunner(*q).run();
  EXPECT_EQ(u.failure, "unsupported");
  EXPECT_NE(u.message.find("fadd half"), std::string::npos) << u.message;
}

TEST(VmState, BytecodeAsText) {
  char name[] = "/tmp/heddle-dump-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name);
  const auto file = (folder / "a.c").string();
  std::ofstream(file) << "int x; int main(void) { x = 3; return x + 1; }\n";
  const auto text = lang::llvm_ir::disassemble({file}, {}, "main");
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("Store.32 &x+0 3"), std::string::npos) << *text;
  EXPECT_NE(text->find("Ret"), std::string::npos) << *text;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace heddle
