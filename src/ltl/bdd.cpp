// SPDX-License-Identifier: Apache-2.0
#include "ltl/bdd.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "support/hash.h"

namespace heddle::ltl {

std::size_t Bdd::Hash::operator()(const Key& k) const { return support::hash_pair(k.a, k.b, k.c); }

Bdd::Bdd() {
  constexpr std::uint32_t beyond = std::numeric_limits<std::uint32_t>::max();
  nodes_ = {{beyond, none, none}, {beyond, all, all}};
}

Set Bdd::make(std::uint32_t variable, Set low, Set high) {
  if (low == high) return low;
  const auto [at, fresh] = unique_.try_emplace({variable, low, high}, static_cast<Set>(nodes_.size()));
  if (fresh) nodes_.push_back({variable, low, high});
  return at->second;
}

Set Bdd::choose(Set condition, Set then, Set otherwise) {
  if (condition == all || then == otherwise) return then;
  if (condition == none) return otherwise;
  if (then == all && otherwise == none) return condition;
  const Key key{condition, then, otherwise};
  if (const auto known = chosen_.find(key); known != chosen_.end()) return known->second;
  const std::uint32_t v = std::min({nodes_[condition].variable, nodes_[then].variable, nodes_[otherwise].variable});
  const auto half = [&](Set s, bool high) {
    const Node& n = nodes_[s];
    return n.variable != v ? s : high ? n.high : n.low;
  };
  const Set low = choose(half(condition, false), half(then, false), half(otherwise, false));
  const Set high = choose(half(condition, true), half(then, true), half(otherwise, true));
  const Set result = make(v, low, high);
  chosen_.emplace(key, result);
  return result;
}

namespace {

void collect(const Bdd& bdd, Set s, Cube& path, std::vector<Cube>& cubes) {
  if (s == none) return;
  if (s == all) {
    cubes.push_back(path);
    return;
  }
  for (const bool high : {false, true}) {
    path.push_back({bdd[s].variable, high});
    collect(bdd, high ? bdd[s].high : bdd[s].low, path, cubes);
    path.pop_back();
  }
}

// Cubes between `lower` and `upper`, as few as the recursion finds; gives their union.
Set cover(Bdd& bdd, Set lower, Set upper, std::vector<Cube>& cubes) {
  if (lower == none) return none;
  if (upper == all) {
    cubes.emplace_back();
    return all;
  }
  const std::uint32_t v = std::min(bdd[lower].variable, bdd[upper].variable);
  const auto half = [&](Set s, bool high) { return bdd[s].variable != v ? s : high ? bdd[s].high : bdd[s].low; };
  const Set l0 = half(lower, false), l1 = half(lower, true), u0 = half(upper, false), u1 = half(upper, true);
  const auto with = [&](Set low, Set up, std::optional<bool> sign) {
    std::vector<Cube> found;
    const Set covered = cover(bdd, low, up, found);
    for (Cube& cube : found) {
      if (sign) cube.insert(cube.begin(), {v, *sign});
      cubes.push_back(std::move(cube));
    }
    return covered;
  };
  const Set c0 = with(bdd.without(l0, u1), u0, false);
  const Set c1 = with(bdd.without(l1, u0), u1, true);
  const Set rest = bdd.either(bdd.without(l0, c0), bdd.without(l1, c1));
  const Set both = with(rest, bdd.both(u0, u1), std::nullopt);
  return bdd.either(both, bdd.make(v, c0, c1));
}

}  // namespace

std::vector<Cube> irredundant_cubes(Bdd& bdd, Set s) {
  std::vector<Cube> cubes;
  cover(bdd, s, s, cubes);
  return cubes;
}

std::vector<Cube> cubes_of(const Bdd& bdd, Set s) {
  std::vector<Cube> cubes;
  Cube path;
  collect(bdd, s, path, cubes);
  return cubes;
}

}  // namespace heddle::ltl
