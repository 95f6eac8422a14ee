// Numbers of executions that an optimal exploration has by definition (ground-truth/executions.csv).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "graph/check.h"
#include "support/graph_programs.h"

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
  const auto v = check(p, o, budget);
  EXPECT_EQ(v.outcome, core::Outcome::Safe) << v.reason << v.violation;
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

}  // namespace
}  // namespace heddle::graph
