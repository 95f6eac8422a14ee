// SPDX-License-Identifier: Apache-2.0
#include "repair/hitting_set.h"

#include <algorithm>

namespace heddle::repair {
namespace {

class Search {
 public:
  Search(const std::vector<std::uint64_t>& costs, const std::vector<Elements>& sets, std::size_t most)
      : costs_(costs), sets_(sets), most_(most), forbidden_(costs.size(), false) {}

  // All solutions of cost at most `limit`, the limit being lowered to the best cost as it is found.
  void run() { branch(0); }
  std::vector<Elements> best() {
    std::ranges::sort(found_);
    if (found_.size() > most_) found_.resize(most_);
    return std::move(found_);
  }

 private:
  bool hit(const Elements& set) const {
    return std::ranges::any_of(set, [&](std::uint32_t e) { return std::ranges::find(chosen_, e) != chosen_.end(); });
  }
  std::uint64_t cheapest_of(const Elements& set) const {
    std::uint64_t least = unaffordable;
    for (const std::uint32_t e : set)
      if (!forbidden_[e]) least = std::min(least, costs_[e]);
    return least;
  }

  // At least so much is to be paid for the sets that are not hit yet; `smallest` is one of them with the fewest choices.
  std::uint64_t still_to_pay(const Elements*& smallest) const {
    std::uint64_t sum = 0;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    std::vector<bool> used(costs_.size(), false);
    for (const Elements& set : sets_) {
      if (hit(set)) continue;
      std::size_t choices = 0;
      bool apart = true;
      for (const std::uint32_t e : set) {
        if (forbidden_[e]) continue;
        ++choices;
        apart = apart && !used[e];
      }
      if (choices == 0) return unaffordable;
      if (choices < fewest) {
        fewest = choices;
        smallest = &set;
      }
      if (!apart) continue;
      sum += cheapest_of(set);
      for (const std::uint32_t e : set)
        if (!forbidden_[e]) used[e] = true;
    }
    return sum;
  }

  void branch(std::uint64_t cost) {
    const Elements* open = nullptr;
    const std::uint64_t rest = still_to_pay(open);
    if (rest == unaffordable || cost + rest > limit_) return;
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
      chosen_.push_back(e);
      branch(cost + costs_[e]);
      chosen_.pop_back();
      forbidden_[e] = true;
      tried.push_back(e);
    }
    for (const std::uint32_t e : tried) forbidden_[e] = false;
  }

  static constexpr std::uint64_t unaffordable = std::numeric_limits<std::uint64_t>::max();
  const std::vector<std::uint64_t>& costs_;
  const std::vector<Elements>& sets_;
  std::size_t most_;
  std::vector<bool> forbidden_;
  Elements chosen_;
  std::uint64_t limit_ = unaffordable - 1;
  std::vector<Elements> found_;
};

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
  Search search(costs_, sets_, most);
  search.run();
  return search.best();
}

std::optional<Elements> HittingSets::cheapest() const {
  std::vector<Elements> all = all_cheapest();
  if (all.empty()) return std::nullopt;
  return std::move(all.front());
}

}  // namespace heddle::repair
