// SPDX-License-Identifier: Apache-2.0
#include "repair/hitting_set.h"

#include <algorithm>

namespace heddle::repair {
namespace {

constexpr std::uint64_t unaffordable = std::numeric_limits<std::uint64_t>::max();

class Search {
 public:
  // `most`: of the solutions that run() returns. More than one: requires a limit that is the least cost.
  Search(const std::vector<std::uint64_t>& costs, const std::vector<Elements>& sets, std::size_t most)
      : costs_(costs),
        sets_(sets),
        most_(most),
        forbidden_(costs.size(), false),
        in_(costs.size()),
        hits_(sets.size(), 0) {
    for (std::size_t s = 0; s < sets.size(); ++s)
      for (const std::uint32_t e : sets[s]) in_[e].push_back(s);
  }

  // Solutions of cost at most `limit`, which is lowered to the best cost as it is found. Those chosen and forbidden
  // before are so in all of them.
  std::vector<Elements> run(std::uint64_t limit = unaffordable - 1) {
    limit_ = limit;
    found_.clear();
    std::uint64_t cost = 0;
    for (const std::uint32_t e : chosen_) cost += costs_[e];
    branch(cost);
    std::ranges::sort(found_);
    return std::move(found_);
  }
  void choose(std::uint32_t e) {
    chosen_.push_back(e);
    for (const std::size_t s : in_[e]) ++hits_[s];
  }
  void take_back() {
    for (const std::size_t s : in_[chosen_.back()]) --hits_[s];
    chosen_.pop_back();
  }
  void forbid(std::uint32_t e, bool so = true) { forbidden_[e] = so; }
  bool hits_something_new(std::uint32_t e) const {
    return std::ranges::any_of(in_[e], [&](std::size_t s) { return hits_[s] == 0; });
  }

 private:
  // A lower bound on the cost of hitting the sets that are not hit yet; `smallest` is one of those with fewest choices.
  std::uint64_t still_to_pay(const Elements*& smallest) const {
    std::uint64_t sum = 0;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    std::vector<bool> used(costs_.size(), false);
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (hits_[s] != 0) continue;
      std::size_t choices = 0;
      bool apart = true;
      std::uint64_t least = unaffordable;
      for (const std::uint32_t e : sets_[s]) {
        if (forbidden_[e]) continue;
        ++choices;
        apart = apart && !used[e];
        least = std::min(least, costs_[e]);
      }
      if (choices == 0) return unaffordable;
      if (choices < fewest) {
        fewest = choices;
        smallest = &sets_[s];
      }
      if (!apart) continue;
      sum += least;
      for (const std::uint32_t e : sets_[s])
        if (!forbidden_[e]) used[e] = true;
    }
    return sum;
  }

  void branch(std::uint64_t cost) {
    const Elements* open = nullptr;
    const std::uint64_t rest = still_to_pay(open);
    if (rest == unaffordable || cost + rest > limit_) return;
    if (found_.size() >= most_ && (most_ > 1 || cost + rest == limit_)) return;
    if (open == nullptr) {
      if (cost < limit_) found_.clear();
      limit_ = cost;
      found_.push_back(chosen_);
      std::ranges::sort(found_.back());
      return;
    }
    std::vector<std::uint32_t> tried;
    for (const std::uint32_t e : *open) {
      if (forbidden_[e]) continue;
      choose(e);
      branch(cost + costs_[e]);
      take_back();
      forbidden_[e] = true;
      tried.push_back(e);
    }
    for (const std::uint32_t e : tried) forbidden_[e] = false;
  }

  const std::vector<std::uint64_t>& costs_;
  const std::vector<Elements>& sets_;
  const std::size_t most_;
  std::vector<bool> forbidden_;
  std::vector<std::vector<std::size_t>> in_;  // the sets of each element
  std::vector<unsigned> hits_;                // of each set
  Elements chosen_;
  std::uint64_t limit_ = unaffordable - 1;
  std::vector<Elements> found_;
};

// The sets without dominated elements: another element is in all their sets and is cheaper, or costs the same and comes
// first. No cheapest solution that is least in lexical order has such an element.
std::vector<Elements> without_dominated(const std::vector<std::uint64_t>& costs, const std::vector<Elements>& sets) {
  std::vector<std::vector<std::uint32_t>> in(costs.size());
  for (std::uint32_t s = 0; s < sets.size(); ++s)
    for (const std::uint32_t e : sets[s]) in[e].push_back(s);
  std::vector<bool> dominated(costs.size(), false);
  for (const Elements& set : sets)
    for (const std::uint32_t e : set) {
      if (dominated[e]) continue;
      // One that dominates e is in every set of e, so in this one too.
      dominated[e] = std::ranges::any_of(set, [&](std::uint32_t other) {
        return other != e && !dominated[other] &&
               (costs[other] < costs[e] || (costs[other] == costs[e] && other < e)) &&
               std::ranges::includes(in[other], in[e]);
      });
    }
  std::vector<Elements> result = sets;
  for (Elements& set : result) std::erase_if(set, [&](std::uint32_t e) { return dominated[e]; });
  return result;
}

}  // namespace

void HittingSets::add(Elements set) {
  std::ranges::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
  if (std::ranges::any_of(sets_, [&](const Elements& s) { return std::ranges::includes(set, s); })) return;
  std::erase_if(sets_, [&](const Elements& s) { return std::ranges::includes(s, set); });
  sets_.push_back(std::move(set));
}

std::uint64_t HittingSets::cost(const Elements& elements) const {
  std::uint64_t sum = 0;
  for (const std::uint32_t e : elements) sum += costs_[e];
  return sum;
}

std::vector<Elements> HittingSets::all_cheapest(std::size_t most) const {
  const auto one = cheapest();
  return one ? Search(costs_, sets_, most).run(cost(*one)) : std::vector<Elements>();
}

std::optional<Elements> HittingSets::cheapest() const {
  const std::vector<Elements> sets = without_dominated(costs_, sets_);
  Search search(costs_, sets, 1);
  const std::vector<Elements> one = search.run();
  if (one.empty()) return std::nullopt;
  const std::uint64_t least = cost(one.front());
  // The least in lexical order: each element in turn, if some solution of this cost has it and nothing else before it.
  Elements chosen;
  for (std::uint32_t e = 0; e < costs_.size(); ++e) {
    search.forbid(e);
    if (!search.hits_something_new(e)) continue;
    search.forbid(e, false);
    search.choose(e);
    if (search.run(least).empty()) {
      search.take_back();
      search.forbid(e);
    } else {
      chosen.push_back(e);
    }
  }
  return chosen;
}

}  // namespace heddle::repair
