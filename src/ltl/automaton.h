// Büchi automata with generalised acceptance on edges (TGBA): a run is accepting iff it takes edges of every acceptance
// set again and again. A letter is a valuation of the propositions; an edge is labelled by a set of letters.
//
// `recurring` holds acceptance sets that letters decide alone: the i-th is met by every edge taken with a letter of
// that set, whatever edge it is. So GF p₁ ∧ … ∧ GF pₙ is one state and one edge, not 2ⁿ edges.
//
// A Büchi automaton with acceptance by state is one whose edges all bear the mark of their source (`by_state`).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ltl/bdd.h"

namespace heddle::ltl {

using Marks = std::uint64_t;  // a set of acceptance sets, as bits
inline constexpr unsigned most_marks = 64;

struct Edge {
  Set label = all;
  std::uint32_t target = 0;
  Marks marks = 0;
  bool operator==(const Edge&) const = default;
};

struct Automaton {
  std::shared_ptr<Bdd> letters = std::make_shared<Bdd>();
  std::vector<std::string> atoms;        // propositions: variable i of `letters`
  std::vector<std::vector<Edge>> edges;  // by source; never empty as a whole: an empty language is one state, no edge
  std::uint32_t initial = 0;
  unsigned sets = 0;           // acceptance sets 0 … sets-1, by marks
  std::vector<Set> recurring;  // more of them, by letters
  bool by_state = false;

  std::size_t states() const { return edges.size(); }
  std::size_t transitions() const;  // pairs of states with an edge: what never claims and tables of sizes count
  Marks every_mark() const { return sets == most_marks ? ~Marks{0} : (Marks{1} << sets) - 1; }
};

// Strongly connected components, numbered so that edges lead to equal or smaller numbers (Tarjan 1972).
struct Components {
  std::vector<std::uint32_t> of;  // by state
  std::vector<bool> accepting;    // has a cycle on which all marks occur (letters of `recurring` are not considered)
  std::vector<bool> trivial;      // one state without an edge to itself
};
Components components(const Automaton&);

// Edges with equal targets and marks become one; states are renumbered in breadth-first order from the initial one, and
// those that are not reached are dropped.
void compact(Automaton&);

}  // namespace heddle::ltl
