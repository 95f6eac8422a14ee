// The built-in decision procedure and Z3 must agree on random conjunctions of every sort.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "logic/conjunction.h"

namespace heddle::logic {
namespace {

Conjunction random_conjunction(std::mt19937& random, bool linear) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Conjunction f;
  f.sorts.push_back({});
  const Sort kinds[] = {{Sort::Kind::Finite, 2},
                        {Sort::Kind::Finite, 3},
                        {Sort::Kind::Infinite, 0},
                        {Sort::Kind::Int, 0},
                        {Sort::Kind::Real, 0}};
  std::vector<std::vector<Var>> of_kind(5);
  const unsigned n = 2 + below(7);
  for (unsigned i = 1; i <= n; ++i) {
    const unsigned k = below(5);
    f.sorts.push_back(kinds[k]);
    of_kind[k].push_back(i);
  }
  const unsigned m = 1 + below(12);
  for (unsigned i = 0; i < m; ++i) {
    const unsigned k = below(5);
    if (of_kind[k].empty()) continue;
    const auto pick = [&] { return of_kind[k][below(static_cast<unsigned>(of_kind[k].size()))]; };
    Literal l;
    l.x = pick();
    l.y = below(2) == 0 ? zero : pick();
    if (below(4) == 0) std::swap(l.x, l.y);
    const bool number = k >= 3;
    l.op = static_cast<Op>(below(number ? (k == 4 ? 4 : 3) : 2));
    if (number) l.c = static_cast<int>(below(7)) - 3;
    else if (l.y == zero) l.c = below(3);
    else if (l.x == zero) l.c = -static_cast<int>(below(3));
    f.literals.push_back(l);
  }
  if (linear && of_kind[3].size() >= 2) {
    Linear l;
    l.op = static_cast<Op>(below(3));
    for (const Var v : of_kind[3]) l.sum.emplace_back(v, static_cast<int>(below(5)) - 2);
    l.c = static_cast<int>(below(7)) - 3;
    f.linear.push_back(l);
  }
  return f;
}

TEST(Decide, builtin_and_z3_agree) {
  std::mt19937 random(20240711);
  unsigned sat = 0, unsat = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    const Conjunction f = random_conjunction(random, false);
    const Answer ours = decide_builtin(f);
    ASSERT_NE(ours, Answer::Unknown) << i;
    ASSERT_EQ(ours, decide_z3(f)) << "conjunction " << i;
    ++(ours == Answer::Satisfiable ? sat : unsat);
  }
  EXPECT_GT(sat, 300u);
  EXPECT_GT(unsat, 300u);
}

TEST(Decide, linear_parts_never_make_the_builtin_wrong) {
  std::mt19937 random(7);
  for (unsigned i = 0; i < 1500; ++i) {
    const Conjunction f = random_conjunction(random, true);
    const Answer ours = decide_builtin(f), z3 = decide_z3(f);
    if (ours != Answer::Unknown) {
      ASSERT_EQ(ours, z3) << "conjunction " << i;
    }
    ASSERT_EQ(decide(f), z3) << "conjunction " << i;
  }
}

// Four variables, three colours, all different: no pair is a clash by itself.
TEST(Decide, pigeonholes) {
  Conjunction f;
  f.sorts.assign(5, {Sort::Kind::Finite, 3});
  for (Var a = 1; a <= 4; ++a)
    for (Var b = a + 1; b <= 4; ++b) f.literals.push_back({Op::NotEqual, a, b, 0});
  EXPECT_EQ(decide_builtin(f), Answer::Unsatisfiable);
  f.sorts.assign(5, {Sort::Kind::Finite, 4});
  EXPECT_EQ(decide_builtin(f), Answer::Satisfiable);
}

}  // namespace
}  // namespace heddle::logic
