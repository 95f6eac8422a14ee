// Reduced ordered binary decision diagrams (Bryant 1986), small and plain: labels of automata are sets of letters, and
// equal sets have equal numbers. Variables are ordered by their numbers. Nothing is ever freed: a translation's
// diagrams die with its manager.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heddle::ltl {

using Set = std::uint32_t;  // a diagram, read as the set of valuations that satisfy it
inline constexpr Set none = 0, all = 1;

class Bdd {
 public:
  struct Node {
    std::uint32_t variable;
    Set low, high;
  };

  Bdd();
  Set variable(std::uint32_t v) { return make(v, none, all); }
  Set both(Set a, Set b) { return choose(a, b, none); }
  Set either(Set a, Set b) { return choose(a, all, b); }
  Set complement(Set a) { return choose(a, none, all); }
  Set without(Set a, Set b) { return choose(b, none, a); }
  bool within(Set a, Set b) { return without(a, b) == none; }
  Set choose(Set condition, Set then, Set otherwise);  // if-then-else

  const Node& operator[](Set s) const { return nodes_[s]; }  // of `none` and `all`: a variable beyond all others

  // Whether the valuation (a call-back from variable to truth) is in the set.
  template <class Valuation>
  bool contains(Set s, Valuation&& holds) const {
    while (s > all) s = holds(nodes_[s].variable) ? nodes_[s].high : nodes_[s].low;
    return s == all;
  }

  Set make(std::uint32_t variable, Set low, Set high);

 private:
  struct Key {
    std::uint32_t a, b, c;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key&) const;
  };
  std::vector<Node> nodes_;
  std::unordered_map<Key, Set, Hash> unique_, chosen_;
};

struct Literal {
  std::uint32_t variable;
  bool positive;
};
using Cube = std::vector<Literal>;  // their product, by ascending variables

// An irredundant sum of products, each a prime implicant (Minato, 1992). A variable in which the set is monotone occurs
// with its positive sign only.
std::vector<Cube> irredundant_cubes(Bdd&, Set);

// Disjoint cubes whose union is the set, by the paths of the diagram; for printing and for evaluation by masks.
std::vector<Cube> cubes_of(const Bdd&, Set);

}  // namespace heddle::ltl
