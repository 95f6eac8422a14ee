// SPDX-License-Identifier: Apache-2.0
#include "support/tree_learner.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "support/hash.h"

namespace heddle::support {
namespace {

// Numbers pairs in order of arrival.
class PairCounter {
 public:
  explicit PairCounter(std::size_t most) : entries_(std::bit_ceil(2 * most + 2)) {}

  std::uint32_t number(std::uint32_t left, std::uint32_t right) {
    const std::uint64_t pair = std::uint64_t{right} << 32 | left;
    for (std::size_t at = mix(pair);; ++at) {
      Entry& e = entries_[at & (entries_.size() - 1)];
      if (e.number == 0) e = {pair, ++count_};
      if (e.pair == pair) return e.number - 1;
    }
  }
  std::uint32_t count() const { return count_; }
  void clear() {
    std::ranges::fill(entries_, Entry{});
    count_ = 0;
  }

 private:
  struct Entry {
    std::uint64_t pair = 0;
    std::uint32_t number = 0;  // plus 1; 0: nobody is here
  };
  std::vector<Entry> entries_;
  std::uint32_t count_ = 0;
};

// A slot or an inner node: what it is in each vector of the sample.
struct Part {
  std::uint32_t place = 0;
  std::vector<std::uint32_t> values;  // numbered from 0
  std::uint32_t different = 1;        // of them
  std::vector<std::uint32_t> joint;   // by the parts in front of it: how many different pairs they make
};

}  // namespace

std::optional<TreePlan> TreeLearner::plan() const {
  if (count_ < fewest || length_ < 4) return std::nullopt;
  PairCounter pairs(count_);
  std::vector<Part> parts;
  std::vector<std::uint32_t> constants;
  for (std::uint32_t slot = 0; slot < length_; ++slot) {
    Part part{.place = slot, .values = std::vector<std::uint32_t>(count_), .joint = {}};
    pairs.clear();
    for (std::size_t i = 0; i < count_; ++i) part.values[i] = pairs.number(sample_[i * length_ + slot], 0);
    part.different = pairs.count();
    if (part.different > 1) parts.push_back(std::move(part));
    else constants.push_back(slot);
  }
  if (parts.size() < 2 || parts.size() > most_varying) return std::nullopt;

  TreePlan plan;
  std::vector<std::uint32_t> different;  // by inner node
  const auto join = [&](std::uint32_t left, std::uint32_t right, std::uint32_t values) {
    plan.inner.push_back({left, right, 0});
    different.push_back(values);
    return static_cast<std::uint32_t>(length_ + plan.inner.size() - 1);
  };
  const auto count_joint = [&](const Part& a, const Part& b) {
    pairs.clear();
    for (std::size_t i = 0; i < count_; ++i) pairs.number(a.values[i], b.values[i]);
    return pairs.count();
  };
  // All constants, and with them what varies least: what they add to it is one node for each of its values.
  if (!constants.empty()) {
    std::uint32_t all = constants.front();
    for (std::size_t k = 1; k < constants.size(); ++k) all = join(all, constants[k], 1);
    const auto least = std::ranges::min_element(parts, {}, &Part::different);
    if (parts.size() > 2) least->place = join(all, least->place, least->different);
    else parts.push_back({.place = all, .values = std::vector<std::uint32_t>(count_), .joint = {}});
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) parts[i].joint.push_back(count_joint(parts[i], parts[j]));
  while (parts.size() > 2) {
    std::size_t a = 0, b = 1;
    for (std::size_t i = 1; i < parts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (parts[i].joint[j] < parts[b].joint[a]) a = j, b = i;
    Part both{.place = join(parts[a].place, parts[b].place, parts[b].joint[a]),
              .values = std::vector<std::uint32_t>(count_),
              .joint = {}};
    pairs.clear();
    for (std::size_t i = 0; i < count_; ++i) both.values[i] = pairs.number(parts[a].values[i], parts[b].values[i]);
    both.different = pairs.count();
    for (const std::size_t gone : {b, a}) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(gone));
      for (std::size_t i = gone; i < parts.size(); ++i)
        parts[i].joint.erase(parts[i].joint.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    for (const Part& other : parts) both.joint.push_back(count_joint(both, other));
    parts.push_back(std::move(both));
  }
  plan.root_left = parts[0].place;
  plan.root_right = parts[1].place;

  // Those with many values have tables of their own, so that their numbers stay small.
  std::vector<std::size_t> order(plan.inner.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return different[i]; });
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    plan.inner[order[rank]].table = static_cast<std::uint32_t>(std::min<std::size_t>(rank + 1, TreeShape::tables - 1));
  return plan;
}

}  // namespace heddle::support
