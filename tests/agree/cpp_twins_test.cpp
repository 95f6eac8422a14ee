// The C++ library adds nothing to a program: tests/support/twins.h has small tests, each once with pthreads and C11's
// atomics and once with the C++ library. Both have the same outcomes and the same number of execution graphs under every
// model of the ladder, and under sc and tso the same number of states, under pso at most twice as many.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <set>
#include <string>

#include "explore/product.h"
#include "explore/search.h"
#include "graph/check.h"
#include "models/models.h"
#include "support/twin_programs.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

struct Graphs {
  std::set<std::string> outcomes;
  std::uint64_t complete = 0;
  bool safe = false;
  friend bool operator==(const Graphs&, const Graphs&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Graphs& g) {
    return out << (g.safe ? "safe, " : "unsafe, ") << g.complete << " executions, "
               << fmt::format("{}", fmt::join(g.outcomes, " "));
  }
};

Graphs graphs_of(const core::Program& program, const char* model) {
  Graphs all;
  graph::Options options;
  options.model = model;
  options.properties.deadlock = true;
  options.count_all = true;
  options.on_restart = [&] { all.outcomes.clear(); };
  options.on_complete = [&](const graph::Completed& done) {
    all.outcomes.insert(tests::result_of(program, done.memory));
  };
  core::Budget budget;
  const auto verdict = test::unjudged(graph::check(program, options, budget));
  EXPECT_NE(verdict.outcome, core::Outcome::Unknown) << verdict.reason.text;
  all.complete = verdict.statistics.executions.value_or(0);
  all.safe = verdict.outcome == core::Outcome::Safe;
  return all;
}

std::uint64_t states_of(const core::Program& program, const char* model) {
  const explore::Product product(program, *models::machine(model), {});
  explore::SearchOptions options;
  options.reduction = core::Reduction::Safety;
  options.errors = false;
  core::Budget budget;
  return explore::search(product, options, budget).states;
}

class Twins : public testing::TestWithParam<unsigned> {};

TEST_P(Twins, agree_slow) {
  if (!std::ifstream(tests::cxx_runtime() + "/cxx/symbols.txt"))
    GTEST_SKIP() << "no C++ library at " << tests::cxx_runtime();
  const auto c = tests::load_twin(GetParam(), "c"), cxx = tests::load_twin(GetParam(), "cpp");
  ASSERT_NE(c, nullptr);
  ASSERT_NE(cxx, nullptr);
  for (const char* model : {"sc", "tso", "pso", "armv8", "power", "rc11"}) {
    const Graphs expected = graphs_of(*c, model);
    EXPECT_FALSE(expected.outcomes.empty() && expected.safe) << model;
    EXPECT_EQ(graphs_of(*cxx, model), expected) << model;
  }
  for (const char* model : {"sc", "tso", "pso"}) {
    const std::uint64_t ours = states_of(*cxx, model), theirs = states_of(*c, model);
    EXPECT_LE(ours, (model == std::string_view("pso") ? 2 : 1) * theirs) << model;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpp, Twins, testing::Range(1u, tests::twins + 1));

}  // namespace
}  // namespace heddle
