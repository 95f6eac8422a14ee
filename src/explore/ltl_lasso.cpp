// SPDX-License-Identifier: Apache-2.0
#include "explore/ltl_lasso.h"

#include <algorithm>
#include <optional>

#include "support/diagnostics.h"

namespace heddle::explore {
namespace {

using Sets = std::vector<std::uint64_t>;

struct Leg {
  std::vector<core::Move> moves;  // without the stuttering of an ended system
  std::uint32_t end = 0;          // the state that it leads to
  Sets fulfilled;                 // by its arcs and their source states
};

bool meet(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((a[i] & b[i]) != 0) return true;
  return false;
}
void add(Sets& sets, std::span<const std::uint64_t> more) {
  for (std::size_t i = 0; i < sets.size(); ++i) sets[i] |= more[i];
}

class Ways {
 public:
  Ways(LtlProduct& product, const Numbering& numbering) : product_(product), numbering_(numbering) {}

  struct Goal {
    std::function<bool(std::uint32_t)> through;  // may the way come through this state?
    std::function<bool(std::uint32_t)> at;       // does it end here?
    std::function<bool(std::uint32_t to, std::span<const std::uint64_t> marks)> by;  // … with an arc of this kind?
  };

  // The shortest way, breadth first. `by` is asked while the product holds the arc's source.
  Leg shortest(std::uint32_t from, const Goal& goal) {
    std::vector<std::uint32_t> waiting{from};
    if (came_.size() <= from) came_.resize(from + 1, none);
    came_[from] = from;
    Leg result;
    bool found = false;
    for (std::size_t i = 0; i < waiting.size() && !found; ++i) {
      const std::uint32_t at = waiting[i];
      if (goal.at(at)) {
        result = leg(from, at);
        found = true;
        break;
      }
      product_.expand(numbering_.state(at));
      product_.each_arc([&](const LtlProduct::Arc& arc) {
        if (found) return;
        const std::uint32_t to = numbering_.number(arc.target);
        if (!goal.through(to)) return;
        if (goal.by(to, arc.marks)) {
          last_ = {at, to, arc.move, arc.stutters, Sets(arc.marks.begin(), arc.marks.end())};
          add(last_.fulfilled, product_.state_marks());
          found = true;
          return;
        }
        if (came_.size() <= to) came_.resize(to + to / 4 + 1, none);
        if (came_[to] != none) return;
        came_[to] = at;
        waiting.push_back(to);
      });
      if (!found) continue;
      result = leg(from, at);
      take(last_, result);
    }
    HEDDLE_ASSERT(found);  // a component is strongly connected
    for (const std::uint32_t n : waiting) came_[n] = none;
    return result;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Taken {
    std::uint32_t from = 0, to = 0;
    core::Move move;
    bool stutters = false;
    Sets fulfilled;
  };

  static void take(const Taken& arc, Leg& leg) {
    if (!arc.stutters) leg.moves.push_back(arc.move);
    add(leg.fulfilled, arc.fulfilled);
    leg.end = arc.to;
  }

  // The way along came_.
  Leg leg(std::uint32_t from, std::uint32_t to) {
    std::vector<std::uint32_t> states{to};
    while (states.back() != from) states.push_back(came_[states.back()]);
    std::ranges::reverse(states);
    Leg result{{}, to, Sets(product_.words(), 0)};
    for (std::size_t i = 0; i + 1 < states.size(); ++i) {
      product_.expand(numbering_.state(states[i]));
      std::optional<Taken> taken;
      product_.each_arc([&](const LtlProduct::Arc& arc) {
        if (taken || numbering_.number(arc.target) != states[i + 1]) return;
        taken = {states[i], states[i + 1], arc.move, arc.stutters, Sets(arc.marks.begin(), arc.marks.end())};
        add(taken->fulfilled, product_.state_marks());
      });
      HEDDLE_ASSERT(taken.has_value());
      take(*taken, result);
    }
    return result;
  }

  LtlProduct& product_;
  const Numbering& numbering_;
  std::vector<std::uint32_t> came_;  // by number: the state before it on the way
  Taken last_;
};

}  // namespace

std::vector<core::Move> path_to(LtlProduct& product, core::State initial, std::uint32_t target,
                                const Numbering& numbering) {
  const auto no_arc = [](std::uint32_t, std::span<const std::uint64_t>) { return false; };
  return Ways(product, numbering)
      .shortest(numbering.number(initial), {numbering.visited, [&](std::uint32_t n) { return n == target; }, no_arc})
      .moves;
}

Lasso find_lasso(LtlProduct& product, core::State initial, const Numbering& numbering) {
  Ways ways(product, numbering);
  const auto no_arc = [](std::uint32_t, std::span<const std::uint64_t>) { return false; };
  const Leg stem = ways.shortest(numbering.number(initial), {numbering.visited, numbering.accepting, no_arc});
  Lasso lasso{stem.moves, {}};

  const std::uint32_t start = stem.end;
  std::uint32_t at = start;
  Sets missing(product.all_sets().begin(), product.all_sets().end());
  const auto follow = [&](const Leg& leg) {
    lasso.loop.insert(lasso.loop.end(), leg.moves.begin(), leg.moves.end());
    for (std::size_t i = 0; i < missing.size(); ++i) missing[i] &= ~leg.fulfilled[i];
    at = leg.end;
  };
  bool moved = false;
  while (std::ranges::any_of(missing, [](std::uint64_t w) { return w != 0; })) {
    // An arc out of a state that fulfils something missing, or that does so itself.
    follow(ways.shortest(at, {numbering.accepting, [](std::uint32_t) { return false; },
                              [&](std::uint32_t, std::span<const std::uint64_t> marks) {
                                return meet(marks, missing) || meet(product.state_marks(), missing);
                              }}));
    moved = true;
  }
  if (!moved || at != start)
    follow(ways.shortest(at, {numbering.accepting, [](std::uint32_t) { return false; },
                              [&](std::uint32_t to, std::span<const std::uint64_t>) { return to == start; }}));
  return lasso;
}

}  // namespace heddle::explore
