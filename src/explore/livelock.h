// Livelock: a cycle of states from none of which the program can end any more.
//
// The whole state graph is built (without reduction: a reduced one need not have the same cycles), with its edges kept.
// States that cannot reach a proper end are set aside; of these, all that lead only into deadlocks are dropped. What
// remains, if anything does, contains a cycle.
//
// Executions in which an assumption fails do not count. So nothing ends or goes round behind a failed assumption, and a
// cycle that a fair run leaves for one is no livelock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
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

// Has an assumption failed in a state? None: there are no assumptions.
using FailedAssumption = std::function<bool(core::State, core::TransitionSystem::Scratch&)>;

LivelockResult find_livelock(const core::TransitionSystem&, const FailedAssumption&, core::Budget&);

}  // namespace heddle::explore
