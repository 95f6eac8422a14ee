// Cheapest hitting sets: given sets of elements, each element with a cost, find elements of least total cost such that
// every set has one of them (weighted minimum hitting set; exact, by branch and bound).
//
// Bounds: sets that have no element in common must be paid for one by one. Branches: the elements of the smallest set
// not yet hit, each with the earlier ones forbidden, so that no two branches have a solution in common. Where one
// solution is asked for, dominated elements are left out first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace heddle::repair {

using Elements = std::vector<std::uint32_t>;  // ascending

class HittingSets {
 public:
  explicit HittingSets(std::vector<std::uint64_t> costs) : costs_(std::move(costs)) {}

  // Adds a set. An empty one makes all problems unsolvable.
  void add(Elements);
  const std::vector<Elements>& sets() const { return sets_; }
  std::uint64_t cost(const Elements&) const;

  // A cheapest one; of equal cost the least in lexical order. Nothing: some set is empty.
  std::optional<Elements> cheapest() const;

  // All of exactly the least cost, in lexical order; some of them if there are more than `most`.
  std::vector<Elements> all_cheapest(std::size_t most = std::numeric_limits<std::size_t>::max()) const;

 private:
  std::vector<std::uint64_t> costs_;
  std::vector<Elements> sets_;  // none contains another
};

}  // namespace heddle::repair
