// The tree over a vector of given length: halve it until two slots remain. See state_store.h for what it is good for.
//
// The slots and the inner nodes have places in one array of values: places 0 … length-1 are the slots, the rest are the
// inner nodes, children before parents. The root has no place: it lives in the root table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::support {

struct TreePlan;

struct TreeShape {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr unsigned tables = 32;  // of inner nodes

  struct Inner {
    std::uint32_t left, right;  // places
    std::uint32_t table;        // each position near the root has its own, deeper ones share one per level
  };

  // first_half: how many slots are left of the root; 0: half of them.
  TreeShape(std::uint32_t number, std::size_t length, std::size_t first_half);
  // Another tree than that of halves.
  TreeShape(std::uint32_t number, std::size_t length, const TreePlan&);

  std::size_t values() const { return length + inner.size(); }

  std::uint32_t number;  // in the order in which lengths were met
  std::uint32_t length;
  std::vector<Inner> inner;
  std::vector<std::uint32_t> above;      // by place: the index in `inner` of its parent, or none under the root
  std::vector<std::uint64_t> above_bit;  // by place: the same as a bit, 0 under the root; if there are at most 64
  std::uint32_t root_left = none, root_right = none;  // places; none (a vector of less than two slots) stands for 0

 private:
  void find_bits();
};

// A tree over the slots of a vector, in which each has its place; children come before parents.
struct TreePlan {
  std::vector<TreeShape::Inner> inner;
  std::uint32_t root_left = 0, root_right = 0;
};

}  // namespace heddle::support
