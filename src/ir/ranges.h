// Which values the variables of a program can hold: an interval for each, a fixed point over all assignments, whatever
// their order (intervals with widening: Cousot and Cousot, POPL 1977). States are packed by it (ir/layout.h): a flag
// declared as a byte takes one bit, and fewer slots are fewer nodes of the state store's trees.
//
// Guards narrow the variables of the acting process in its own effects: `k < 3` lets `k = k + 1` end at 3. Values that do
// not fit their variable end in an error, or are truncated to any value of its type.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ir/program.h"

namespace heddle::ir {

// By variable; the cells of an array share one range. Requires a finished program. Ensures that in every reachable state, of
// any memory machine, every cell, and every store that waits in a buffer, is within its range.
std::vector<Range> value_ranges(const Program&);

}  // namespace heddle::ir
