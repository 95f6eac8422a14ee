// Livelock: a cycle of states from none of which the program can end any more.
//
// The whole state graph is built (without reduction: a reduced one need not have the same cycles), with its edges kept.
// States that cannot reach a proper end are set aside; of these, all that lead only into deadlocks are dropped. What
// remains, if anything does, contains a cycle. Runs with a failed assumption do not count: the system must end them there
// (explore::ProductOptions::assumptions_end), or others could wait for ever for the thread that stands still.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/transition_system.h"

namespace heddle::explore {

struct LivelockResult {
  bool found = false;
  std::vector<core::Move> stem, loop;   // the loop is repeated for ever
  std::optional<core::Reason> stopped;  // why the search is incomplete, if it is
  std::uint64_t states = 0, transitions = 0, bytes = 0;
};

LivelockResult find_livelock(const core::TransitionSystem&, core::Budget&);

}  // namespace heddle::explore
