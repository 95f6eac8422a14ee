// Fair emptiness of an explicit graph, decided slowly: its product with an automaton of violations, and the fixed point
// of Emerson and Lei in place of strongly connected components. A promise is a fairness set: a fair run takes its steps
// again and again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "ltl/automaton.h"

namespace heddle::tests {

struct FairGraph {
  struct Arc {
    std::size_t to;
    std::set<unsigned> promises;  // fairness sets of this step
  };
  std::vector<std::vector<bool>> letters;  // by state, by atom
  std::vector<std::vector<Arc>> arcs;      // by state; state 0 is initial
  unsigned promises = 0;

  // Is there a fair run that the automaton accepts?
  bool accepts(const ltl::Automaton& a) const {
    struct Edge {
      std::size_t from, to;
      std::set<unsigned> promises;
    };
    const std::size_t n = a.states();
    std::vector<Edge> edges;
    for (std::size_t s = 0; s < arcs.size(); ++s) {
      const auto holds = [&](std::uint32_t atom) { return bool{letters[s][atom]}; };
      for (std::size_t q = 0; q < n; ++q)
        for (const ltl::Edge& e : a.edges[q]) {
          if (!a.letters->contains(e.label, holds)) continue;
          std::set<unsigned> own;
          for (unsigned k = 0; k < a.sets; ++k)
            if ((e.marks >> k & 1) != 0) own.insert(promises + k);
          for (unsigned k = 0; k < a.recurring.size(); ++k)
            if (a.letters->contains(a.recurring[k], holds)) own.insert(promises + a.sets + k);
          for (const Arc& arc : arcs[s]) {
            Edge edge{s * n + q, arc.to * n + e.target, arc.promises};
            edge.promises.insert(own.begin(), own.end());
            edges.push_back(std::move(edge));
          }
        }
    }
    const unsigned sets = promises + a.sets + static_cast<unsigned>(a.recurring.size());
    std::vector<char> inside(arcs.size() * n, 0);  // at first: what is reached
    inside[a.initial] = 1;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Edge& e : edges)
        if (inside[e.from] != 0 && inside[e.to] == 0) {
          inside[e.to] = 1;
          changed = true;
        }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned set = 0; set <= sets; ++set) {  // the last one: any step at all
        std::vector<char> good(inside.size(), 0);
        for (const Edge& e : edges)
          if (inside[e.from] != 0 && inside[e.to] != 0 && (set == sets || e.promises.contains(set))) good[e.from] = 1;
        for (bool more = true; more;) {
          more = false;
          for (const Edge& e : edges)
            if (inside[e.from] != 0 && inside[e.to] != 0 && good[e.to] != 0 && good[e.from] == 0) {
              good[e.from] = 1;
              more = true;
            }
        }
        changed |= good != inside;
        inside = std::move(good);
      }
    }
    return std::ranges::find(inside, 1) != inside.end();
  }
};

}  // namespace heddle::tests
