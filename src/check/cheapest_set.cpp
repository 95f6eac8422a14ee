// SPDX-License-Identifier: Apache-2.0
#include "check/cheapest_set.h"

#include <algorithm>

namespace heddle::check {
namespace {

// Looks for a set below a given cost, depth first. An element is taken, left out, or open; the next constraint to branch
// on is one with the fewest open elements among those that have none that is taken.
class Search {
 public:
  Search(const CheapestSetClaim& claim, std::uint64_t limit, core::Budget& budget)
      : claim_(claim), limit_(limit), budget_(budget), state_(claim.costs.size(), State::Open) {}

  bool finds() {
    if ((++nodes_ & 0xfff) == 0) stopped_ = budget_.over();
    if (stopped_ || cost_ >= limit_) return false;
    const Members* next = nullptr;
    std::size_t fewest = 0;
    for (const Members& constraint : claim_.constraints) {
      if (has(constraint, State::Taken)) continue;
      const auto open = static_cast<std::size_t>(
          std::ranges::count_if(constraint, [&](std::uint32_t e) { return state_[e] == State::Open; }));
      if (next == nullptr || open < fewest) {
        next = &constraint;
        fewest = open;
      }
    }
    if (next == nullptr) return true;
    if (cost_ + least_remaining() >= limit_) return false;
    Members left_out;
    bool found = false;
    for (const std::uint32_t e : *next) {
      if (state_[e] != State::Open) continue;
      state_[e] = State::Taken;
      cost_ += claim_.costs[e];
      if ((found = finds())) break;
      cost_ -= claim_.costs[e];
      state_[e] = State::LeftOut;
      left_out.push_back(e);
    }
    if (!found)
      for (const std::uint32_t e : left_out) state_[e] = State::Open;
    return found;
  }

  Members taken() const {
    Members members;
    for (std::uint32_t e = 0; e < state_.size(); ++e)
      if (state_[e] == State::Taken) members.push_back(e);
    return members;
  }
  const std::optional<core::Reason>& stopped() const { return stopped_; }

 private:
  enum class State : std::uint8_t { Open, Taken, LeftOut };

  bool has(const Members& constraint, State state) const {
    return std::ranges::any_of(constraint, [&](std::uint32_t e) { return state_[e] == state; });
  }

  // What the constraints that are left cost at least: the cheapest open element of each, of constraints without a common
  // open element.
  std::uint64_t least_remaining() const {
    std::vector<bool> used(state_.size(), false);
    std::uint64_t sum = 0;
    for (const Members& constraint : claim_.constraints) {
      if (has(constraint, State::Taken)) continue;
      std::optional<std::uint64_t> least;
      bool apart = true;
      for (const std::uint32_t e : constraint) {
        if (state_[e] != State::Open) continue;
        apart &= !used[e];
        least = std::min(least.value_or(claim_.costs[e]), claim_.costs[e]);
      }
      if (!least) return limit_;  // nothing can be taken any more
      if (!apart) continue;
      sum += *least;
      for (const std::uint32_t e : constraint) used[e] = used[e] || state_[e] == State::Open;
    }
    return sum;
  }

  const CheapestSetClaim& claim_;
  const std::uint64_t limit_;
  core::Budget& budget_;
  std::vector<State> state_;
  std::uint64_t cost_ = 0, nodes_ = 0;
  std::optional<core::Reason> stopped_;
};

}  // namespace

CheapestSetCheck check_cheapest(const CheapestSetClaim& claim, core::Budget& budget) {
  CheapestSetCheck result;
  for (std::size_t i = 0; i < claim.constraints.size(); ++i) {
    if (std::ranges::any_of(claim.constraints[i],
                            [&](std::uint32_t e) { return std::ranges::binary_search(claim.chosen, e); }))
      continue;
    result.missed = i;
    return result;
  }
  std::uint64_t cost = 0;
  for (const std::uint32_t e : claim.chosen) cost += claim.costs[e];
  Search search(claim, cost, budget);
  if (search.finds()) result.cheaper = search.taken();
  result.stopped = search.stopped();
  return result;
}

}  // namespace heddle::check
