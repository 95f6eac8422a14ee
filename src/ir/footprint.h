// What an edge may read and write, known before it runs: for partial order reduction.
//
// Sets are over words of the flat array (ir/program.h): shared cells, control states, locals; a buffered channel is
// the word of its length, a rendezvous channel is left to the reader (Edge::channel). An access with an index that is
// no constant touches the whole array.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace heddle::ir {

class WordSet {
 public:
  explicit WordSet(std::uint32_t words = 0) : bits_((words + 63) / 64) {}
  void add(std::uint32_t word) { bits_[word / 64] |= std::uint64_t{1} << (word % 64); }
  void add(const WordSet& other) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
  }
  bool has(std::uint32_t word) const { return (bits_[word / 64] >> (word % 64) & 1) != 0; }
  bool meets(const WordSet& other) const {
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if ((bits_[i] & other.bits_[i]) != 0) return true;
    }
    return false;
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < bits_.size(); ++i)
      for (std::uint64_t rest = bits_[i]; rest != 0; rest &= rest - 1)
        visit(static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(rest)));
  }
  bool empty() const {
    for (const std::uint64_t b : bits_) {
      if (b != 0) return false;
    }
    return true;
  }

 private:
  std::vector<std::uint64_t> bits_;
};

struct Footprint {
  WordSet guard_reads;  // of the guard; the own control state is not listed
  WordSet reads;        // of values, indices and effects; a buffered channel operation reads its channel
  WordSet writes;       // effects, targets, the control state if it changes, the channel
};

Footprint footprint(const Program&, const Edge&);
std::vector<Footprint> footprints(const Program&);  // by edge
WordSet words_read(const Program&, ExprId);         // by a condition

}  // namespace heddle::ir
