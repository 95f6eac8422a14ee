// Prepared states on their way from the worker that met them to the worker that owns their part of the store, and
// states to be expanded on their way from a worker that has many to one that has none left.
//
// A sender fills blocks of some hundred states and posts each full one with a single exchange; the receiver takes all
// that have come at once. A sender has a limited number of blocks, so that one that outruns the others waits, and gets
// them back from the receivers when they have been read.
//
// Rules: post, take and give_back may be called from several threads at once, each with the own worker's number.
// Deadlock freedom: a sender that waits for a free block keeps draining its own inbox.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "support/state_store.h"

namespace heddle::explore {

class Mail {
 public:
  struct Block {
    static constexpr std::uint32_t room = 126;
    Block* next = nullptr;
    std::uint32_t sender = 0;
    std::uint32_t used = 0;
    bool work = false;  // roots of states that the receiver is asked to expand, each with its number
    std::array<support::StateStore::Arrival, room> arrivals;

    std::span<const support::StateStore::Arrival> contents() const { return {arrivals.data(), used}; }
  };

  explicit Mail(unsigned workers) : boxes_(workers), most_blocks_(2 * workers + 14) {}

  // An empty block of the sender's; null if all of them are under way.
  Block* blank(unsigned sender);
  void post(unsigned receiver, Block*);
  // All blocks that have come, linked by `next`; null if none.
  Block* take(unsigned receiver);
  void give_back(Block*);

 private:
  using Stack = std::atomic<Block*>;  // many push, one takes all
  static void push(Stack&, Block*);

  struct alignas(64) Box {
    Stack arrived{nullptr};
    alignas(64) Stack returned{nullptr};
    alignas(64) Block* blanks = nullptr;  // the owner's from here on
    std::vector<std::unique_ptr<Block>> blocks;
  };
  std::vector<Box> boxes_;
  std::size_t most_blocks_;
};

}  // namespace heddle::explore
