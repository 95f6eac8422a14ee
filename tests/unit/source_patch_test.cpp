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

// In the blocks of lambdas and statement expressions, however many brackets are around them.
TEST(SourcePatch, PutsFencesIntoInnerBlocks) {
  const std::string fence = "__atomic_thread_fence(__ATOMIC_SEQ_CST);";
  EXPECT_EQ(edited("{ r = ({ x = 1; int t = 0; t; }); }", "x = 1", Kind::After, Order::SeqCst),
            "{ r = ({ x = 1; " + fence + " int t = 0; t; }); }");
  EXPECT_EQ(edited("int main() {\n  std::thread a([] {\n    x = 1;\n    r = y;\n  });\n}\n", "x = 1", Kind::After,
                   Order::SeqCst, "y"),
            "int main() {\n  std::thread a([] {\n    x = 1;\n    " + fence + "\n    r = y;\n  });\n}\n");
  EXPECT_EQ(edited("{ f([] { if (c) { x = 1; } }, y); }", "y", Kind::Before, Order::SeqCst),
            "{ " + fence + " f([] { if (c) { x = 1; } }, y); }");
  EXPECT_TRUE(edited("{ int a[] = {x, y}; }", "y", Kind::Before, Order::SeqCst).starts_with("left out"));
}

// A statement or call in which other accesses come between is not passed over.
TEST(SourcePatch, PutsFencesOnTheRightSideOfTheirNeighbours) {
  const std::string text = "{ r = atomic_load(&x) ? atomic_load(&y) : 1; }";
  const auto at = [](const std::string& in, const std::string& what) {
    return std::pair{1U, static_cast<unsigned>(in.find(what) + 1)};
  };
  const auto fence = [](const std::string& in, Kind kind, std::pair<unsigned, unsigned> where,
                        std::pair<unsigned, unsigned> other, bool next = false) {
    SourceEdit edit{kind, where.first, where.second, Order::SeqCst};
    edit.around = {other};
    if (next) std::tie(edit.next_line, edit.next_column) = other;
    const PatchedSource out = patched(in, {edit});
    EXPECT_EQ(expressible(in, edit), out.left_out.empty());
    return out.left_out.empty() ? out.text : "";
  };
  const auto x = at(text, "atomic_load(&x"), y = at(text, "atomic_load(&y"), r = at(text, "r =");
  EXPECT_EQ(fence(text, Kind::After, x, y), "");
  EXPECT_EQ(fence(text, Kind::Before, y, x),
            "{ r = atomic_load(&x) ? (__atomic_thread_fence(__ATOMIC_SEQ_CST), atomic_load(&y)) : 1; }");
  EXPECT_EQ(fence(text, Kind::Before, x, {7, 1}), "{ __atomic_thread_fence(__ATOMIC_SEQ_CST); " + text.substr(2));
  EXPECT_EQ(fence(text, Kind::Before, r, x), "");
  const std::string nested = "{ atomic_store(&y, atomic_load(&x)); }";
  const auto inner = at(nested, "atomic_load"), outer = at(nested, "atomic_store");
  EXPECT_EQ(fence(nested, Kind::After, inner, outer, true), "");
  EXPECT_EQ(fence(nested, Kind::Before, outer, inner), "");
}

TEST(SourcePatch, WritesWhatCppTakes) {
  const std::string head = "#include <atomic>\nvoid f() {\n  // memory_order\n", order = "std::memory_order_";
  EXPECT_EQ(edited(head + "  x = 1;\n}\n", "x = 1", Kind::Before, Order::SeqCst),
            head + "  std::atomic_thread_fence(" + order + "seq_cst);\n  x = 1;\n}\n");
  EXPECT_EQ(edited("// memory_order\nvoid f() { x = 1; }\n", "x = 1", Kind::Before, Order::SeqCst),
            "// memory_order\nvoid f() { __atomic_thread_fence(__ATOMIC_SEQ_CST); x = 1; }\n");
  EXPECT_EQ(edited(head + "  a.b->x.store(1, " + order + "relaxed);\n}\n", "store", Kind::Order, Order::Release),
            head + "  a.b->x.store(1, " + order + "release);\n}\n");
  EXPECT_EQ(edited(head + "  r = x.load();\n}\n", "load", Kind::Order, Order::Acquire),
            head + "  r = x.load(" + order + "acquire);\n}\n");
  EXPECT_EQ(edited(head + "  while (a.x.load() == 0) ;\n}\n", "load", Kind::Before, Order::Acquire),
            head + "  while ((std::atomic_thread_fence(" + order + "acquire), a.x.load()) == 0) ;\n}\n");
  EXPECT_EQ(edited(head + "  std::atomic_load_explicit(&x, " + order + "relaxed);\n}\n", "std::atomic_load",
                   Kind::Order, Order::Acquire),
            head + "  std::atomic_load_explicit(&x, " + order + "acquire);\n}\n");
  EXPECT_EQ(edited(head + "  std::atomic_thread_fence(" + order + "release);\n}\n", "std::atomic_th", Kind::Order,
                   Order::Plain),
            head + "}\n");
  EXPECT_TRUE(edited(head + "  x.compare_exchange_weak(e, 1, " + order + "relaxed);\n}\n", "compare", Kind::Order,
                     Order::Acquire)
                  .starts_with("left out"));
  // The library has one instruction for each order: the weakest of them is not the one that the program asks for.
  SourceEdit more{Kind::Order, 1, 3, Order::Acquire};
  more.at_least = true;
  EXPECT_EQ(patched("x.fetch_add(1, std::memory_order_release);", {more}).text,
            "x.fetch_add(1, std::memory_order_acq_rel);");
}

TEST(SourcePatch, SaysWhereLinesAre) {
  using Lines = std::vector<unsigned>;
  SourceEdit fence{Kind::Before, 2, 3, Order::SeqCst};
  EXPECT_EQ(patched("{\n  x = 1;\n  y = 2;\n}\n", {fence}).lines, (Lines{0, 1, 3, 4, 5}));
  fence.kind = Kind::After;
  EXPECT_EQ(patched("{\n  x = 1; // one\n\n  y = 2;\n}\n", {fence}).lines, (Lines{0, 1, 2, 4, 5, 6}));
  // What stands behind it on the line stays there.
  const PatchedSource inner = patched("{\n  x = 1; } else { bad = 1; }\n", {fence});
  EXPECT_EQ(inner.text, "{\n  x = 1; __atomic_thread_fence(__ATOMIC_SEQ_CST); } else { bad = 1; }\n");
  EXPECT_EQ(inner.lines, (Lines{0, 1, 2}));
  EXPECT_EQ(patched("{\n  atomic_thread_fence(memory_order_release);\n}\n", {{Kind::Order, 2, 3, Order::Plain}}).lines,
            (Lines{0, 1, 0, 2}));
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
