// Closure and acyclicity against their definitions, on random relations from sparse to dense, in program order, against
// it, and across; and which events access common bytes.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/relation.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "axioms/execution.h"

namespace heddle::axioms {
namespace {

unsigned below(std::mt19937& rng, unsigned n) { return static_cast<unsigned>(rng() % n); }

template <unsigned W>
Relation<W> random_relation(std::mt19937& rng, unsigned n) {
  Relation<W> a(n);
  const unsigned direction = below(rng, 4), pairs = below(rng, below(rng, 2) ? 2 * n : n * n);
  for (unsigned i = 0; i < pairs; ++i) {
    EventId from = below(rng, n), to = below(rng, n);
    if (direction == 0 && from > to) std::swap(from, to);
    if (direction == 1 && from < to) std::swap(from, to);
    if (direction < 3 && from == to) continue;
    a.add(from, to);
  }
  return a;
}

template <unsigned W>
void compare(unsigned seed) {
  std::mt19937 rng(seed);
  constexpr unsigned rounds = 480 / W;
  unsigned cyclic = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned n = 1 + below(rng, 64 * W);
    const auto a = random_relation<W>(rng, n);
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
    for (unsigned i = 0; i < n; ++i) {
      std::vector<unsigned> todo{i};
      while (!todo.empty()) {
        const unsigned at = todo.back();
        todo.pop_back();
        for (unsigned j = 0; j < n; ++j)
          if (a.has(at, j) && !reach[i][j]) {
            reach[i][j] = true;
            todo.push_back(j);
          }
      }
    }
    bool cycle = false;
    const auto closed = closure(a);
    for (unsigned i = 0; i < n; ++i) {
      cycle |= reach[i][i];
      for (unsigned j = 0; j < n; ++j)
        ASSERT_EQ(closed.has(i, j), reach[i][j]) << "seed " << seed << " round " << round;
    }
    ASSERT_EQ(acyclic(a), !cycle) << "seed " << seed << " round " << round;
    cyclic += cycle;
  }
  EXPECT_GT(cyclic, rounds / 8);
  EXPECT_LT(cyclic, rounds - rounds / 8);
}

TEST(Relation, ClosureAndCycles) {
  compare<1>(1);
  compare<2>(2);
  compare<4>(3);
}

TEST(Relation, CommonBytes) {
  std::mt19937 rng(7);
  for (unsigned round = 0; round < 500; ++round) {
    Execution<1> x;
    const unsigned n = 1 + below(rng, 40);
    for (unsigned i = 0; i < n; ++i) {
      Event e;
      e.kind = static_cast<EventKind>(below(rng, 5));
      const unsigned size = 1U << below(rng, 4);
      e.loc = {below(rng, 3), below(rng, 16 / size) * size, size};
      x.events.push_back(e);
    }
    x.reset();
    x.derive_static();
    for (unsigned a = 0; a < n; ++a)
      for (unsigned b = 0; b < n; ++b) {
        const bool common =
            x.events[a].is_access() && x.events[b].is_access() && x.events[a].loc.overlaps(x.events[b].loc);
        ASSERT_EQ(x.loc.has(a, b), common) << "round " << round;
      }
  }
}

}  // namespace
}  // namespace heddle::axioms
