// C programs give the same results on the virtual machine, at every level of optimisation, as native code does.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lang/llvm/load.h"
#include "support/places.h"
#include "vm_sc_runner.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/heddle-native-XXXXXX";
    path_ = ::mkdtemp(name);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  fs::path path() const { return path_; }

 private:
  fs::path path_;
};

// The programs define `unsigned test(void)`.
std::string native(const Folder& folder, const std::string& file) {
  // On some machines clang calls __muloti4 to multiply 128 bits with a check, which libgcc does not have.
  const auto driver = folder.write("driver.c", R"(
#include <stdio.h>
unsigned test(void);
int main(void) { printf("%u", test()); return 0; }
__int128 __muloti4(__int128 a, __int128 b, int *overflow) {
  const __int128 least = (__int128)((unsigned __int128)1 << 127);
  const __int128 product = (__int128)((unsigned __int128)a * (unsigned __int128)b);
  *overflow = a != 0 && ((a == -1 && b == least) || (b == -1 && a == least) || product / a != b);
  return product;
}
)");
  const auto exe = (folder.path() / "native").string();
  const std::string command = "clang-19 -O0 -w -fwrapv -fsigned-char -ffp-contract=off -o " + exe + " " + file + " " +
                              driver + " -lm && " + exe;
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "no shell";
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
  ::pclose(pipe);
  return text;
}

std::string on_machine(const Folder& folder, const std::string& file, const std::string& level, bool pending) {
  const auto driver = folder.write("vm_driver.c", "unsigned test(void);\nint main(void) { return (int)test(); }\n");
  lang::llvm_ir::Options options;
  options.optimise = level;
  options.cflags = {"-fwrapv", "-w"};
  options.headers = {tests::binary_dir() + "/runtime/include"};
  options.pending_loads = pending;
  auto program = lang::llvm_ir::load({file, driver}, options);
  if (!program) return support::render(program.error());
  const auto run = tests::ScRunner(**program).run();
  if (!run.exited) {
    std::string where;
    for (const auto& p : (*program)->stack(run.local)) where += " " + p.function + ":" + std::to_string(p.line);
    return run.failure + ": " + run.message + where;
  }
  return std::to_string(static_cast<std::uint32_t>(run.status));
}

void agree(const std::string& code) {
  const Folder folder;
  const auto file = folder.write("test.c", code);
  const auto expected = native(folder, file);
  ASSERT_FALSE(expected.empty()) << code;
  for (const char* level : {"0", "1", "2", "3"})
    EXPECT_EQ(on_machine(folder, file, level, false), expected) << "-O" << level << "\n" << code;
  EXPECT_EQ(on_machine(folder, file, "0", true), expected) << "-O0, with registers that can wait\n" << code;
}

const char* const prologue = R"(
static unsigned sum = 17;
static void out(unsigned long x) { sum = sum * 31 + (unsigned)x + (unsigned)(x >> 32); }
static void outd(double d) { unsigned long u; __builtin_memcpy(&u, &d, 8); out(u); }
)";

TEST(CNative, Arithmetic) {
  agree(std::string(prologue) + R"(
unsigned test(void) {
  signed char c = -7; unsigned char uc = 250; short s = -30000; unsigned short us = 60000;
  int i = -123456789; unsigned u = 4000000000u; long l = -1234567890123456789L; unsigned long ul = 0xfedcba9876543210ul;
  for (int k = 0; k < 20; k++) {
    out(c * uc); out(s / 7); out(us % 11); out(i / (k + 1)); out(u / (k + 3)); out(l % (k * 7 + 5)); out(ul / (k + 9));
    out((unsigned long)(l >> k)); out(ul >> k); out(i << k); out(c < uc); out(s > (short)us); out((unsigned)i > u);
    c += 13; uc -= 77; s ^= us; us = us * 3 + 1; i = i * 1103515245 + 12345; u = ~u + i; l = l * 6364136223846793005L + 1; ul ^= ul << 13; ul ^= ul >> 7;
  }
  return sum;
})");
}

TEST(CNative, Floats) {
  agree(std::string(prologue) + R"(
double sqrt(double); double fabs(double); double floor(double);
unsigned test(void) {
  float f = 1.5f; double d = 0.1;
  for (int k = 1; k < 30; k++) {
    f = f * 1.25f - k / 3.0f; d = d * 1.0000001 + 1.0 / k; outd(f); outd(d); out((long)(d * 1000)); out((int)f);
    outd(sqrt(fabs(d))); outd(floor(f)); out(d > f); out(d != d); outd((double)(unsigned long)-k); outd((float)(1ul << k)); outd(k % 2 ? -d : d);
    out((unsigned char)(d > 0 ? d : -d)); out((unsigned)(f > 0 ? f : 0));
    int e = 0; double part = __builtin_frexp(d * 1e-310, &e); outd(part); out(e); part = __builtin_frexpf(f, &e); outd(part); out(e);
  }
  return sum;
})");
}

TEST(CNative, Wide) {
  agree(std::string(prologue) + R"(
typedef unsigned __int128 u128; typedef __int128 i128;
static void outw(u128 w) { out((unsigned long)w); out((unsigned long)(w >> 64)); }
unsigned test(void) {
  u128 a = 12345; i128 b = -987654321;
  for (int k = 0; k < 100; k++) {
    a = a * 6364136223846793005ul + 1442695040888963407ul; b = b * 1103515245 - (i128)a; outw(a); outw(b); outw(a / 1000003); outw(b / 77777); outw(b % 1001);
    outw(a << (k % 128)); outw(a >> (k % 128)); outw(b >> (k % 128)); out(a < (u128)b); out(b < 0); out((i128)a >= b); outd((double)a); outd((double)b);
    outw((u128)(double)(a >> 30)); outw(a & ~(u128)k); outw(-b); i128 o; out(__builtin_mul_overflow(b, (i128)k, &o)); outw(o); out(__builtin_add_overflow(b, (i128)a, &o));
  }
  return sum;
})");
}

TEST(CNative, Aggregates) {
  agree(std::string(prologue) + R"(
struct S { char a; int b; short c; double d; }; struct T { float x, y; }; struct U { long v[4]; }; struct N { struct S s; struct T t[2]; };
struct B { unsigned a : 3; int b : 7; unsigned long c : 40; signed char d : 4; } gb;
union V { unsigned u; unsigned char b[4]; float f; };
static struct T mk(float x) { struct T t = {x, x * 2}; return t; }
static struct U big(struct U u, int k) { u.v[k & 3] += k; return u; }
static struct S mid(struct S s) { s.b++; s.d *= 2; return s; }
static struct N table[3] = {{{1, 2, 3, 4.5}, {{1, 2}, {3, 4}}}, {{5, 6, 7, 8}}};
unsigned test(void) {
  struct U u = {{1, 2, 3, 4}}; struct S s = {'x', 7, -3, 2.5}; struct B b; b.a = 5; b.b = -33; b.c = 0x123456789aul; b.d = -2;
  for (int k = 0; k < 12; k++) {
    u = big(u, k); s = mid(s); struct T t = mk(k * 0.5f); outd(t.x); outd(t.y); out(u.v[k & 3]); out(s.b); outd(s.d); out(s.c); out(s.a);
    b.a += k; b.b -= k; b.c *= 3; b.d ^= k; gb = b; gb.a++; out(gb.a); out(gb.b); out(gb.c); out(gb.d);
    union V v; v.f = k * 1.25f; out(v.u); out(v.b[2]); v.b[1] = k; out(v.u);
    table[k % 3].s.b += k; table[k % 3].t[k & 1].y += 1; outd(table[k % 3].t[1].y); out(table[k % 3].s.b); table[(k + 1) % 3] = table[k % 3];
  }
  return sum;
})");
}

TEST(CNative, Control) {
  agree(std::string(prologue) + R"(
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int sw(int k) { switch (k) { case 0: return 3; case 1: case 2: k += 4; case 7: return k; case -5: return 9; case 1000: return 1; default: return -k; } }
static int (*const f[])(int) = {sw, sw}; static int even(unsigned n); static int odd(unsigned n) { return n ? even(n - 1) : 0; } static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static int interp(const char *p) { static void *const ops[] = {&&add, &&mul, &&end}; int a = 1, s = 0; goto *ops[*p - '0']; add: s += a++; goto *ops[*++p - '0']; mul: s *= 3; goto *ops[*++p - '0']; end: return s; }
unsigned test(void) {
  out(ack(2, 3)); for (int k = -10; k < 10; k++) { out(sw(k)); out(f[k & 1](k * 100)); } out(sw(1000)); out(even(101)); out(interp("0010112"));
  int n = 0; do { n++; if (n == 3) continue; if (n > 7) break; out(n); } while (1);
  for (int i = 0; i < 5; i++) for (int j = i; j < 5; j++) { if (j == 3) goto next; out(i * j); next:; }
  int v[n]; for (int i = 0; i < n; i++) v[i] = i * i; int *p = v + n; while (p > v) out(*--p); out(&v[5] - &v[2]);
  for (int r = 0; r < 4; r++) { int w[r + 1]; w[r] = r; out(w[r]); char *z = __builtin_alloca(r + 8); z[r] = r; out(z[r]); }
  return sum;
})");
}

TEST(CNative, StringsAndBlocks) {
  agree(std::string(prologue) + R"(
#include <string.h>
static char big[300], copy[300]; static int words[40];
static unsigned long len(const char *s) { const char *p = s; while (*p) p++; return p - s; }
static void rev(char *s) { for (unsigned long i = 0, j = len(s); i + 1 < j--; i++) { char t = s[i]; s[i] = s[j]; s[j] = t; } }
unsigned test(void) {
  char s[] = "the quick brown fox"; rev(s); for (char *p = s; *p; p++) out(*p);
  for (int k = 0; k < 300; k++) big[k] = k * 7; memcpy(copy + 1, big + 3, 200); memmove(copy + 10, copy + 2, 100); memmove(copy + 20, copy + 40, 99); memset(big + 5, 'x', 77);
  for (int k = 0; k < 300; k++) { out(big[k]); out(copy[k]); }
  memset(words, -1, sizeof words); memcpy(words + 3, big, 40); for (int k = 0; k < 40; k++) out(words[k]);
  struct { char *p; int n; } q[3], r[3]; for (int k = 0; k < 3; k++) { q[k].p = big + k; q[k].n = k; } memcpy(r, q, sizeof q); out(*r[2].p); out(r[1].n); 
  return sum;
})");
}

TEST(CNative, Variadic) {
  agree(std::string(prologue) + R"(
#include <stdarg.h>
struct big { long a, b, c; }; struct two { int x, y; }; struct mixed { double d; int i; };
static long walk(const char *f, va_list ap) { long s = 0; for (; *f; f++) switch (*f) { case 'i': s = s * 3 + va_arg(ap, int); break; case 'l': s ^= va_arg(ap, long); break;
  case 'd': s += (long)(va_arg(ap, double) * 8); break; case 'p': s += *va_arg(ap, int *); break; case 'b': { struct big b = va_arg(ap, struct big); s += b.a * b.c - b.b; break; }
  case 't': { struct two t = va_arg(ap, struct two); s += t.x - t.y; break; } case 'm': { struct mixed m = va_arg(ap, struct mixed); s += m.i + (long)m.d; break; } } return s; }
static long v(const char *f, ...) { va_list ap, aq; va_start(ap, f); va_copy(aq, ap); long r = walk(f, ap) + 5 * walk(f, aq); va_end(ap); va_end(aq); return r; }
static void *keep; static long leak(int n, ...) { va_list ap; va_start(ap, n); keep = &ap; long s = 0; while (n--) s += va_arg(ap, int); va_end(ap); return s; }
unsigned test(void) {
  int x = 9; struct big b = {3, 4, 5}; struct two t = {8, 1}; struct mixed m = {2.5, 7};
  out(v("i", 5)); out(v("ilidp", 1, 2L, 3, 4.5, &x)); out(v("bitbm", b, 7, t, b, m)); out(v("iiiiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
  out(leak(3, 4, 5, 6)); return sum;
})");
}

TEST(CNative, Builtins) {
  agree(std::string(prologue) + R"(
unsigned test(void) {
  unsigned u = 0x12345678; unsigned long l = 0xfedcba9876543210ul;
  for (int k = 0; k < 40; k++) {
    out(__builtin_popcount(u)); out(__builtin_popcountl(l)); out(__builtin_clz(u | 1)); out(__builtin_ctz(u | 1 << 20)); out(__builtin_clzl(l | 1)); out(__builtin_ctzl(l | 1ul << 50)); out(__builtin_bswap32(u)); out(__builtin_bswap64(l)); out(__builtin_bswap16(u));
    out(__builtin_rotateleft32(u, k)); out(__builtin_rotateright64(l, k)); int s; unsigned t; long q; out(__builtin_add_overflow((int)u, (int)l, &s)); out(s); out(__builtin_mul_overflow(u, (unsigned)l, &t)); out(t); out(__builtin_sub_overflow((long)l, (long)u << 32, &q)); out(q);
    out(__builtin_abs((int)u)); out(__builtin_ffs(u)); out(__builtin_parity(u)); out(__builtin_bitreverse32(u)); short sh; out(__builtin_add_overflow((short)u, (short)l, &sh)); out(sh);
    u = u * 1664525 + 1013904223; l = l * 6364136223846793005ul + u;
  }
  return sum;
})");
}

TEST(CNative, AtomicsInOneThread) {
  agree(std::string(prologue) + R"(
#include <stdatomic.h>
static _Atomic int i; static _Atomic unsigned char c; static _Atomic long l; static _Atomic unsigned short us;
unsigned test(void) {
  _Atomic int local = 3; atomic_fetch_add(&local, 4); out(local);
  for (int k = 0; k < 10; k++) {
    out(atomic_fetch_add(&i, k)); out(atomic_fetch_sub(&c, k)); out(atomic_fetch_or(&l, 1l << k)); out(atomic_fetch_and(&i, ~k)); out(atomic_fetch_xor(&us, k * 999)); out(atomic_exchange(&c, k)); int e = k; out(atomic_compare_exchange_strong(&i, &e, 77)); out(e);
    out(__atomic_fetch_nand((int *)&i, 3, 5)); out(__atomic_fetch_max((int *)&i, 12, 5)); out(__atomic_fetch_min((int *)&i, 5, 5)); out(__sync_add_and_fetch((int *)&i, 2)); atomic_thread_fence(memory_order_seq_cst); out(i++); out(--l); us += 3; c *= 3; out(us); out(c);
    _Atomic int p = k; int ex = 4; atomic_compare_exchange_weak(&p, &ex, 9); out(p); out(ex);
  }
  return sum;
})");
}

// Random programs: expressions of mixed types over locals, arrays and fields, with loops and conditions.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    std::string text =
        std::string(prologue) + "struct R { int a; unsigned char b; long c; short d; unsigned e : 5; int f : 11; };\n";
    const int functions = 6;
    for (int k = 0; k < functions; ++k) text += function(k);
    text += "unsigned test(void) {\n";
    for (int k = 0; k < functions; ++k)
      text += "  for (int k = 0; k < 4; k++) out((unsigned long)f" + std::to_string(k) +
              "(k * 77777 - 5, (unsigned char)k, -k));\n";
    return text + "  return sum;\n}\n";
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::string leaf() {
    switch (pick(12)) {
      case 0: return "x";
      case 1: return "y";
      case 2: return "z";
      case 3: return "a[" + index() + "]";
      case 4: return "r.a";
      case 5: return "r.b";
      case 6: return "r.c";
      case 7: return "r.d";
      case 8: return pick(2) ? "r.e" : "r.f";
      case 9: return "(" + std::to_string(static_cast<std::int32_t>(random_())) + ")";
      case 10: return std::to_string(pick(10));
      default: return "u";
    }
  }
  std::string index() { return "(" + (pick(2) ? std::string("x") : std::string("y")) + " & 7)"; }
  std::string lvalue() {
    static const char* const names[] = {"x", "y", "z", "r.a", "r.b", "r.c", "r.d", "r.e", "r.f", "u"};
    return pick(4) == 0 ? "a[" + index() + "]" : names[pick(10)];
  }
  std::string expression(int depth) {
    if (depth == 0) return leaf();
    const auto a = expression(depth - 1), b = expression(static_cast<int>(pick(static_cast<unsigned>(depth))));
    static const char* const types[] = {"signed char", "unsigned char", "short", "unsigned short",
                                        "int",         "unsigned",      "long",  "unsigned long"};
    static const char* const ops[] = {"+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", ">", ">="};
    switch (pick(9)) {
      case 0: return "(" + std::string(types[pick(8)]) + ")(" + a + ")";
      case 1: return "((" + a + ") / ((" + b + ") ? (" + b + ") | 1 : 3))";
      case 2: return "((" + a + ") % (((" + b + ") & 255) + 2))";
      case 3: return "((" + a + ") << ((" + b + ") & 15))";
      case 4: return "((" + a + ") >> ((" + b + ") & 15))";
      case 5: return "((" + a + ") ? (" + b + ") : (" + leaf() + "))";
      case 6: return pick(2) ? "(~(" + a + "))" : "(-(" + a + "))";
      default: return "((" + a + ") " + ops[pick(12)] + " (" + b + "))";
    }
  }
  std::string statement(int depth) {
    switch (depth == 0 ? 0 : pick(6)) {
      case 1:
        return "if (" + expression(2) + ") { " + statement(depth - 1) + " } else { " + statement(depth - 1) + " }";
      case 2:
        return "for (int i = 0; i < " + std::to_string(1 + pick(6)) + "; i++) { " + statement(depth - 1) + " x += i; }";
      case 3:
        return "switch ((" + expression(1) + ") & 3) { case 0: " + statement(depth - 1) +
               " break; case 1: " + statement(0) + " case 2: " + statement(0) + " default: ; }";
      case 4: return statement(depth - 1) + " " + statement(depth - 1);
      default: return lvalue() + (pick(3) == 0 ? " += " : " = ") + expression(2 + static_cast<int>(pick(2))) + ";";
    }
  }
  std::string function(int k) {
    std::string body;
    for (int s = 0; s < 6; ++s) body += "  " + statement(2) + "\n";
    return "static unsigned g" + std::to_string(k) + " = " + std::to_string(random_()) + "u;\nstatic long f" +
           std::to_string(k) +
           "(int x, unsigned char y, long z) {\n  int a[8] = {1, -2, 3, 400000, -5, 6, 7, 8}; struct R r = {1, 2, 3, "
           "4, 5, 6}; unsigned u = g" +
           std::to_string(k) + "++;\n" + body +
           "  for (int i = 0; i < 8; i++) z = z * 3 + a[i];\n  return z + x + y + u + r.a + r.b + r.c + r.d + r.e + "
           "r.f;\n}\n";
  }

  std::mt19937 random_;
};

// -INT_MIN / -1 and the like trap natively too: divisors are made odd and positive parts dominate; the few programs
// that trap give no native answer and are skipped.
TEST(CNative, RandomPrograms) {
  unsigned compared = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const Folder folder;
    const auto code = Generator(seed).program();
    const auto file = folder.write("test.c", code);
    const auto expected = native(folder, file);
    if (expected.empty()) continue;
    ++compared;
    for (const char* level : {"0", "1", "2"})
      ASSERT_EQ(on_machine(folder, file, level, false), expected) << "seed " << seed << " -O" << level << "\n" << code;
    ASSERT_EQ(on_machine(folder, file, "0", true), expected) << "seed " << seed << ", registers that can wait";
  }
  EXPECT_GE(compared, 8u);
}

TEST(CNative, ManyRandomPrograms_slow) {
  for (std::uint32_t seed = 1000; seed < 1025; ++seed) {
    const Folder folder;
    const auto code = Generator(seed).program();
    const auto file = folder.write("test.c", code);
    const auto expected = native(folder, file);
    if (expected.empty()) continue;
    for (const char* level : {"0", "1", "2", "3"})
      ASSERT_EQ(on_machine(folder, file, level, false), expected) << "seed " << seed << " -O" << level << "\n" << code;
  }
}

// Random programs over structures with bit-fields, most of whose bits are never set: the generator knows which fields
// are, and lets the program look at those only. Memory that is not set has any value natively, and none on the machine.
class BitFieldGenerator {
 public:
  explicit BitFieldGenerator(std::uint32_t seed) : random_(seed) {}

  // Looks at an unset field at its end if there is one and `wrong`.
  std::optional<std::string> program(bool wrong) {
    std::string text = prologue;
    text += "struct S {";
    const unsigned count = 3 + pick(6);
    for (unsigned f = 0; f < count; ++f) {
      static constexpr std::pair<const char*, unsigned> types[] = {
          {"unsigned", 32},     {"int", 32},        {"unsigned long", 64}, {"long", 64},
          {"unsigned char", 8}, {"signed char", 8}, {"unsigned short", 16}};
      const auto& [name, width] = types[pick(7)];
      const unsigned bits = 1 + pick(width);
      text += " " + std::string(name) + " f" + std::to_string(f);
      if (pick(6) != 0) text += " : " + std::to_string(bits);
      text += ";";
      if (pick(8) == 0) text += " " + std::string(name) + " : 0;";
    }
    text += " };\nstatic struct S g;\nunsigned test(void) {\n  struct S a, b, c;\n  struct S *volatile p = &c;\n";
    std::vector<std::vector<bool>> set(4, std::vector<bool>(count, false));
    set[3].assign(count, true);
    static constexpr const char* names[] = {"a.", "b.", "p->", "g."};
    const auto some = [&](bool wanted) -> std::string {
      for (unsigned k = 0; k < 20; ++k) {
        const unsigned v = pick(4), f = pick(count);
        if (set[v][f] == wanted) return names[v] + ("f" + std::to_string(f));
      }
      return wanted ? "g.f0" : "";
    };
    for (unsigned k = 0; k < 30; ++k) {
      const unsigned v = pick(4), f = pick(count), w = pick(4);
      const std::string target = names[v] + ("f" + std::to_string(f));
      switch (pick(6)) {
        case 0:
        case 1:
          text += "  " + target + " = " + some(true) + " * " + std::to_string(1 + pick(9)) + " + " +
                  std::to_string(pick(100000)) + ";\n";
          set[v][f] = true;
          break;
        case 2:
          if (set[v][f]) text += "  " + target + (pick(2) ? " += 3;\n" : "++;\n");
          break;
        case 3:
          if (v == w) break;
          text += v == 2 ? "  *p = " : v == 3 ? "  g = " : std::string("  ") + names[v][0] + " = ";
          text += w == 2 ? "*p;\n" : w == 3 ? "g;\n" : std::string(1, names[w][0]) + ";\n";
          if (v == 3) set[3] = set[w];
          else set[v] = set[w];
          break;
        case 4: text += "  out((unsigned long)" + some(true) + ");\n"; break;
        default: text += "  if (" + some(true) + " > " + some(true) + ") out(" + std::to_string(k) + ");\n"; break;
      }
      if (set[3] != std::vector<bool>(count, true)) {  // something must always be there to be looked at
        for (unsigned all = 0; all < count; ++all) text += "  g.f" + std::to_string(all) + " = 1;\n";
        set[3].assign(count, true);
      }
    }
    if (wrong) {
      const std::string unset = some(false);
      if (unset.empty()) return std::nullopt;
      text += "  if (" + unset + " == 1) out(1);\n";
    }
    return text + "  return sum;\n}\n";
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::mt19937 random_;
};

void compare_bit_fields(std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t seed = first; seed < end; ++seed) {
    const Folder folder;
    const auto code = BitFieldGenerator(seed).program(false);
    const auto file = folder.write("test.c", *code);
    const auto expected = native(folder, file);
    ASSERT_FALSE(expected.empty()) << *code;
    for (const char* level : {"0", "2"})
      EXPECT_EQ(on_machine(folder, file, level, false), expected) << "seed " << seed << " -O" << level << "\n" << *code;
    const auto bad = BitFieldGenerator(seed).program(true);
    if (!bad) continue;
    const auto found = on_machine(folder, folder.write("bad.c", *bad), "0", false);
    EXPECT_TRUE(found.starts_with("uninitialised")) << "seed " << seed << ": " << found << "\n" << *bad;
  }
}

TEST(CNative, RandomBitFields) { compare_bit_fields(1, 9); }

TEST(CNative, ManyRandomBitFields_slow) { compare_bit_fields(1000, 1050); }

}  // namespace
}  // namespace heddle
