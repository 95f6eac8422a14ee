// Memory orders and fences as edits of C sources: what is written, what is left out and why, and the unified diff.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "repair/source_patch.h"

namespace heddle::repair {
namespace {

using core::Order;
using Kind = SourceEdit::Kind;

// The text with one edit at the first occurrence of `where`.
std::string edited(const std::string& text, const std::string& where, Kind kind, Order order,
                   const std::string& next = {}, SourceEdit::Access access = SourceEdit::Access::Other,
                   bool plain = false) {
  const auto position = [&](const std::string& word) {
    const std::size_t at = text.find(word);
    const auto line = static_cast<unsigned>(1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return std::pair{line, static_cast<unsigned>(at - begin + 1)};
  };
  const auto [line, column] = position(where);
  SourceEdit edit{kind, line, column, order};
  edit.access = access;
  edit.plain = plain;
  if (!next.empty()) std::tie(edit.next_line, edit.next_column) = position(next);
  const PatchedSource out = patched(text, {edit});
  return out.left_out.empty() ? out.text : "left out: " + out.left_out.front();
}

TEST(SourcePatch, ReplacesOrders) {
  EXPECT_EQ(edited("  atomic_store_explicit(&x, f(1, 2), memory_order_relaxed); // a, b", "atomic_store", Kind::Order,
                   Order::Release),
            "  atomic_store_explicit(&x, f(1, 2), memory_order_release); // a, b");
  EXPECT_EQ(edited("v = __atomic_load_n(&x[i], __ATOMIC_RELAXED);", "__atomic", Kind::Order, Order::SeqCst),
            "v = __atomic_load_n(&x[i], __ATOMIC_SEQ_CST);");
  const std::string cas =
      "atomic_compare_exchange_weak_explicit(&p, &e, v, memory_order_relaxed, memory_order_relaxed);";
  EXPECT_EQ(edited(cas, "atomic", Kind::Order, Order::AcqRel),
            "atomic_compare_exchange_weak_explicit(&p, &e, v, memory_order_acq_rel, memory_order_relaxed);");
  EXPECT_EQ(edited(cas, "atomic", Kind::Failure, Order::Acquire),
            "atomic_compare_exchange_weak_explicit(&p, &e, v, memory_order_relaxed, memory_order_acquire);");
}

TEST(SourcePatch, WritesOrdersOutThatWereImplicit) {
  EXPECT_EQ(edited("assert(atomic_load(&x) == 1);", "assert", Kind::Order, Order::Relaxed),
            "assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);");
  EXPECT_EQ(edited("atomic_compare_exchange_strong(&p, &e, v);", "atomic", Kind::Failure, Order::Relaxed),
            "atomic_compare_exchange_strong_explicit(&p, &e, v, memory_order_seq_cst, memory_order_relaxed);");
}

TEST(SourcePatch, SaysWhatComesFromAMacro) {
  EXPECT_EQ(edited("put(x, 1);", "put", Kind::Order, Order::Release),
            "left out: 1:1: the access comes from 'put', a macro or an expression: change it there");
  EXPECT_EQ(edited("atomic_store_explicit(&x, 1, MO(relaxed));", "atomic", Kind::Order, Order::Release),
            "left out: 1:1: its order is written as 'MO(relaxed)': change it by hand");
}

TEST(SourcePatch, MakesCallsOfAccessesWithoutOne) {
  using Access = SourceEdit::Access;
  const auto load = [](const std::string& text, const std::string& where, bool plain = true) {
    return edited(text, where, Kind::Order, Order::Acquire, {}, Access::Load, plain);
  };
  const auto store = [](const std::string& text, const std::string& where = "=", bool plain = true) {
    return edited(text, where, Kind::Order, Order::Release, {}, Access::Store, plain);
  };
  EXPECT_EQ(load("{ while (here == 0) ; }", "here"), "{ while (__atomic_load_n(&here, __ATOMIC_ACQUIRE) == 0) ; }");
  EXPECT_EQ(load("{ if (x <= y) f(); }", "x"), "{ if (__atomic_load_n(&x, __ATOMIC_ACQUIRE) <= y) f(); }");
  EXPECT_EQ(load("{ return q->slot[i].full; }", "full"),
            "{ return __atomic_load_n(&q->slot[i].full, __ATOMIC_ACQUIRE); }");
  EXPECT_EQ(load("{ v = head->next; }", "head"), "{ v = __atomic_load_n(&head, __ATOMIC_ACQUIRE)->next; }");
  EXPECT_EQ(load("{ v = *p + 1; }", "*p"), "{ v = __atomic_load_n(p, __ATOMIC_ACQUIRE) + 1; }");
  EXPECT_EQ(load("{ v = x; }", "x", false), "{ v = atomic_load_explicit(&x, memory_order_acquire); }");
  EXPECT_EQ(store("{ x = f(1, 2); }  // a"), "{ __atomic_store_n(&x, f(1, 2), __ATOMIC_RELEASE); }  // a");
  EXPECT_EQ(store("{ if (c) s.a->x = y == 1 ? 2 : 3; }"),
            "{ if (c) __atomic_store_n(&s.a->x, y == 1 ? 2 : 3, __ATOMIC_RELEASE); }");
  EXPECT_EQ(store("{ *p = 1 /* one */; }"), "{ __atomic_store_n(p, 1 /* one */, __ATOMIC_RELEASE); }");
  EXPECT_EQ(store("{ x = 1; }", "=", false), "{ atomic_store_explicit(&x, 1, memory_order_release); }");
  for (const char* text : {"{ x++; }", "{ ++x; }", "{ x += 1; }", "{ v = x[1]; }", "{ x(); }", "{ v = a * *x[1]; }"})
    EXPECT_TRUE(load(text, "x").starts_with("left out")) << text;
  EXPECT_TRUE(load("{ v = a[i] * p; }", "* p").starts_with("left out"));
  EXPECT_TRUE(load("{ v = q->/* the first */x; }", "x;").starts_with("left out"));
  for (const char* text : {"{ x = y = 1; }", "{ x = 1, y = 2; }", "{ for (x = 1;;) ; }", "{ return x = 1; }",
                           "{ (*p).x = 1; }", "{ x /* here */ = 1; }", "{ int x = 1; }", "{ if ((x = 1)) ; }"})
    EXPECT_TRUE(store(text).starts_with("left out")) << text;
  // Both sides of an assignment, whatever comes first.
  SourceEdit left{Kind::Order, 1, 5, Order::Release}, right{Kind::Order, 1, 7, Order::Acquire};
  left.access = Access::Store;
  right.access = Access::Load;
  left.plain = right.plain = true;
  for (const auto& edits : {std::vector{left, right}, std::vector{right, left}})
    EXPECT_EQ(patched("{ x = y; }", edits).text,
              "{ __atomic_store_n(&x, __atomic_load_n(&y, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE); }");
}

TEST(SourcePatch, PutsFencesWhereStatementsAre) {
  const std::string fence = "atomic_thread_fence(memory_order_seq_cst)";
  const std::string head = "#include <stdatomic.h>\nvoid f(void) {\n";
  EXPECT_EQ(edited(head + "  x = 1;  // one\n  y = 2;\n}\n", "x = 1", Kind::After, Order::SeqCst, "y = 2"),
            head + "  x = 1;  // one\n  " + fence + ";\n  y = 2;\n}\n");
  EXPECT_EQ(edited(head + "  if (c) x = 1;\n}\n", "x = 1", Kind::Before, Order::SeqCst),
            head + "  if (c) { " + fence + "; x = 1; }\n}\n");
  EXPECT_EQ(edited(head + "  return x;\n}\n", "x;", Kind::Before, Order::SeqCst),
            head + "  " + fence + ";\n  return x;\n}\n");
  EXPECT_EQ(edited(head + "  while (atomic_load(&x) && y) ;\n}\n", "atomic_load", Kind::Before, Order::SeqCst),
            head + "  while ((" + fence + ", atomic_load(&x)) && y) ;\n}\n");
  EXPECT_TRUE(edited(head + "  while (x && y) ;\n}\n", "x &&", Kind::After, Order::SeqCst).starts_with("left out"));
  EXPECT_EQ(edited("int g(void) {\n  x = 1;\n}\n", "x = 1", Kind::Before, Order::Release),
            "int g(void) {\n  __atomic_thread_fence(__ATOMIC_RELEASE);\n  x = 1;\n}\n");
}

TEST(SourcePatch, TakesFencesAway) {
  EXPECT_EQ(edited("a();\n  atomic_thread_fence(memory_order_release);\nb();\n", "atomic", Kind::Order, Order::Plain),
            "a();\nb();\n");
  EXPECT_EQ(edited("if (c) atomic_thread_fence(memory_order_release);\n", "atomic", Kind::Order, Order::Plain),
            "if (c) ;\n");
}

TEST(SourcePatch, ShowsUnifiedDiffs) {
  EXPECT_EQ(unified_diff("d/f.c", "a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(unified_diff("d/f.c", "a\nb\nc\n", "a\nB\nc\n"),
            "--- a/d/f.c\n+++ b/d/f.c\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  EXPECT_EQ(unified_diff("f.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\nx\n9\n"),
            "--- a/f.c\n+++ b/f.c\n@@ -6,4 +6,5 @@\n 6\n 7\n 8\n+x\n 9\n");
}

}  // namespace
}  // namespace heddle::repair
