// Numbers of executions that an optimal exploration has by definition (ground-truth/executions.csv).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "graph/check.h"
#include "support/graph_programs.h"
#include "support/unjudged.h"

namespace heddle::graph {
namespace {

using test::MiniProgram;

struct Found {
  std::uint64_t complete, blocked;
};

template <class Make>
Found explore(const char* model, Make make, bool hash = true) {
  MiniProgram p;
  make(p);
  Options o;
  o.model = model;
  o.hash_executions = hash;
  core::Budget budget;
  const auto v = test::unjudged(check(p, o, budget));
  EXPECT_EQ(v.outcome, core::Outcome::Safe) << v.reason.text << v.violation;
  EXPECT_EQ(v.statistics.duplicates.value_or(0), 0u);
  return {*v.statistics.executions, *v.statistics.blocked};
}

TEST(GraphCounts, LitmusShapes) {
  const auto count = [](const char* model, void (*make)(MiniProgram&)) { return explore(model, make).complete; };
  EXPECT_EQ(count("sc", test::store_buffering), 3u);
  EXPECT_EQ(count("tso", test::store_buffering), 4u);
  EXPECT_EQ(count("rc11", test::store_buffering), 4u);
  EXPECT_EQ(count("sc", test::message_passing), 3u);
  EXPECT_EQ(count("tso", test::message_passing), 3u);
  EXPECT_EQ(count("pso", test::message_passing), 4u);
  EXPECT_EQ(count("ra", test::message_passing), 3u);
  EXPECT_EQ(count("rc11", test::message_passing), 4u);
  EXPECT_EQ(count("sc", test::load_buffering), 3u);
  EXPECT_EQ(count("rc11", test::load_buffering), 3u);
  EXPECT_EQ(count("sc", test::iriw), 15u);
  EXPECT_EQ(count("tso", test::iriw), 15u);
  EXPECT_EQ(count("rc11", test::iriw), 16u);
}

TEST(GraphCounts, Counting) {
  const struct {
    int n, k;
    std::uint64_t complete, blocked;
  } rows[] = {{2, 1, 2, 2},    {2, 2, 6, 10},      {2, 3, 20, 38},  {3, 1, 6, 15},
              {3, 2, 90, 384}, {3, 3, 1680, 7953}, {4, 1, 24, 124}, {4, 2, 2520, 22628}};
  for (const auto& r : rows) {
    const auto f = explore("rc11", [&](MiniProgram& p) { test::counting(p, r.n, r.k); });
    EXPECT_EQ(f.complete, r.complete) << r.n << "," << r.k;
    EXPECT_LE(f.blocked, r.blocked) << r.n << "," << r.k;
  }
}

TEST(GraphCounts, LastZero) {
  const auto f = explore("rc11", [](MiniProgram& p) { test::lastzero(p, 10); });
  EXPECT_EQ(f.complete, 3328u);
  EXPECT_EQ(f.blocked, 0u);
}

TEST(GraphCounts, Indexer) {
  const auto f = explore("rc11", [](MiniProgram& p) { test::indexer(p, 15); });
  EXPECT_EQ(f.complete, 4096u);
  EXPECT_EQ(f.blocked, 0u);
}

// No execution of these has load buffering, and all accesses that matter are ordered under every model: the numbers are
// those recorded for rc11.
TEST(GraphCounts, HardwareHasTheExecutionsOfTheLanguage) {
  for (const char* model : {"armv8", "armv8.1", "riscv", "rmo", "power"}) {
    const auto zeros = explore(model, [](MiniProgram& p) { test::lastzero(p, 10); });
    EXPECT_EQ(zeros.complete, 3328u) << model;
    EXPECT_EQ(zeros.blocked, 0u) << model;
    const auto counts = explore(model, [](MiniProgram& p) { test::counting(p, 3, 2); });
    EXPECT_EQ(counts.complete, 90u) << model;
    EXPECT_LE(counts.blocked, 384u) << model;
  }
}

// Stores of words, joined and then read byte by byte: as many executions as if words were read, and as many ways to
// them. (Were each byte put into coherence for itself, this would not end.)
TEST(GraphCounts, BytesOfWords) {
  for (const bool bytes : {false, true}) {
    const auto f = explore("sc", [&](MiniProgram& p) {
      const test::Place x = p.variable("x"), y = p.variable("y");
      auto& main = p.thread();
      for (unsigned t = 0; t < 3; ++t) main.spawn(t, 1 + t, 0);
      for (unsigned t = 0; t < 3; ++t) main.join(t);
      for (const test::Place v : {x, y})
        for (unsigned i = 0; i < (bytes ? 8u : 1u); ++i) main.load(3, bytes ? MiniProgram::part(v, i, 1) : v);
      p.body().store(x, 1).store(y, 1);
      p.body().store(y, 2).store(x, 2);
      p.body().store(x, 3).store(y, 3);
      p.seal();
    });
    EXPECT_EQ(f.complete, 22u) << bytes;
  }
}

}  // namespace
}  // namespace heddle::graph
