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
          100, 0, lifts};
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
