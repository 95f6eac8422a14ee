// Random systems: what the parameterised engine says of any number of processes, against finite instances of two and
// three processes explored whole with store buffers, under sc, tso and pso.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>

#include "check/cubicle_explore.h"
#include "drive/cubes_engine.h"
#include "lang/cubicle/parser.h"
#include "support/random_cubicle.h"

namespace heddle {
namespace {

struct Tally {
  unsigned safe = 0, unsafe = 0, unknown = 0;
};

void compare(unsigned seed, unsigned systems, Tally& tally) {
  std::mt19937 random(seed);
  for (unsigned i = 0; i < systems; ++i) {
    const std::string text = test::random_cubicle(random);
    const auto system = cubicle::parse(text, "random.cub");
    ASSERT_TRUE(system) << support::render(system.error()) << text;
    for (const char* model : {"sc", "tso", "pso"}) {
      core::Budget budget;
      budget.max_states = 3000;
      budget.start();
      drive::CubesOptions options;
      options.certify = true;
      const core::Verdict verdict = drive::decide_cubes(*system, *models::find(model), options, budget);
      ASSERT_EQ(verdict.reason.text.find("internal error"), std::string::npos) << verdict.reason.text << "\n"
                                                                               << model << "\n"
                                                                               << text;
      if (verdict.outcome == core::Outcome::Safe) ++tally.safe;
      if (verdict.outcome == core::Outcome::Unsafe) ++tally.unsafe;
      if (verdict.outcome == core::Outcome::Unknown) ++tally.unknown;
      if (verdict.outcome == core::Outcome::Unsafe) {
        ASSERT_TRUE(verdict.trace.has_value());
        continue;
      }
      for (const unsigned processes : {2U, 3U}) {
        const check::CubicleMachine machine(*system, model, processes, 3);
        const check::CubicleExploration seen = check::explore(machine, 3000);
        // An unknown verdict says nothing, unless it claims that the runs it found are not possible.
        if (verdict.outcome == core::Outcome::Unknown &&
            verdict.reason.text.find("over-approximation") == std::string::npos)
          continue;
        ASSERT_FALSE(seen.unsafe) << model << ", " << processes << " processes: the instance is unsafe, the verdict "
                                  << (verdict.outcome == core::Outcome::Safe ? "safe" : "unknown") << "\n"
                                  << text;
      }
    }
  }
}

TEST(CubicleRandom, finite_instances_agree) {
  Tally tally;
  compare(41, 60, tally);
  EXPECT_GT(tally.safe, 20u);
  EXPECT_GT(tally.unsafe, 20u);
}

// HEDDLE_SEED and HEDDLE_SYSTEMS let it run on other systems and for longer.
TEST(CubicleRandom, more_finite_instances_agree_slow) {
  const char* seed = std::getenv("HEDDLE_SEED");
  const char* systems = std::getenv("HEDDLE_SYSTEMS");
  Tally tally;
  compare(seed != nullptr ? static_cast<unsigned>(std::strtoul(seed, nullptr, 10)) : 1789,
          systems != nullptr ? static_cast<unsigned>(std::strtoul(systems, nullptr, 10)) : 20, tally);
  RecordProperty("unknown", static_cast<int>(tally.unknown));
}

}  // namespace
}  // namespace heddle
