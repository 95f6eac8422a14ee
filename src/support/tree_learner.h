// The tree over vectors of one length that makes few nodes, learnt from a sample of them.
//
// Halving a vector (tree_shape.h) pairs neighbours, whether or not they have to do with each other: a node above a
// slot that varies and one that does not is a copy of the former, and halves that depend on each other take more
// pairs than necessary. Here the two parts whose pair has the fewest values in the sample are joined first, as in
// Huffman's algorithm, until two parts are left: constants come together, then what depends on each other, and what
// varies most stands right below the root.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "support/tree_shape.h"

namespace heddle::support {

class TreeLearner {
 public:
  static constexpr std::size_t enough = 1000;  // vectors to learn from
  static constexpr std::size_t fewest = 200;   // … below which nothing is learnt

  // Adds a vector of the length that all of them have, which is at least 1.
  void add(std::span<const std::uint32_t> slots) {
    length_ = slots.size();
    sample_.insert(sample_.end(), slots.begin(), slots.end());
    ++count_;
  }
  bool has_enough() const { return count_ >= enough; }
  // None if there is too little to learn from, or too many slots vary.
  std::optional<TreePlan> plan() const;

 private:
  static constexpr std::size_t most_varying = 96;  // the time it takes is quadratic

  std::size_t length_ = 0, count_ = 0;
  std::vector<std::uint32_t> sample_;
};

}  // namespace heddle::support
