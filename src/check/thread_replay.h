// Replays the moves of an engine over a thread program on the naive machine, and makes the Trace from what happens
// there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/program.h"
#include "core/trace.h"

namespace heddle::check {

struct ThreadClaim {
  enum class Kind : std::uint8_t { Failure, Deadlock, Livelock, Race } kind = Kind::Failure;
  std::string failure_kind;    // Failure: which
  std::size_t loop_start = 0;  // Livelock: the moves from here on lead back to where they began. That the program
                               // cannot end from there no replay can show
};

struct ThreadReplay {
  bool confirmed = false;
  std::string why;
  std::string kind, violation;
  core::SourcePlace place;  // of the violation, in the user's own files
  core::Trace trace;
};

// `moves` are single: one request or one flush each.
ThreadReplay replay(const core::Program&, const std::string& model, unsigned buffer_bound,
                    const std::vector<core::Move>& moves, const ThreadClaim&);

}  // namespace heddle::check
