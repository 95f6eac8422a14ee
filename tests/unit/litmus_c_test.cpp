// The C dialect of litmus tests: types, conversions, scopes, statements, and the functions of <stdatomic.h>. What the
// tests expect is what a C compiler makes of the same lines (int of 4 bytes, long of 8).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "lang/litmus/parse.h"
#include "lang/litmus/print.h"
#include "lang/litmus/run.h"

namespace heddle::lang::litmus {
namespace {

ModelResult run_c(const std::string& text, RunOptions options = {}) {
  const auto test = parse_test("t.litmus", text);
  if (!test) {
    ADD_FAILURE() << support::render(test.error());
    return {};
  }
  const ModelChoice choice{"rc11", axioms::find_model("rc11"), nullptr};
  return run_test(*test, {&choice, 1}, options)[0];
}

// The one value of `r` after the statements, as it is shown.
std::string value_of_r(const std::string& statements) {
  const std::string text =
      "C t\n{ int x=6; int y[3]={4,5,6}; uint8_t b=200; uint64_t w=0x100000000; }\n"
      "P0 (atomic_int* x, int* y, uint8_t* b, uint64_t* w) {\n" +
      statements + "\n}\nlocations [0:r;]\nforall (true)\n";
  const auto test = parse_test("t.litmus", text);
  if (!test) return test.error().message;
  const ModelChoice choice{"rc11", axioms::find_model("rc11"), nullptr};
  const ModelResult r = run_test(*test, {&choice, 1}, {})[0];
  if (!r.refusal.text.empty()) return r.refusal.text;
  if (r.states.size() != 1) return "not one state";
  return show_value(*test, r.states[0].values[0], test->observed[test->shown[0]].type);
}

TEST(LitmusC, locals_have_their_types) {
  const std::pair<const char*, const char*> cases[] = {
      {"uint64_t r = *w;", "4294967296"},
      {"unsigned u = -1; int r = u > 0;", "1"},
      {"unsigned r = -1;", "4294967295"},
      {"int r = 2147483647; r = r + 1;", "-2147483648"},
      {"int i = 2147483647; i = i + 1; int r = i < 0;", "1"},
      {"long l = 2147483647; long r = l + 1;", "2147483648"},
      {"uint8_t r = 300;", "44"},
      {"int8_t r = 200;", "-56"},
      {"int r = *b;", "200"},
      {"_Bool r = 5;", "1"},
      {"bool r = y;", "1"},
      {"unsigned u = -8; unsigned r = u / 2;", "2147483644"},
      {"unsigned u = -8; unsigned r = u >> 1;", "2147483644"},
      {"int i = -8; int r = i >> 1;", "-4"},
      {"int r = -7 % 3;", "-1"},
      {"unsigned r = -7u % 4;", "1"},
      {"int r = -1 < 1u;", "0"},
      {"int r = (long)-1 < 1u;", "1"},
      {"uint8_t a = 255; int r = a + 1;", "256"},
      {"uint8_t a = 255; a++; int r = a;", "0"},
      {"unsigned short a = 65535; int r = ~a;", "-65536"},
      {"unsigned r = (uint8_t)511;", "255"},
      {"int r = (int8_t)128;", "-128"},
      {"unsigned long long r = 18446744073709551615u;", "18446744073709551615"},
      {"long r = 1 ? -1 : 1u;", "4294967295"},
      {"int r = 010;", "8"},
      {"int r = 0x10;", "16"},
      {"int r = 1; { int r = 2; }", "1"},
      {"int r = 1; { int r = 2; { r = 3; } }", "1"},
      {"int r = 1; { r = 2; }", "2"},
      {"if (1) { int r = 7; }", "7"},
      {"if (0) { int r = 7; } else { int r = 8; }", "8"},
  };
  for (const auto& [statements, expected] : cases) EXPECT_EQ(value_of_r(statements), expected) << statements;
}

TEST(LitmusC, statements_and_operators) {
  const std::pair<const char*, const char*> cases[] = {
      {"int r = 0; for (int i = 0; i < 2; i++) r += 2;", "4"},
      {"int r = 0; for (int i = 0; i < 2; i++) { if (i == 0) continue; r += 2; }", "2"},
      {"int r = 0, i = 0; for (;; ++i) { if (i == 2) break; r = r * 2 + 1; }", "3"},
      {"int r = 0; do { r++; if (r == 1) continue; } while (r < 2);", "2"},
      {"int r = 0, i = 2; while (i--) r++;", "2"},
      {"int r = 1; return; r = 2;", "1"},
      {"int r = 0; int a = r ? 5 : 6; r = a;", "6"},
      {"int r = 5; r <<= 2; r |= 1; r ^= 3; r &= 30; r -= 2; r /= 2; r %= 6;", "4"},
      {"int a, r; r = a = 3;", "3"},
      {"int a = 3; int r = a++ + 10;", "13"},
      {"int a = 3; int r = ++a + 10;", "14"},
      {"int r = (y[1] = 9) + y[1];", "18"},
      {"y[1] += 3; int r = *(y + 1);", "8"},
      {"int r = *&y[2];", "6"},
      {"int* p = y + 1; int r = p[1];", "6"},
      {"int* p = &y[1]; int r = p == y + 1;", "1"},
      {"int r = atomic_load(&y[1]);", "5"},
      {"int a = 4; int r = *&a;", "4"},
      {"int r = !5 + !0;", "1"},
      {"int r = 0 || 3;", "1"},
      {"int r = 4 / 2 * 3 - 1 << 1;", "10"},
      {"(void)atomic_load(x); int r = (atomic_load(x), 3);", "3"},
      {"int r = true + false;", "1"},
  };
  for (const auto& [statements, expected] : cases) EXPECT_EQ(value_of_r(statements), expected) << statements;
}

TEST(LitmusC, compare_exchange_with_a_local_variable) {
  EXPECT_EQ(value_of_r("int e = 6; int r = atomic_compare_exchange_strong(x, &e, 7);"), "1");
  EXPECT_EQ(value_of_r("int e = 5; int r = atomic_compare_exchange_strong(x, &e, 7);"), "0");
  EXPECT_EQ(value_of_r("int r = 5; atomic_compare_exchange_strong(x, &r, 7);"), "6");
  EXPECT_EQ(value_of_r("int e = 6; atomic_compare_exchange_weak_explicit(x, &e, 7, memory_order_acq_rel, "
                       "memory_order_relaxed); int r = atomic_load(x);"),
            "7");
  EXPECT_EQ(value_of_r("int r = atomic_fetch_add(x, -7); r = atomic_load(x);"), "-1");
}

TEST(LitmusC, undefined_arithmetic_is_no_answer_and_has_its_place) {
  EXPECT_EQ(value_of_r("int r = 1 / 0;"), "t.litmus:4:11: P0: a division by zero");
  EXPECT_EQ(value_of_r("int z = 0; int r = 1 % z;"), "t.litmus:4:22: P0: a division by zero");
  EXPECT_EQ(value_of_r("int r = 1 << 32;"), "t.litmus:4:11: P0: a shift by less than zero or by the whole width");
  EXPECT_EQ(value_of_r("int r = y[7];"), "t.litmus:4:9: P0: the address is not inside a variable of the test");
  EXPECT_EQ(value_of_r("int r = 1; if (0) r = 1 / 0;"), "1");
}

TEST(LitmusC, a_weak_compare_exchange_fails_without_cause_if_it_may) {
  const std::string text =
      "C w\n{ x=0; }\nP0 (atomic_int* x) { int e = 0; int r = atomic_compare_exchange_weak(x, &e, 1); }\n"
      "exists (0:r=0 /\\ x=0 /\\ 0:e=0)\n";
  EXPECT_EQ(run_c(text).positive, 0u);
  EXPECT_EQ(run_c(text).negative, 1u);
  RunOptions options;
  options.spurious_cas = true;
  EXPECT_EQ(run_c(text, options).positive, 1u);
  EXPECT_EQ(run_c(text, options).negative, 1u);
  std::string strong = text;
  strong.replace(strong.find("weak"), 4, "strong");
  EXPECT_EQ(run_c(strong, options).positive, 0u);
}

TEST(LitmusC, flags_and_locks_exclude) {
  for (const char* lock : {"mtx_lock(l)", "spin_lock(l)", "while (atomic_flag_test_and_set(l)) {}"}) {
    const std::string of = lock;
    const std::string type = of[0] == 'm' ? "mtx_t" : of[0] == 's' ? "spinlock_t" : "atomic_flag";
    const std::string unlock = of[0] == 'm'   ? "mtx_unlock(l)"
                               : of[0] == 's' ? "spin_unlock(l)"
                                              : "atomic_flag_clear(l)";
    const std::string body = " (" + type + "* l, int* x) { " + of + "; int r = *x; *x = r + 1; " + unlock + "; }\n";
    const auto r = run_c("C l\n{}\nP0" + body + "P1" + body + "exists (~(x=2))\n");
    EXPECT_EQ(r.refusal.text, "") << of;
    EXPECT_EQ(r.positive, 0u) << of;
    EXPECT_GT(r.negative, 0u) << of;
    EXPECT_FALSE(r.racy) << of;
  }
}

// Values are found round by round; a run that waits for one of a later round has written by then, too.
TEST(LitmusC, values_that_come_to_waiting_threads_late) {
  const int last = 4;
  std::string locks = "C l\n{ spinlock_t n=1;", threads;
  for (int i = 0; i <= last; ++i) {
    if (i > 0) locks += " spinlock_t m" + std::to_string(i) + "=1;";
    std::string parameters = "spinlock_t* n", body;
    if (i > 0) {
      parameters += ", spinlock_t* m" + std::to_string(i);
      body += "spin_lock(m" + std::to_string(i) + "); ";
    }
    if (i < last) {
      parameters += ", spinlock_t* m" + std::to_string(i + 1);
      body += "spin_unlock(m" + std::to_string(i + 1) + "); spin_lock(n); ";
    }
    threads += "P" + std::to_string(i) + " (" + parameters + ") { " + body + "spin_unlock(n); }\n";
  }
  const auto r = run_c(locks + " }\n" + threads + "forall (n=0)\n");
  EXPECT_EQ(r.positive, 24u);  // the orders in which four threads take the lock
  EXPECT_EQ(r.negative, 0u);

  std::string here, there;
  for (const char* turn : {"1", "2", "3"}) {
    here += std::string("atomic_store(a, ") + turn + "); while (atomic_load(b) != " + turn + ") {}\n";
    there += std::string("while (atomic_load(a) != ") + turn + ") {}\natomic_store(b, " + turn + ");\n";
  }
  const std::string parameters = " (atomic_int* a, atomic_int* b) {\n";
  EXPECT_GT(run_c("C p\n{}\nP0" + parameters + here + "}\nP1" + parameters + there + "}\nforall (b=3)\n").positive, 0u);
}

TEST(LitmusC, other_atomic_types) {
  const auto r = run_c(
      "C a\n{ atomic_uchar c=255; atomic_ullong l; _Bool f; }\n"
      "P0 (atomic_uchar* c, atomic_ullong* l, atomic_bool* f) { int r = atomic_fetch_add(c, 2); int s = "
      "atomic_load(c); atomic_fetch_sub(l, 1); atomic_store(f, 7); }\n"
      "exists (0:r=255 /\\ 0:s=1 /\\ l=18446744073709551615 /\\ f=1)\n");
  EXPECT_EQ(r.positive, 1u);
}

TEST(LitmusC, a_number_that_does_not_fit_is_never_equal) {
  EXPECT_EQ(run_c("C n\n{}\nP0 (int* x) { int r = 0; }\nexists (0:r=0x100000000)\n").positive, 0u);
  EXPECT_EQ(run_c("C n\n{}\nP0 (int* x) { int r = -1; }\nexists (0:r=-1 /\\ 0:r=0xffffffff)\n").positive, 1u);
  EXPECT_EQ(run_c("C n\n{uint64_t x=0x100000000;}\nP0 (uint64_t* x) { uint64_t r = *x; }\nexists (0:r=0)\n").positive,
            0u);
}

// Comments of the outer format are none inside a thread.
TEST(LitmusC, a_star_behind_a_parenthesis_dereferences) {
  EXPECT_EQ(value_of_r("int r = (* x); int *q = (int *) y;"), "6");
  const auto both = run_c(
      "C t (* name *)\n(* before *)\n{ int y = 3; (* { *) int *p = y; int **q = p; }\n(** between *)\n"
      "P0 (int ***q) { int r0 = (**q == 0); }\n(* behind *) exists (0:r0=0)\n");
  EXPECT_EQ(both.positive, 1u);
}

TEST(LitmusC, what_is_refused_and_where) {
  struct Wrong {
    const char* body;
    unsigned column;
    const char* message;
  };
  const Wrong cases[] = {
      {"int r = 99999999999;", 9, "this number does not fit into 4 bytes"},
      {"int r = 08;", 9, "'08' is not a number"},
      {"int r; int* p = &r;", 17,
       "the address of a local variable is supported only as what a compare-exchange expects"},
      {"int r; atomic_store(&r, 1);", 21,
       "the address of a local variable is supported only as what a compare-exchange expects"},
      {"goto L;", 1, "'goto' is not supported"},
      {"int r[2];", 6, "local arrays are not supported"},
      {"int r; int r;", 12, "'r' is declared in this block already"},
      {"int x;", 5, "'x' is a parameter already"},
      {"continue;", 1, "'continue' outside a loop"},
      {"return 1;", 8, "a thread returns no value"},
      {"x = 1;", 1, "a parameter cannot be assigned to"},
      {"3 = 1;", 1, "this cannot be assigned to"},
      {"*x += 1;", 4, "'+=' on an atomic variable is not supported"},
      {"(*x)++;", 5, "'++' on an atomic variable is not supported"},
      {"long e = 0; atomic_compare_exchange_strong(x, &e, 1);", 47,
       "what is expected must have the size of the variable"},
      {"int r = atomic_load_explicit(x, memory_order_release);", 33,
       "C11 does not allow memory_order_release for a load"},
      {"int r = atomic_load_explicit(x, memory_order_acq_rel);", 33,
       "C11 does not allow memory_order_acq_rel for a load"},
      {"atomic_store_explicit(x, 1, memory_order_acquire);", 29, "C11 does not allow memory_order_acquire for a store"},
      {"atomic_flag_clear_explicit(x, memory_order_acq_rel);", 31,
       "C11 does not allow memory_order_acq_rel for a store"},
      {"int e; atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_acq_rel, memory_order_release);", 80,
       "C11 does not allow memory_order_release for the failure of a compare-exchange"},
      {"int r = x * 2;", 11, "'*' between these operands, of which one is a pointer, is not supported"},
      {"short long r;", 7, "'long' does not go with the words of the type before it"},
  };
  for (const Wrong& w : cases) {
    const auto test = parse_test("t", std::string("C t\n{}\nP0 (atomic_int* x) {\n") + w.body + "\n}\nexists (x=1)\n");
    if (test) {
      ADD_FAILURE() << "accepted: " << w.body;
      continue;
    }
    EXPECT_EQ(test.error().message, w.message) << w.body;
    EXPECT_EQ(test.error().line, 4u) << w.body;
    EXPECT_EQ(test.error().column, w.column) << w.body;
  }
}

TEST(LitmusC, variables_of_blocks_in_conditions) {
  const auto both = parse_test("t", "C t\n{}\nP0 (int* x) { { int r = 1; } { long r = 2; } }\nexists (0:r=1)\n");
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().message, "several blocks have a variable 'r'; which one is meant?");
  EXPECT_FALSE(parse_test("t", "C t\n{}\nP0 (int* x, int* x) { }\nexists (x=1)\n"));
  EXPECT_FALSE(parse_test("t", "C t\n{ uint8_t x; }\nP0 (int* x) { }\nexists (x=1)\n"));
  // Many operators in a row do no harm.
  EXPECT_FALSE(parse_test("t", "C t\n{}\nP0 (int* x) { int r = " + std::string(100'000, '!') + "1; }\nexists (x=1)\n"));
  EXPECT_FALSE(parse_test("t", "C t\n{}\nP0 (int* x) { int r = " + std::string(100'000, '(') + "1; }\nexists (x=1)\n"));
}

}  // namespace
}  // namespace heddle::lang::litmus
