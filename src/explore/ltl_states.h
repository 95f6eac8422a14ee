// The states of a product by number, over the compressed store, for one worker or several.
//
// Small automata stand beside the store: it holds the system's states, each of which has a number for every state of
// the automaton. So a step of the system is looked up once, whatever the automaton does. Larger automata are part of
// the stored vector.
//
// What a search keeps for each product state lies in an array per state of the automaton (ByProductState): states that
// the automaton is in nowhere cost nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/transition_system.h"
#include "explore/ltl_product.h"
#include "support/segmented.h"
#include "support/state_store.h"

namespace heddle::explore {

class LtlStates {
 public:
  static constexpr unsigned most_beside = 4;  // states of an automaton that stands beside the store

  LtlStates(const core::TransitionSystem&, const LtlProduct&, unsigned workers);

  bool beside() const { return beside_; }
  unsigned automaton_bits() const { return bits_; }  // of a number, the lowest ones
  support::StateStore& store() { return store_; }
  const support::StateStore& store() const { return store_; }

 private:
  friend class LtlReader;
  const bool beside_;
  const bool automaton_;  // product states end in one of its states
  const unsigned bits_;
  support::StateStore store_;
};

// One worker's way to the states: its cursor of the store and its product.
class LtlReader {
 public:
  using Number = support::StateNumber;

  LtlReader(LtlStates&, LtlProduct&, unsigned worker);

  // Inserts the state if it is not there.
  Number number_of(core::State product_state);
  // The product state. Valid until the next call of either, or of expand().
  core::State state_of(Number);

  // Finds the arcs of the state and inserts their targets. False if that meets an error (LtlProduct::error()).
  bool expand(Number);
  std::span<const Number> targets() const { return targets_; }
  const std::uint64_t* marks(std::size_t arc) const { return marks_.data() + arc * product_.words(); }

 private:
  LtlStates& states_;
  LtlProduct& product_;
  support::StateStore::Cursor cursor_;
  std::vector<std::uint32_t> loaded_;  // by state_of()
  std::vector<support::StateStore::Prepared> prepared_;
  std::vector<support::StateStore::Inserted> inserted_;
  std::vector<std::uint32_t> automaton_targets_;
  std::vector<Number> targets_;
  std::vector<std::uint64_t> marks_;
};

// A value for each product state, all zero at first. Places keep their address.
template <class T>
class ByProductState {
 public:
  explicit ByProductState(unsigned automaton_bits) : bits_(automaton_bits), mask_((1U << automaton_bits) - 1) {}

  // Requires that reserve(number) has returned before, in this thread or one that told this one of the number.
  T& operator[](std::uint32_t number) const { return parts_[number & mask_][number >> bits_]; }
  // Makes the place exist. Thread-safe.
  void reserve(std::uint32_t number) { parts_[number & mask_].reserve(number >> bits_); }

  // Of places below the limit, in parts that note_use() was called for.
  std::uint64_t bytes(support::StateNumber limit) const {
    std::uint64_t sum = 0;
    for (const auto& used : used_) sum += used.load(std::memory_order_relaxed) ? limit * sizeof(T) : 0;
    return sum;
  }
  void note_use(std::uint32_t number) {
    auto& used = used_[number & mask_];
    if (!used.load(std::memory_order_relaxed)) used.store(true, std::memory_order_relaxed);
  }

 private:
  const unsigned bits_;
  const std::uint32_t mask_;
  std::array<support::Segmented<T>, LtlStates::most_beside> parts_;
  std::array<std::atomic<bool>, LtlStates::most_beside> used_{};
};

}  // namespace heddle::explore
