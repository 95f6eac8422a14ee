// Replays the moves of an engine on the naive machine and tells, in the user's words, what happened.
//
// A trace is believed only if every move was possible, and the state at its end (or its last step) is what the engine
// says it is. Nothing of what an engine claims is taken over: the Trace is made from the replay alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "check/replayed.h"
#include "ir/program.h"

namespace heddle::check {

// `buffer_bound` 0 means a machine without buffers; any other bound the replay does not need. An Assertion is confirmed
// by an assertion that fails at the end of the run or by an error of its last step; Robust by a run all of whose stores
// have reached memory, and which is none of sequential consistency. The trace has no closing sentence.
Replayed replay(const ir::Program&, std::string_view model, unsigned buffer_bound, const std::vector<core::Move>&,
                const core::Claim&);

}  // namespace heddle::check
