// Engines that take turns: who answers, what is said of the other, and how time is shared.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "drive/portfolio.h"

namespace {

using namespace heddle;
using core::Outcome;

// An engine that needs so many states, or says why it cannot.
struct Engine {
  std::string name;
  std::uint64_t needs = 0;
  core::Reason refusal = {};
  std::vector<std::uint64_t> turns = {};

  drive::Contender contender(std::uint64_t allowance) {
    return {name,
            [this](core::Budget& budget) {
              turns.push_back(budget.max_states);
              core::Verdict verdict;
              verdict.statistics.engine = name;
              if (!refusal.none()) verdict.reason = refusal;
              else if (auto spent = budget.spent({.states = needs, .unit = "states"})) verdict.reason = *spent;
              else verdict.outcome = Outcome::Safe;
              return verdict;
            },
            allowance};
  }
};

std::string instead_of(const core::Verdict& verdict) {
  for (const auto& [name, value] : verdict.statistics.more)
    if (name == "instead of") return value;
  return {};
}

TEST(Turns, the_first_that_can_answers_and_the_other_is_never_asked) {
  Engine a{"graph", 10}, b{"explicit", 10};
  core::Budget budget;
  const auto verdict = drive::take_turns({a.contender(100), b.contender(100)}, budget);
  EXPECT_EQ(verdict.outcome, Outcome::Safe);
  EXPECT_EQ(verdict.statistics.engine, "graph");
  EXPECT_EQ(instead_of(verdict), "");
  EXPECT_TRUE(b.turns.empty());
}

TEST(Turns, few_executions_of_many_steps_end_a_turn) {
  Engine b{"explicit", 10};
  drive::Contender a{"graph",
                     [](core::Budget& part) {
                       core::Verdict verdict;
                       verdict.reason =
                           part.spent({.states = 1, .unit = "executions", .steps = 5000}).value_or(core::Reason{});
                       if (verdict.reason.none()) verdict.outcome = Outcome::Safe;
                       return verdict;
                     },
                     100, 1000};
  core::Budget budget;
  const auto verdict = drive::take_turns({a, b.contender(100)}, budget);
  EXPECT_EQ(verdict.statistics.engine, "explicit");
  EXPECT_EQ(instead_of(verdict), "graph: limit of 1000 steps reached");
}

// An engine that needs so many steps and forecasts them, rightly or not, after 1,000, 4,000, 16,000, …
struct Forecaster {
  std::uint64_t needs = 0;
  std::optional<double> forecast = {};

  drive::Contender contender() {
    return {"graph",
            [this](core::Budget& part) {
              core::Verdict verdict;
              verdict.statistics.engine = "graph";
              std::uint64_t ask = part.goes_on ? part.forecast_after : needs;
              for (; ask < needs && part.goes_on(ask, forecast); ask *= 4) continue;
              if (ask < needs) verdict.reason = {core::Reason::Kind::StepLimit, "a long search is left"};
              else if (auto spent = part.spent({.states = needs, .steps = needs})) verdict.reason = *spent;
              else verdict.outcome = Outcome::Safe;
              return verdict;
            },
            100, 100, 1000};
  }
};

// An engine that needs so many transitions.
struct Waiting {
  std::uint64_t needs = 0;
  std::vector<std::uint64_t> turns = {};  // its limits of steps

  drive::Contender contender() {
    return {"explicit",
            [this](core::Budget& part) {
              turns.push_back(part.max_steps);
              core::Verdict verdict;
              verdict.statistics.engine = "explicit";
              if (auto spent = part.spent({.states = 1, .steps = needs})) verdict.reason = *spent;
              else verdict.outcome = Outcome::Safe;
              return verdict;
            },
            500'000};
  }
};

TEST(Turns, who_waits_for_a_forecast_has_a_part_of_its_steps) {
  core::Budget budget;
  Forecaster graph{1'000'000, 1'000'000};
  Waiting small{2000}, quick{15'000}, slow{30'000};
  const auto first = drive::take_turns({graph.contender(), small.contender()}, budget);
  EXPECT_EQ(first.statistics.engine, "explicit");
  EXPECT_EQ(instead_of(first), "graph: a long search is left");
  EXPECT_EQ(drive::take_turns({graph.contender(), quick.contender()}, budget).statistics.engine, "explicit");
  EXPECT_EQ(quick.turns, std::vector<std::uint64_t>{20'000});
  // One turn that is lost, and no second one while the forecast stays what it was.
  const auto last = drive::take_turns({graph.contender(), slow.contender()}, budget);
  EXPECT_EQ(last.statistics.engine, "graph");
  EXPECT_EQ(instead_of(last), "");
  EXPECT_EQ(slow.turns, std::vector<std::uint64_t>{20'000});
}

// Who only proves and forecasts that a turn is much too short gives it up; who has more hope uses all of it.
TEST(Turns, a_turn_without_hope_is_given_up) {
  core::Budget budget;
  Forecaster graph{1'000'000, 1'000'000};
  for (const double in_all : {50'000., 1'000'000.}) {
    std::vector<bool> answers;
    drive::Contender other{"explicit", [&](core::Budget& part) {
                             for (const std::uint64_t taken : {500, 10'000})
                               answers.push_back(part.goes_on(taken, in_all));
                             answers.push_back(part.goes_on(10'000, std::nullopt));
                             core::Verdict verdict;
                             verdict.reason = {core::Reason::Kind::StepLimit, "a long search is left"};
                             return verdict;
                           }};
    other.only_proves = true;
    EXPECT_EQ(drive::take_turns({graph.contender(), other}, budget).statistics.engine, "graph");
    ASSERT_FALSE(answers.empty());
    EXPECT_EQ(answers[1], in_all < 80'000);
    EXPECT_TRUE(answers[0]);
    EXPECT_TRUE(answers[2]);
  }
}

// Where there is no telling, an engine that only proves has a smaller part.
TEST(Turns, who_only_proves_has_less_where_there_is_no_telling) {
  core::Budget budget;
  Forecaster graph{100'000'000};
  Waiting other{600'000};
  drive::Contender proves = other.contender();
  proves.only_proves = true;
  EXPECT_EQ(drive::take_turns({graph.contender(), proves}, budget).statistics.engine, "explicit");
  EXPECT_EQ(other.turns, (std::vector<std::uint64_t>{3000, 128'000, 512'000, 2'048'000}));
}

TEST(Turns, a_short_search_ends_before_it_is_asked) {
  core::Budget budget;
  Forecaster graph{1000, 1000};
  Waiting other{1};
  EXPECT_EQ(drive::take_turns({graph.contender(), other.contender()}, budget).statistics.engine, "graph");
  EXPECT_TRUE(other.turns.empty());
}

TEST(Turns, who_waits_has_most_of_the_time_where_there_is_no_telling) {
  core::Budget budget;
  Forecaster graph{100'000'000};
  Waiting other{600'000};
  EXPECT_EQ(drive::take_turns({graph.contender(), other.contender()}, budget).statistics.engine, "explicit");
  EXPECT_EQ(other.turns, (std::vector<std::uint64_t>{3000, 512'000, 2'048'000}));
}

// Long before there is no telling: what is twice as long as its forecast said may be of any length.
TEST(Turns, a_forecast_that_was_wrong_tells_nothing) {
  core::Budget budget;
  for (const bool wrong : {false, true}) {
    drive::Contender graph{"graph", [&](core::Budget& part) {
                             core::Verdict verdict;
                             verdict.statistics.engine = "graph";
                             const bool on =
                                 part.goes_on(1000, wrong ? 1500. : 1600.) && part.goes_on(3000, std::nullopt);
                             if (on) verdict.outcome = Outcome::Safe;
                             else verdict.reason = {core::Reason::Kind::StepLimit, "a long search is left"};
                             return verdict;
                           }};
    graph.forecast_after = 1000;
    Waiting other{20'000};
    EXPECT_EQ(drive::take_turns({graph, other.contender()}, budget).statistics.engine, wrong ? "explicit" : "graph");
    EXPECT_EQ(other.turns, (std::vector<std::uint64_t>{wrong ? 24'000U : 9000U}));
  }
}

// Who is cut off would have to begin anew: a turn that would be enough if it were a few times as long is made so, if the
// one that waits does not forecast to be done before.
TEST(Turns, a_turn_that_is_nearly_enough_is_made_longer) {
  struct Row {
    double waits, forecast;
    std::vector<std::uint64_t> limits;  // with the forecast, with none after it, and with a much longer one
  };
  for (const Row& row :
       {Row{1e8, 15.9e6, {16'000'000, 16'000'000, 2'000'000}}, Row{1e8, 16.1e6, {2'000'000, 2'000'000, 2'000'000}},
        Row{3000, 1900, {24'000, 24'000, 3000}}, Row{3000, 2100, {3000, 3000, 3000}}}) {
    core::Budget budget;
    Forecaster graph{static_cast<std::uint64_t>(row.waits), row.waits};
    std::vector<std::uint64_t> limits;
    drive::Contender other{
        "explicit", [&](core::Budget& part) {
          constexpr std::uint64_t taken = 1'000'000'000;  // so many that time does not matter
          for (const std::optional<double> in_all : {std::optional(row.forecast), {}, std::optional(1e12)}) {
            EXPECT_TRUE(part.goes_on(taken, in_all));
            limits.push_back(part.max_steps);
          }
          core::Verdict verdict;
          verdict.reason = {core::Reason::Kind::Unsupported, "poems"};
          return verdict;
        }};
    EXPECT_EQ(drive::take_turns({graph.contender(), other}, budget).statistics.engine, "graph");
    EXPECT_EQ(limits, row.limits);
  }
}

TEST(Turns, who_cannot_decide_is_not_asked_again_while_another_waits) {
  core::Budget budget;
  Forecaster graph{10'000'000};
  Engine other{"explicit", 0, {core::Reason::Kind::Unsupported, "poems"}};
  EXPECT_EQ(drive::take_turns({graph.contender(), other.contender(100)}, budget).statistics.engine, "graph");
  EXPECT_EQ(other.turns.size(), 1U);
}

TEST(Turns, a_refusal_leaves_the_other_all_there_is) {
  Engine a{"graph", 0, {core::Reason::Kind::Unsupported, "mixed sizes"}}, b{"explicit", 1'000'000};
  core::Budget budget;
  const auto verdict = drive::take_turns({a.contender(100), b.contender(100)}, budget);
  EXPECT_EQ(verdict.outcome, Outcome::Safe);
  EXPECT_EQ(instead_of(verdict), "graph: mixed sizes");
  EXPECT_EQ(b.turns, std::vector<std::uint64_t>{budget.max_states});
}

TEST(Turns, allowances_grow_until_one_is_enough) {
  Engine a{"graph", 5000}, b{"explicit", 100'000'000};
  core::Budget budget;
  const auto verdict = drive::take_turns({a.contender(100), b.contender(100)}, budget);
  EXPECT_EQ(verdict.statistics.engine, "graph");
  EXPECT_EQ(a.turns, (std::vector<std::uint64_t>{100, 800, 6400}));
  EXPECT_EQ(b.turns, (std::vector<std::uint64_t>{100, 800}));
}

TEST(Turns, the_users_limit_ends_both_and_both_are_named) {
  Engine a{"graph", 5000}, b{"explicit", 100'000};
  core::Budget budget;
  budget.max_states = 300;
  const auto verdict = drive::take_turns({a.contender(100), b.contender(100)}, budget);
  EXPECT_EQ(verdict.outcome, Outcome::Unknown);
  EXPECT_EQ(verdict.reason.text, "limit of 300 states reached");
  Engine c{"graph", 0, {core::Reason::Kind::TooLong, "a thread goes on for too long"}};
  EXPECT_EQ(drive::take_turns({c.contender(100), b.contender(100)}, budget).reason.text,
            "graph: a thread goes on for too long; explicit: limit of 300 states reached");
}

// Safe up to a bound, or without one.
drive::Contender bounded(std::string_view name, std::string bound, bool lifts, std::uint64_t needs = 10) {
  return {name,
          [=](core::Budget& budget) {
            core::Verdict verdict;
            verdict.statistics.engine = name;
            if (auto spent = budget.spent({.states = needs, .unit = "states"})) {
              verdict.reason = *spent;
              return verdict;
            }
            verdict.outcome = Outcome::Safe;
            if (!bound.empty()) verdict.bounds = {bound};
            return verdict;
          },
          100,
          0,
          0,
          lifts};
}

TEST(Turns, a_bound_is_lifted_by_who_has_none) {
  core::Budget budget;
  const auto lifted = drive::take_turns({bounded("explicit", "buffer 5", false), bounded("buffers", "", true)}, budget);
  EXPECT_EQ(lifted.statistics.engine, "buffers");
  EXPECT_TRUE(lifted.bounds.empty());
  EXPECT_EQ(instead_of(lifted), "explicit: up to buffer 5 only");

  const auto whole = drive::take_turns({bounded("explicit", "", false), bounded("buffers", "", true)}, budget);
  EXPECT_EQ(whole.statistics.engine, "explicit");

  const auto stays = drive::take_turns({bounded("explicit", "buffer 5", false), bounded("graph", "", false)}, budget);
  EXPECT_EQ(stays.statistics.engine, "explicit");
  EXPECT_EQ(stays.bounds, std::vector<std::string>{"buffer 5"});

  const auto open =
      drive::take_turns({bounded("explicit", "buffer 5", false), bounded("buffers", "", true, 1000)}, budget);
  EXPECT_EQ(open.statistics.engine, "explicit");
  EXPECT_EQ(open.bounds, std::vector<std::string>{"buffer 5"});
  EXPECT_EQ(open.notes, std::vector<std::string>{"beyond buffer 5: buffers: limit of 100 states reached"});
}

// An engine that is only asked to lift bounds has no turn of its own.
TEST(Turns, who_only_lifts_waits_for_a_bound) {
  core::Budget budget;
  drive::Contender waits = bounded("buffers", "", true);
  waits.only_lifts = true;
  const auto whole = drive::take_turns({bounded("explicit", "", false, 1000), waits}, budget);
  EXPECT_EQ(whole.statistics.engine, "explicit");
  const auto lifted = drive::take_turns({bounded("explicit", "buffer 5", false, 1000), waits}, budget);
  EXPECT_EQ(lifted.statistics.engine, "buffers");
}

TEST(Turns, our_own_errors_and_the_interrupt_key_are_not_papered_over) {
  for (const core::Reason& reason : {core::internal_error("the execution that was found does not replay"),
                                     core::Reason{core::Reason::Kind::Interrupted, "interrupted"}}) {
    Engine a{"graph", 0, reason}, b{"explicit", 10};
    core::Budget budget;
    const auto verdict = drive::take_turns({a.contender(100), b.contender(100)}, budget);
    EXPECT_EQ(verdict.outcome, Outcome::Unknown);
    EXPECT_EQ(verdict.reason.text, reason.text);
    EXPECT_TRUE(b.turns.empty());
  }
}

TEST(Turns, any_number_of_engines_may_contend) {
  Engine a{"first", 0, {core::Reason::Kind::Unsupported, "poems"}}, b{"second", 100'000'000}, c{"third", 700};
  core::Budget budget;
  const auto verdict = drive::take_turns({a.contender(100), b.contender(100), c.contender(100)}, budget);
  EXPECT_EQ(verdict.statistics.engine, "third");
  EXPECT_EQ(a.turns.size(), 1U);
  EXPECT_EQ(b.turns, (std::vector<std::uint64_t>{100, 800}));
  EXPECT_EQ(c.turns, (std::vector<std::uint64_t>{100, 800}));
}

TEST(Turns, time_is_shared_by_those_who_wait_for_it) {
  core::Budget budget;
  budget.seconds = 100;
  budget.start();
  EXPECT_NEAR(*drive::fair_share(budget, 4)->seconds, 25, 0.5);
  EXPECT_NEAR(*drive::fair_share(budget, 1)->seconds, 100, 0.5);
  budget.seconds.reset();
  EXPECT_FALSE(drive::fair_share(budget, 4)->seconds);
}

}  // namespace
