// Random models and formulas under sc, tso, pso and sb1, with and without both fairnesses: the search by components on
// the fly, by one worker and by two or four, against a fixed point over the whole graph of the naive machine. Every
// lasso is replayed, and must violate the formula by its semantics.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "drive/ladder.h"
#include "ir/relax.h"
#include "lang/dve/dve.h"
#include "support/ltl_dve.h"
#include "support/naive_ltl.h"
#include "support/own_folder.h"
#include "support/random_dve.h"
#include "support/random_ltl.h"

namespace heddle {
namespace {

constexpr unsigned bound = 2;
constexpr const char* meanings[] = {"x == 1", "P0.s1", "a[0] < a[1]", "P1.s0"};

struct Tally {
  int violated = 0, held = 0, endings = 0, unfair = 0, smaller = 0;
};

void compare(const tests::RandomModel& model, std::mt19937& random, Tally& tally) {
  auto program = dve::load_text(model.text, "random.dve", model.atomic);
  ASSERT_TRUE(program) << render(program.error()) << model.text << model.atomic;
  std::string text = tests::random_formula(random, 2 + static_cast<unsigned>(random() % 6), 4);
  for (int i = 0; i < 4; ++i)
    for (std::size_t at; (at = text.find(fmt::format("p{}", i))) != std::string::npos;)
      text.replace(at, 2, fmt::format("({})", meanings[i]));
  const auto formula = tests::bind(*program, text);
  ASSERT_TRUE(formula);
  for (const char* name : {"sc", "tso", "pso", "sb1"}) {
    bool without_fairness = false;
    for (const bool fair : {false, true}) {
      SCOPED_TRACE(std::string(name) + (fair ? " fair " : " ") + text + "\n" + model.text + model.atomic);
      const bool processes = fair && random() % 2 == 0;
      const tests::NaiveLtl naive(*program, *check::naive_model(name), bound, formula->propositions, {processes, fair});
      const bool expected = naive.accepts(formula->violations);
      const auto result = tests::find_violation(*program, *formula, name, bound, {processes, fair});
      ASSERT_EQ(result.lasso.has_value(), expected);
      const unsigned workers = (tally.violated + tally.held) % 2 == 0 ? 2 : 4;
      const auto shared = tests::find_violation(*program, *formula, name, bound, {processes, fair}, false, workers);
      ASSERT_EQ(shared.lasso.has_value(), expected) << workers << " workers";
      if (!expected) {
        ASSERT_EQ(shared.states, result.states);
        ASSERT_EQ(shared.transitions, result.transitions);
        ASSERT_EQ(shared.components, result.components);
      }
      if (!models::machine(name)->has_buffers()) {  // elsewhere the engine does not reduce
        const auto reduced = tests::find_violation(*program, *formula, name, bound, {processes, fair}, true);
        ASSERT_EQ(reduced.lasso.has_value(), expected) << "reduced";
        tally.smaller += !expected && reduced.states < result.states;
      }
      tally.unfair += without_fairness && !expected;
      without_fairness = expected;
      (expected ? tally.violated : tally.held)++;
      tally.endings += expected && result.lasso->loop.empty();
    }
  }
}

void run(std::uint32_t seed, int count) {
  tests::RandomDve models(seed);
  std::mt19937 random(seed);
  Tally tally;
  for (int i = 0; i < count; ++i) {
    compare(models.next(), random, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
  std::printf("%d violated, %d held, %d by a run that ends, %d only by an unfair run, %d smaller by reduction\n",
              tally.violated, tally.held, tally.endings, tally.unfair, tally.smaller);
  EXPECT_GT(tally.violated, 0);
  EXPECT_GT(tally.held, 0);
  EXPECT_GT(tally.endings, 0);
  EXPECT_GT(tally.unfair, 0);
  EXPECT_GT(tally.smaller, 0);
}

TEST(LtlRandom, AgreesWithTheFixedPoint) { run(20260203, 80); }
TEST(LtlRandom, AgreesWithTheFixedPoint_slow) {
  const char* wanted = std::getenv("HEDDLE_RANDOM_MODELS");
  run(77, wanted != nullptr ? std::atoi(wanted) : 600);
}

// Memory fairness as acceptance against Havel's formula V => phi (section 3.1) on the model with explicit slots: V says of
// each slot that it is again and again empty.
TEST(LtlRandom, MemoryFairnessAgreesWithItsFormula) {
  std::mt19937 random(31);
  tests::RandomDve models(31);
  int violated = 0, held = 0, unfair = 0;
  for (int i = 0; i < 1500; ++i) {
    const tests::RandomModel model = models.next();
    auto program = dve::load_text(model.text, "random.dve", model.atomic);
    ASSERT_TRUE(program);
    const auto slots = ir::relax(*program, {});
    // In a commit state nothing is flushed: a run may end there with a store in its slot, which owes nothing, but V asks for.
    if (!slots || program->has_commit) continue;
    auto relaxed = dve::load_text(dve::print(*slots), "relaxed.dve");
    ASSERT_TRUE(relaxed) << render(relaxed.error());
    std::string text = tests::random_formula(random, 2 + static_cast<unsigned>(random() % 6), 4);
    for (int p = 0; p < 4; ++p)
      for (std::size_t at; (at = text.find(fmt::format("p{}", p))) != std::string::npos;)
        text.replace(at, 2, fmt::format("({})", meanings[p]));
    std::string fairness = "true";
    for (const ir::Variable& v : relaxed->variables)
      for (std::uint32_t k = 0; v.name.starts_with("i_") && k < v.length; ++k)
        fairness += fmt::format(" && G F ({}{} == 0)", v.name, v.length > 1 ? fmt::format("[{}]", k) : "");
    SCOPED_TRACE(text + "\n" + fairness + "\n" + model.text + model.atomic);
    const auto plain = tests::bind(*program, text);
    const auto implied = tests::bind(*relaxed, fmt::format("({}) -> ({})", fairness, text));
    const auto bare = tests::bind(*relaxed, text);
    ASSERT_TRUE(plain && implied && bare);
    const bool by_sets = tests::find_violation(*program, *plain, "sb1", bound, {false, true}).lasso.has_value();
    const bool by_formula = tests::find_violation(*relaxed, *implied, "sc", bound, {false, false}).lasso.has_value();
    ASSERT_EQ(by_sets, by_formula);
    const bool without = tests::find_violation(*program, *plain, "sb1", bound, {false, false}).lasso.has_value();
    ASSERT_EQ(without, tests::find_violation(*relaxed, *bare, "sc", bound, {false, false}).lasso.has_value());
    (by_sets ? violated : held)++;
    unfair += without && !by_sets;
  }
  std::printf("%d violated, %d held, %d of them only by fairness\n", violated, held, unfair);
  EXPECT_GT(violated, 30);
  EXPECT_GT(held, 30);
  EXPECT_GT(unfair, 0);
}

// --fairness formula says V => phi of the slots of the machine itself: the same verdicts as by acceptance, and lassos that
// the referee finds fair. Elsewhere it is refused.
TEST(LtlRandom, FairnessByFormulaAgrees) {
  std::mt19937 random(53);
  tests::RandomDve models(53);
  int violated = 0, held = 0, unfair = 0, refused = 0;
  for (int i = 0; i < 250; ++i) {
    const tests::RandomModel model = models.next();
    const std::filesystem::path file = tests::own_folder() / "random.dve";
    std::ofstream(file) << model.text;
    drive::Task task;
    task.files = {file.string()};
    const std::string p = meanings[random() % 4], q = meanings[random() % 4];
    task.ltl.set({random() % 2 == 0 ? fmt::format("G ({} -> F {})", p, q) : fmt::format("F G !({})", p)});
    task.fair.set(random() % 2 == 0);
    const auto check = [&](const char* name, const char* fairness) {
      task.models.set({name});
      task.fairness.set(fairness);
      core::Budget budget;
      return drive::check(*drive::language_of(task.files.front()), task, budget);
    };
    const auto refuses = [&](const char* name) {
      const auto answer = check(name, "formula");
      return !answer && answer.error().message.find("; use --fairness acceptance") != std::string::npos;
    };
    SCOPED_TRACE(task.ltl->front() + "\n" + model.text);
    EXPECT_TRUE(refuses("tso"));
    EXPECT_EQ(check("sc", "formula")->front().outcome, check("sc", "acceptance")->front().outcome);
    if (dve::load_text(model.text, "random.dve")->has_commit) {
      EXPECT_TRUE(refuses("sb1"));
      ++refused;
      continue;
    }
    const auto acceptance = check("sb1", "acceptance"), formula = check("sb1", "formula");
    ASSERT_EQ(formula->front().outcome, acceptance->front().outcome) << formula->front().reason.text;
    EXPECT_EQ(formula->front().violation, acceptance->front().violation);
    task.memory_fairness.value = false;
    const bool without = check("sb1", "acceptance")->front().outcome == core::Outcome::Unsafe;
    (formula->front().outcome == core::Outcome::Unsafe ? violated : held)++;
    unfair += without && formula->front().outcome == core::Outcome::Safe;
  }
  std::printf("%d violated, %d held, %d of them only by fairness, %d refused\n", violated, held, unfair, refused);
  EXPECT_GT(violated, 20);
  EXPECT_GT(held, 20);
  EXPECT_GT(unfair, 0);
  EXPECT_GT(refused, 0);
}

// The engine with --por off goes through the product alone where that shows everything, and otherwise searches the system
// first: the same verdicts as with reduction, and as many states as the system has.
TEST(LtlRandom, ProductAloneAgrees) {
  std::mt19937 random(77);
  tests::RandomDve models(77);
  int alone = 0, errors = 0, violated = 0;
  for (int i = 0; i < 60; ++i) {
    const tests::RandomModel model = models.next();
    const std::filesystem::path file = tests::own_folder() / "random.dve";
    std::ofstream(file) << model.text;
    drive::Task task;
    task.files = {file.string()};
    task.models.set({"sc", "tso", "sb1"});
    task.buffer.set(bound);
    const auto check = [&] {
      core::Budget budget;
      return *drive::check(*drive::language_of(task.files.front()), task, budget);
    };
    task.por.set(false);
    task.engine.set("explicit");
    const auto finite = check();
    task.engine.set("ltl");
    const std::string atom = meanings[random() % 4];
    task.ltl.set({random() % 2 == 0 ? "F G !(" + atom + ")" : "G F (" + atom + ")"});
    task.fair.set(random() % 3 == 0);
    const auto whole = check();
    task.por.set(true);
    const auto reduced = check();
    for (std::size_t m = 0; m < whole.size(); ++m) {
      SCOPED_TRACE(whole[m].model + " " + task.ltl->front() + "\n" + model.text);
      ASSERT_EQ(whole[m].outcome, reduced[m].outcome);
      EXPECT_EQ(whole[m].bounds, reduced[m].bounds);
      EXPECT_EQ(whole[m].notes, reduced[m].notes);
      EXPECT_EQ(whole[m].violation_kind, reduced[m].violation_kind);
      if (finite[m].outcome == core::Outcome::Unsafe) {
        ++errors;
        EXPECT_EQ(whole[m].violation, finite[m].violation) << "errors are told first, by a shortest run";
        EXPECT_EQ(whole[m].trace->steps.size(), finite[m].trace->steps.size());
      } else if (whole[m].outcome == core::Outcome::Unsafe) {
        ++violated;
      } else {
        alone += whole[m].statistics.levels.has_value() ? 0 : 1;
        EXPECT_EQ(whole[m].statistics.states, finite[m].statistics.states);
      }
    }
  }
  EXPECT_GT(alone, 20);
  EXPECT_GT(errors, 0);
  EXPECT_GT(violated, 20);
}

}  // namespace
}  // namespace heddle
