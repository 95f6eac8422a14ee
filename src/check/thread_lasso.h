// Replays a lasso of a thread program on the naive machine (check/naive_threads.h), as check/lasso_replay.h does for ir
// programs: the moves are possible, the loop closes up to the names of objects, the run is fair, and the formula,
// evaluated by its semantics on the states between the moves, does not hold. The states inside an atomic section are
// no states of the run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "check/lasso_replay.h"
#include "check/replayed.h"
#include "core/condition.h"
#include "core/finding.h"

namespace heddle::check {

// The moves are single: one request or one flush each. Without a loop the run ends after them and stutters.
ReplayedLasso replay_lasso(const core::Program&, const core::Conditions&, std::string_view model, unsigned buffer_bound,
                           const core::MoveRun&, const LassoClaim&);

// Has the condition no value where the run ends?
ReplayedLasso replay_no_value(const core::Program&, const core::Conditions&, std::string_view model,
                              unsigned buffer_bound, const core::MoveRun&, std::uint32_t condition);

}  // namespace heddle::check
