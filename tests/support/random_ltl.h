// Random formulas as text, and automata run on lassos by a product that knows nothing of the translation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "ltl/automaton.h"

namespace heddle::tests {

inline std::string random_formula(std::mt19937& random, unsigned size, unsigned atoms) {
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  if (size <= 1) {
    if (pick(12) == 0) return pick(2) == 0 ? "true" : "false";
    return fmt::format("{}p{}", pick(3) == 0 ? "!" : "", pick(atoms));
  }
  static const char* unary[] = {"!", "X ", "F ", "G ", "[] ", "<> "};
  static const char* binary[] = {"&&", "||", "->", "<->", "U", "R", "W", "M", "V"};
  if (pick(5) < 2) return fmt::format("{}({})", unary[pick(6)], random_formula(random, size - 1, atoms));
  const unsigned left = 1 + pick(size - 1);
  return fmt::format("({}) {} ({})", random_formula(random, left, atoms), binary[pick(9)],
                     random_formula(random, size - left, atoms));
}

struct Lasso {
  std::vector<std::vector<bool>> letters;  // by place, by atom
  std::size_t loop_start = 0;
};

inline Lasso random_lasso(std::mt19937& random, unsigned atoms, unsigned longest) {
  Lasso lasso;
  const std::size_t length = 1 + random() % longest;
  lasso.loop_start = random() % length;
  for (std::size_t i = 0; i < length; ++i) {
    lasso.letters.emplace_back();
    for (unsigned a = 0; a < atoms; ++a) lasso.letters.back().push_back(random() % 2 == 0);
  }
  return lasso;
}

// Whether the automaton has an accepting run on the lasso: some reachable pair (place, state) lies on a cycle through
// all acceptance sets.
inline bool accepts(const ltl::Automaton& a, const Lasso& lasso) {
  const std::size_t places = lasso.letters.size(), states = a.states(), n = places * states;
  struct Arc {
    std::size_t from, to;
    ltl::Marks marks;
  };
  const unsigned sets = a.sets + static_cast<unsigned>(a.recurring.size());
  std::vector<Arc> arcs;
  for (std::size_t i = 0; i < places; ++i) {
    const auto holds = [&](std::uint32_t v) { return bool{lasso.letters[i][v]}; };
    const std::size_t next = i + 1 < places ? i + 1 : lasso.loop_start;
    for (std::uint32_t q = 0; q < states; ++q)
      for (const ltl::Edge& e : a.edges[q]) {
        if (!a.letters->contains(e.label, holds)) continue;
        ltl::Marks marks = e.marks;
        for (std::size_t k = 0; k < a.recurring.size(); ++k)
          if (a.letters->contains(a.recurring[k], holds)) marks |= ltl::Marks{1} << (a.sets + k);
        arcs.push_back({i * states + q, next * states + e.target, marks});
      }
  }
  std::vector<std::vector<std::size_t>> next_of(n);
  for (const Arc& arc : arcs) next_of[arc.from].push_back(arc.to);
  // reaches[x][y]: y is reached from x by one arc or more.
  std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n, false));
  for (std::size_t x = 0; x < n; ++x)
    for (std::vector<std::size_t> waiting = next_of[x]; !waiting.empty();) {
      const std::size_t y = waiting.back();
      waiting.pop_back();
      if (reaches[x][y]) continue;
      reaches[x][y] = true;
      waiting.insert(waiting.end(), next_of[y].begin(), next_of[y].end());
    }
  for (std::size_t x = 0; x < n; ++x) {
    if ((x != a.initial && !reaches[a.initial][x]) || !reaches[x][x]) continue;
    ltl::Marks seen = 0;  // on the arcs of x's component
    for (const Arc& arc : arcs)
      if (reaches[x][arc.from] && reaches[arc.to][x]) seen |= arc.marks;
    if (sets == 0 || seen == (ltl::Marks{1} << sets) - 1) return true;
  }
  return false;
}

}  // namespace heddle::tests
