// Replays the moves of an engine over a thread program on the naive machine, and makes the Trace from what happens
// there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "check/replayed.h"
#include "core/finding.h"
#include "core/program.h"

namespace heddle::check {

// The moves are single: one request or one flush each. Livelock: those from `run.loop_start` on lead back to where they
// began; that the program cannot end from there no replay can show.
Replayed replay(const core::Program&, std::string_view model, unsigned buffer_bound, const core::MoveRun& run,
                const core::Claim&);

}  // namespace heddle::check
