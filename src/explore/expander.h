// One worker of the depth-first search: takes a state, generates its successors, inserts them, and looks at the fresh
// ones. Successors are generated first and inserted together afterwards, so that the store can fetch what it needs from
// memory in the meantime.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/transition_system.h"
#include "explore/pace.h"
#include "explore/search.h"
#include "support/state_store.h"

namespace heddle::explore {

// Something forbidden, at a state of the store or on a step out of it.
struct Sighting {
  Found::Kind kind;
  std::uint32_t detail;
  support::StateNumber state;      // the forbidden state; for a step error the one before it
  std::optional<core::Move> move;  // the step that went wrong
};

// Is there anything to look for in a state?
bool looks_at_states(const core::TransitionSystem&, const SearchOptions&);
// What is forbidden about the state, if anything.
std::optional<Sighting> look_at(const core::TransitionSystem&, const SearchOptions&, support::StateNumber, core::State,
                                core::TransitionSystem::Scratch&);

class Expander final : public core::SuccessorSink {
 public:
  Expander(const core::TransitionSystem&, support::StateStore&, const SearchOptions&, unsigned worker);

  // Inserts the initial state and looks at it.
  support::StateNumber insert_initial();

  // Generates and inserts the successors of a state; fresh() are then the new ones.
  void expand(support::StateNumber, std::uint64_t depth);

  const std::vector<support::StateNumber>& fresh() const { return fresh_; }
  // The first thing seen so far.
  const std::optional<Sighting>& sighting() const { return sighting_; }
  std::uint64_t transitions() const { return transitions_; }

  void successor(const core::Successor&) override;
  void withheld(std::uint32_t) override { ++emitted_; }  // no deadlock
  bool enough() const override { return long_step_.over(); }
  // Looks at the limits in the middle of a long step, and says whether the search is over.
  void watch_long_steps(std::function<bool()> poll) { long_step_.watch(std::move(poll)); }

 private:
  struct Range {
    std::uint32_t begin, length;  // in slots_
  };

  const core::TransitionSystem& system_;
  support::StateStore& store_;
  const SearchOptions& options_;
  std::unique_ptr<core::TransitionSystem::Scratch> scratch_;
  support::StateStore::Cursor cursor_;
  const bool looks_;
  std::vector<support::StateStore::Prepared> prepared_;
  std::vector<support::StateStore::Inserted> inserted_;
  std::vector<Range> ranges_;  // of each prepared successor, if looks_
  std::vector<std::uint32_t> slots_;
  std::vector<support::StateNumber> fresh_;
  std::optional<Sighting> sighting_;
  std::uint64_t transitions_ = 0;
  std::uint64_t emitted_ = 0;
  support::StateNumber current_ = support::no_state;
  mutable LongStep long_step_;
};

}  // namespace heddle::explore
