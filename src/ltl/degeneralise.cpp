// SPDX-License-Identifier: Apache-2.0
#include "ltl/degeneralise.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "ltl/reduce.h"

namespace heddle::ltl {
namespace {

// An order of all sets (marks first, then letters), and whether states of trivial components are accepting.
struct Variant {
  std::vector<unsigned> order;
  bool trivial_accepts = false;
  bool arrive_full = false;  // enter a component in its accepting copy
};

class Counter {
 public:
  Counter(const Automaton& from, const Variant& variant)
      : from_(from), variant_(variant), components_(components(from)) {
    to_.letters = from.letters;
    to_.atoms = from.atoms;
    to_.sets = 1;
    to_.by_state = true;
    find_needed_sets();
  }

  Automaton run() {
    to_.initial = copy(from_.initial, entry(from_.initial));
    while (!waiting_.empty()) {
      const auto [q, level] = waiting_.back();
      waiting_.pop_back();
      const std::uint32_t source = copies_.at({q, level});
      for (const Edge& e : from_.edges[q]) follow(source, q, level, e);
      if (accepts(q, level))
        for (Edge& e : to_.edges[source]) e.marks = 1;
    }
    reduce(to_);
    return std::move(to_);
  }

 private:
  // Per component the sets that not every one of its edges meets, in the variant's order.
  void find_needed_sets() {
    needed_.resize(components_.accepting.size());
    std::vector<Marks> full(needed_.size(), from_.every_mark());
    for (std::uint32_t q = 0; q < from_.states(); ++q)
      for (const Edge& e : from_.edges[q])
        if (components_.of[e.target] == components_.of[q]) full[components_.of[q]] &= e.marks;
    for (std::size_t c = 0; c < needed_.size(); ++c) {
      if (!components_.accepting[c]) continue;
      for (const unsigned set : variant_.order)
        if (set >= from_.sets || (full[c] >> set & 1) == 0) needed_[c].push_back(set);
    }
  }

  std::size_t top_level(std::uint32_t q) const { return needed_[components_.of[q]].size(); }
  bool accepts(std::uint32_t q, std::size_t level) const {
    const std::uint32_t c = components_.of[q];
    if (components_.trivial[c]) return variant_.trivial_accepts;
    return components_.accepting[c] && level == needed_[c].size();
  }
  std::size_t entry(std::uint32_t q) const { return variant_.arrive_full ? top_level(q) : 0; }

  std::uint32_t copy(std::uint32_t q, std::size_t level) {
    const auto [at, fresh] = copies_.try_emplace({q, level}, static_cast<std::uint32_t>(to_.edges.size()));
    if (fresh) {
      to_.edges.emplace_back();
      waiting_.emplace_back(q, level);
    }
    return at->second;
  }

  void follow(std::uint32_t source, std::uint32_t q, std::size_t level, const Edge& e) {
    const std::uint32_t c = components_.of[q];
    if (components_.of[e.target] != c || !components_.accepting[c]) {
      const std::uint32_t target = copy(e.target, entry(e.target));
      to_.edges[source].push_back({e.label, target, 0});
      return;
    }
    const auto& needed = needed_[c];
    Set label = e.label;
    std::size_t reached = level == needed.size() ? 0 : level;
    for (; reached < needed.size() && label != none; ++reached) {
      const unsigned set = needed[reached];
      Set met = label;
      if (set >= from_.sets) met = to_.letters->both(label, from_.recurring[set - from_.sets]);
      else if ((e.marks >> set & 1) == 0) met = none;
      if (const Set missed = to_.letters->without(label, met); missed != none) {
        const std::uint32_t target = copy(e.target, reached);
        to_.edges[source].push_back({missed, target, 0});
      }
      label = met;
    }
    if (label != none) {
      const std::uint32_t target = copy(e.target, needed.size());
      to_.edges[source].push_back({label, target, 0});
    }
  }

  const Automaton& from_;
  const Variant& variant_;
  Components components_;
  std::vector<std::vector<unsigned>> needed_;
  Automaton to_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> copies_;
  std::vector<std::pair<std::uint32_t, std::size_t>> waiting_;
};

}  // namespace

Automaton degeneralise(const Automaton& automaton) {
  const unsigned sets = automaton.sets + static_cast<unsigned>(automaton.recurring.size());
  std::vector<unsigned> order(sets);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::vector<unsigned>> orders{order};
  if (sets <= 4) {
    while (std::ranges::next_permutation(order).found) orders.push_back(order);
  } else {
    std::ranges::reverse(order);
    orders.push_back(order);
  }
  std::optional<Automaton> best;
  for (const auto& o : orders)
    for (const bool trivial_accepts : {false, true})
      for (const bool arrive_full : {false, true}) {
        Automaton candidate = Counter(automaton, {o, trivial_accepts, arrive_full}).run();
        const auto size = [](const Automaton& a) { return std::pair(a.states(), a.transitions()); };
        if (!best || size(candidate) < size(*best)) best = std::move(candidate);
      }
  return std::move(*best);
}

}  // namespace heddle::ltl
