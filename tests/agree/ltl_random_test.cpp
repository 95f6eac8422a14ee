// Random models and formulas under sc, tso, pso and sb1, with and without both fairnesses: the search by components on
// the fly against a fixed point over the whole graph of the naive machine. Every lasso is replayed, and must violate
// the formula by its semantics.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include "support/ltl_dve.h"
#include "support/naive_ltl.h"
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

TEST(LtlRandom, AgreesWithTheFixedPoint) { run(20260202, 80); }
TEST(LtlRandom, AgreesWithTheFixedPoint_slow) {
  const char* wanted = std::getenv("HEDDLE_RANDOM_MODELS");
  run(77, wanted != nullptr ? std::atoi(wanted) : 600);
}

}  // namespace
}  // namespace heddle
