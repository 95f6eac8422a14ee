// Threads that answer requests (core/program.h), with unbounded buffers.
//
// The program is unfolded (ir/unfold.h) and saturated; where the search comes to a value that a load has no answer to
// yet, the answer is added, and the search begins again. It ends when no such value is reached, or with a violation:
// what was found in a part of the program is there in the whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffers/saturate.h"
#include "ir/unfold.h"

namespace heddle::buffers {

struct ThreadsAnswer {
  Answer answer;                    // about `program`; Unknown: also if a thread does what does not fit
  ir::Unfolding::Unfolded program;  // that was searched last
};

// Requires question.goals.empty() and question.window == 0.
ThreadsAnswer decide(ir::Unfolding&, const Question&, core::Budget&);

}  // namespace heddle::buffers
