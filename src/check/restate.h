// A run of a thread program with other memory orders and more fences: the moves of the program as it was, brought to
// the program as it is.
//
// A fence that the run does not have is passed as late as possible, just before its thread's next move; a buffer that has to
// be empty there is flushed, oldest entry first. A flush of what is no longer in a buffer is left out. A thread that makes
// no step in the loop of a lasso passes its fences before the loop. What comes out is a guess that replay() has to
// confirm: it need not be possible, nor lead to the same end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/finding.h"
#include "core/program.h"

namespace heddle::check {

// What has to be known of a run of the program as it was.
struct MoveScript {
  struct Line {
    core::Move move;
    core::Site fence = core::no_site;  // Step: of the fence that it passes, if it does
    std::size_t made = 0;              // Flush: the line that issued what is performed
  };
  std::vector<Line> lines;
  std::size_t loop_start = core::Trace::no_loop;  // a line
};

// Nothing if the run is not possible.
std::optional<MoveScript> script_of(const core::Program&, std::string_view model, const core::MoveRun&);

// Nothing if the run does not go through.
std::optional<core::MoveRun> restated(const core::Program&, std::string_view model, const MoveScript&);

}  // namespace heddle::check
