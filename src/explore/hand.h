// One worker of the breadth-first search: expands states of its own share of the store, puts successors of its share
// in, sends the others to their owners, and looks at what is new in its share.
//
// Hot. Successors are put in some dozens at a time, so that the store can fetch what it needs from memory for all of
// them at once. bench/spin.sh watches it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/transition_system.h"
#include "explore/expander.h"
#include "explore/mail.h"
#include "explore/pace.h"
#include "support/state_store.h"

namespace heddle::explore {

class alignas(64) Hand final : public core::SuccessorSink {
 public:
  // To be made in the thread that is going to use it most: then what two hands scribble on lies far apart. `stop`: the
  // search is over, and nothing is worth waiting for.
  Hand(const core::TransitionSystem&, support::StateStore&, const SearchOptions&, Mail&, unsigned worker,
       const std::atomic<bool>& stop);

  // Inserts the initial state and looks at it.
  void insert_initial();

  // alone: all other workers rest, and the whole store is this one's.
  void begin_level(std::uint64_t depth, bool alone);
  // Requires a state of the own share.
  void expand(support::StateNumber);
  // The same for a state of another's share, of which the root was sent.
  void expand(const support::StateStore::Arrival& root);
  // Puts in what others have sent. Was there anything?
  bool read_mail();
  // A block of others' states that this worker was asked to expand, if any. To be given back to the mail.
  Mail::Block* take_work();
  // All successors met so far are put in or sent.
  void finish();

  // The first thing seen so far; a deadlock gives way to nothing.
  const std::optional<Sighting>& sighting() const { return sighting_; }
  std::uint64_t transitions() const { return transitions_; }
  // Slots of all successors met so far: what time is spent on, however large states are.
  std::uint64_t effort() const { return effort_; }

  void successor(const core::Successor&) override;
  void withheld(std::uint32_t) override { emitted_ = true; }  // no deadlock
  bool enough() const override {
    return (sighting_ && sighting_->move && sighting_->state == current_) || long_step_.over();
  }
  // Looks at the limits in the middle of a long step, and says whether the search is over.
  void watch_long_steps(std::function<bool()> poll) { long_step_.watch(std::move(poll)); }

 private:
  using Arrival = support::StateStore::Arrival;

  void expand_loaded();
  void put_in(std::span<const Arrival>);
  void put_in_own();
  void send(unsigned receiver, const Arrival&);
  Mail::Block* wait_for_blank();

  const core::TransitionSystem& system_;
  support::StateStore& store_;
  const SearchOptions& options_;
  Mail& mail_;
  const unsigned worker_;
  const std::atomic<bool>& stop_;
  const bool looks_;
  bool alone_ = false;
  unsigned depth_mod_3_ = 0;  // of the successors
  bool emitted_ = false;
  support::StateNumber current_ = support::no_state;
  std::uint64_t transitions_ = 0;
  std::uint64_t effort_ = 0;
  std::unique_ptr<core::TransitionSystem::Scratch> scratch_;
  support::StateStore::Cursor cursor_;
  // New states are looked at while the successors of another are in the making: with things of their own.
  std::unique_ptr<core::TransitionSystem::Scratch> looking_scratch_;
  std::optional<support::StateStore::Cursor> looking_cursor_;
  std::vector<Arrival> own_;
  std::vector<support::StateStore::Inserted> inserted_;
  std::vector<Mail::Block*> outbox_;  // by receiver; null: none begun
  Mail::Block* work_ = nullptr;       // linked by `next`
  std::optional<Sighting> sighting_;
  mutable LongStep long_step_;
};

}  // namespace heddle::explore
