// The number of states of a breadth-first search, told from its levels.
// SPDX-License-Identifier: Apache-2.0
#include "explore/level_forecast.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using heddle::explore::LevelForecast;

// A bell of this many levels on either side of its peak.
double size_of(int level, int half) { return std::exp(10 - 10. * (level - half) * (level - half) / (half * half)); }

TEST(LevelForecast, ABellIsKnownLongBeforeItsPeak) {
  constexpr int half = 20;
  double all = 0;
  for (int level = 0; level <= 2 * half; ++level) all += size_of(level, half);
  LevelForecast forecast;
  for (int level = 0; level <= half / 2; ++level) forecast.add_level(static_cast<std::uint64_t>(size_of(level, half)));
  ASSERT_TRUE(forecast.states());
  EXPECT_GT(*forecast.states(), all / 2);
  EXPECT_LT(*forecast.states(), all * 2);
}

TEST(LevelForecast, NothingIsSaidOfFewLevelsAndOfSteadyGrowth) {
  LevelForecast few, steady;
  for (const int size : {1, 8, 32, 64}) few.add_level(static_cast<std::uint64_t>(size));
  EXPECT_FALSE(few.states());
  for (std::uint64_t size = 1; size < 100'000; size *= 2) steady.add_level(size);
  EXPECT_FALSE(steady.states());
}

TEST(LevelForecast, AllThatWasVisitedCounts) {
  LevelForecast forecast;
  for (const int size : {1000, 900, 700, 400, 100}) forecast.add_level(static_cast<std::uint64_t>(size));
  ASSERT_TRUE(forecast.states());
  EXPECT_GE(*forecast.states(), 3100);
  EXPECT_LT(*forecast.states(), 3400);
}

}  // namespace
