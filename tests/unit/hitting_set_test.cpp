// Cheapest hitting sets against all subsets, and the synthesis on made-up monotone problems.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "check/cheapest_set.h"
#include "repair/synthesis.h"

namespace heddle::repair {
namespace {

Elements elements(std::uint32_t bits) {
  Elements out;
  for (std::uint32_t i = 0; i < 32; ++i)
    if ((bits >> i & 1) != 0) out.push_back(i);
  return out;
}
std::uint32_t bits(const Elements& set) {
  std::uint32_t out = 0;
  for (const std::uint32_t e : set) out |= 1U << e;
  return out;
}

struct Problem {
  std::vector<std::uint64_t> costs;
  std::vector<std::uint32_t> sets;

  std::uint64_t cost(std::uint32_t chosen) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t e : elements(chosen)) sum += costs[e];
    return sum;
  }
  // By all subsets.
  std::vector<Elements> cheapest() const {
    std::vector<Elements> best;
    std::uint64_t least = UINT64_MAX;
    for (std::uint32_t chosen = 0; chosen < 1U << costs.size(); ++chosen) {
      if (std::ranges::any_of(sets, [&](std::uint32_t s) { return (s & chosen) == 0; })) continue;
      if (cost(chosen) < least) best.clear();
      least = std::min(least, cost(chosen));
      if (cost(chosen) == least) best.push_back(elements(chosen));
    }
    std::ranges::sort(best);
    return best;
  }
};

Problem random_problem(std::mt19937& random) {
  Problem p;
  const auto n = static_cast<unsigned>(1 + random() % 10);
  for (unsigned i = 0; i < n; ++i) p.costs.push_back(1 + random() % 4);
  for (auto i = random() % 12; i > 0; --i) p.sets.push_back(static_cast<std::uint32_t>(random()) % (1U << n));
  return p;
}

// 2^40 cheapest ones: those that are not asked for are not made.
TEST(HittingSets, SomeOfVeryMany) {
  HittingSets problem(std::vector<std::uint64_t>(80, 1));
  for (std::uint32_t i = 0; i < 40; ++i) problem.add({2 * i, 2 * i + 1});
  EXPECT_EQ(problem.all_cheapest(1000).size(), 1000U);
}

TEST(HittingSets, AgreesWithAllSubsets) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Problem p = random_problem(random);
    HittingSets problem(p.costs);
    for (const std::uint32_t s : p.sets) problem.add(elements(s));
    EXPECT_EQ(problem.all_cheapest(), p.cheapest());
    for (const std::size_t most : {1, 2, 3}) {
      const auto some = problem.all_cheapest(most), all = p.cheapest();
      EXPECT_EQ(some.size(), std::min(most, all.size()));
      EXPECT_TRUE(std::ranges::includes(all, some));
    }
    const auto one = problem.cheapest();
    ASSERT_EQ(one.has_value(), !p.cheapest().empty());
    if (one) {
      EXPECT_EQ(*one, p.cheapest().front());
    }
  }
}

// The sets are hidden: a check of a candidate shows one that it does not hit, made larger by chance.
TEST(Synthesis, FindsTheCheapestOfHiddenProblems) {
  std::mt19937 random(2);
  for (int i = 0; i < 1000; ++i) {
    const Problem p = random_problem(random);
    const auto check = [&](const Elements& candidate) {
      for (const std::uint32_t s : p.sets)
        if ((s & bits(candidate)) == 0) {
          const std::uint32_t more = static_cast<std::uint32_t>(random()) & ((1U << p.costs.size()) - 1);
          return Answer{Answer::Kind::Unsafe, {elements(s == 0 ? 0 : (s | more) & ~bits(candidate))}, {}};
        }
      return Answer{Answer::Kind::Safe, {}, {}};
    };
    const Synthesis found = synthesise(p.costs, check, {.all = true, .start = {}});
    const auto expected = p.cheapest();
    if (expected.empty()) {
      EXPECT_EQ(found.outcome, Synthesis::Outcome::Hopeless);
      continue;
    }
    ASSERT_EQ(found.outcome, Synthesis::Outcome::Repaired);
    EXPECT_EQ(found.cost, p.cost(bits(expected.front())));
    EXPECT_EQ(found.all, expected);
  }
}

TEST(Synthesis, SpentBudgetHasALowerBound) {
  unsigned checks = 0;
  const auto check = [&](const Elements& candidate) {
    if (++checks == 3) return Answer{Answer::Kind::Unknown, {}, {core::Reason::Kind::TimeLimit, "time limit"}};
    return Answer{Answer::Kind::Unsafe, {{static_cast<std::uint32_t>(candidate.size())}}, {}};
  };
  const Synthesis found = synthesise({2, 3, 4}, check);
  EXPECT_EQ(found.outcome, Synthesis::Outcome::Unknown);
  EXPECT_EQ(found.cost, 5U);
  EXPECT_EQ(found.reason.text, "time limit");
}

// The referee's own search, about every subset: it misses a set, or something is cheaper, or it is a cheapest.
TEST(CheapestSet, RefereeAgreesWithAllSubsets) {
  std::mt19937 random(4);
  core::Budget budget;
  for (int i = 0; i < 300; ++i) {
    const Problem p = random_problem(random);
    const std::vector<Elements> best = p.cheapest();
    check::CheapestSetClaim claim{.costs = p.costs, .constraints = {}, .chosen = {}};
    for (const std::uint32_t set : p.sets) claim.constraints.push_back(elements(set));
    for (std::uint32_t chosen = 0; chosen < 1U << p.costs.size(); ++chosen) {
      claim.chosen = elements(chosen);
      const check::CheapestSetCheck checked = check::check_cheapest(claim, budget);
      const bool misses = std::ranges::any_of(p.sets, [&](std::uint32_t s) { return (s & chosen) == 0; });
      ASSERT_EQ(checked.missed.has_value(), misses);
      ASSERT_EQ(checked.verified(), std::ranges::find(best, claim.chosen) != best.end());
      if (!checked.cheaper) continue;
      const std::uint32_t cheaper = bits(*checked.cheaper);
      EXPECT_LT(p.cost(cheaper), p.cost(chosen));
      for (const std::uint32_t set : p.sets) EXPECT_NE(set & cheaper, 0U);
    }
  }
}

}  // namespace
}  // namespace heddle::repair
