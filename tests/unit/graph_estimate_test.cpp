// The estimate of the number of executions: random ways down the search tree, whose average is the number itself.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/check.h"
#include "graph/sampler.h"
#include "support/graph_programs.h"
#include "support/unjudged.h"

namespace heddle::graph {
namespace {

using test::MiniProgram;

template <class Make>
void check_average(const char* model, bool symmetry, Make make) {
  MiniProgram p;
  make(p);
  Options o;
  o.model = model;
  o.symmetry = symmetry;
  core::Budget budget;
  const auto v = test::unjudged(check(p, o, budget));
  Names names(p);
  const axioms::Model& axioms = *axioms::find_model(model);
  Tables tables(p, names, axioms.needs_deps);
  const auto consistency = make_consistency(axioms, tables);
  PromiseBook book;
  Promises promises(tables, *consistency, book, Promises::Adds::Never);
  Sampler sampler(p, names, tables, *consistency, axioms, o, consistency->load_buffering() ? &promises : nullptr);
  std::mt19937_64 random(7);
  double sum = 0;
  constexpr int samples = 20000;
  for (int i = 0; i < samples; ++i) sum += sampler.sample({}, random);
  const auto exact = static_cast<double>(*v.statistics.executions + *v.statistics.blocked);
  EXPECT_NEAR(sum / samples, exact, exact * 0.1) << model;
}

TEST(GraphEstimate, SamplesAreRightOnAverage) {
  for (const char* model : {"sc", "tso", "ra", "rc11", "armv8", "power"})
    for (const bool symmetry : {false, true}) {
      check_average(model, symmetry, test::store_buffering);
      check_average(model, symmetry, test::iriw);
      check_average(model, symmetry, [](MiniProgram& p) { test::counting(p, 2, 2); });
      check_average(model, symmetry, [](MiniProgram& p) { test::counting(p, 3, 1); });
      check_average(model, symmetry, [](MiniProgram& p) { test::lastzero(p, 4); });
    }
}

// What a search is asked on its way (core::Budget::goes_on): after how many steps, and its forecast.
struct Asked {
  core::Finding finding;
  std::vector<std::pair<std::uint64_t, std::optional<double>>> questions;
};

Asked asked(unsigned cells, const char* model, unsigned workers, bool goes_on) {
  MiniProgram p;
  test::lastzero(p, cells);
  Options o;
  o.model = model;
  o.workers = workers;
  core::Budget budget;
  Asked result;
  budget.forecast_after = 1024;
  budget.goes_on = [&](std::uint64_t taken, std::optional<double> in_all) {
    result.questions.emplace_back(taken, in_all);
    return goes_on;
  };
  result.finding = check(p, o, budget);
  return result;
}

// Each variable that is written as a whole and read in part makes all before it void: no exploration gets long.
TEST(GraphEstimate, ExplorationsInVainCountAsOne) {
  constexpr int variables = 500;
  MiniProgram p;
  std::vector<test::Place> places;
  for (int i = 0; i < variables; ++i) places.push_back(p.variable("v" + std::to_string(i)));
  auto& thread = p.thread();
  for (const test::Place& place : places)
    thread.store(place, 1).load(1, MiniProgram::part(place, 0, 1)).check(1, test::Cmp::Eq, 1);
  p.seal();
  Options o;
  o.model = "sc";
  core::Budget budget;
  std::vector<std::uint64_t> questions;
  budget.forecast_after = 1024;
  budget.goes_on = [&](std::uint64_t taken, std::optional<double>) {
    questions.push_back(taken);
    return true;
  };
  const core::Finding finding = check(p, o, budget);
  EXPECT_TRUE(finding.nothing());
  EXPECT_EQ(finding.statistics.executions, 1U);
  ASSERT_FALSE(questions.empty());
  EXPECT_GT(questions.front(), 100U * variables);
  EXPECT_LT(*finding.statistics.transitions, questions.front());
}

// There is nothing to draw samples from where only one way is left.
TEST(GraphEstimate, TheLastWayHasNoForecast) {
  MiniProgram p;
  const test::Place x = p.variable("x");
  auto& thread = p.thread();
  const auto again = thread.here();
  thread.store(x, 1).compute(1, test::Alu::Add, test::Reg{1}, 1).branch(1, test::Cmp::Ne, 160'000, again);
  p.seal();
  Options o;
  o.model = "sc";
  core::Budget budget;
  std::vector<std::optional<double>> forecasts;
  budget.forecast_after = 1024;
  budget.goes_on = [&](std::uint64_t, std::optional<double> in_all) {
    forecasts.push_back(in_all);
    return true;
  };
  EXPECT_TRUE(check(p, o, budget).nothing());
  EXPECT_EQ(forecasts, std::vector<std::optional<double>>{std::nullopt});
}

TEST(GraphEstimate, AForecastChangesNothingUnlessItIsDeclined) {
  const Asked went_on = asked(12, "rc11", 1, true);
  EXPECT_TRUE(went_on.finding.nothing());
  EXPECT_EQ(went_on.finding.statistics.executions, 15360U);
  ASSERT_GE(went_on.questions.size(), 3U);
  for (std::size_t i = 1; i < went_on.questions.size(); ++i)
    EXPECT_GE(went_on.questions[i].first, 4 * went_on.questions[i - 1].first);
  // Rough, but no worse than by a factor of ten once there are enough samples.
  const auto [taken, last] = went_on.questions.back();
  ASSERT_TRUE(last);
  const auto exact = static_cast<double>(*went_on.finding.statistics.transitions);
  EXPECT_GT(*last, exact / 10);
  EXPECT_LT(*last, exact * 10);
  // The same on every machine.
  EXPECT_EQ(asked(12, "rc11", 1, true).questions, went_on.questions);

  const Asked declined = asked(12, "rc11", 1, false);
  EXPECT_EQ(declined.questions.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<core::Reason>(declined.finding.what));
  EXPECT_EQ(std::get<core::Reason>(declined.finding.what).kind, core::Reason::Kind::StepLimit);
}

TEST(GraphEstimate, NoForecastByWorkersAndWithLoadBuffering) {
  EXPECT_TRUE(asked(8, "rc11", 2, false).questions.empty());
  EXPECT_TRUE(asked(8, "armv8", 1, false).questions.empty());
}

}  // namespace
}  // namespace heddle::graph
