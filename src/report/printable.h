// What goes to a terminal: names and lines of the user's program without control characters (support/printable.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/verdict.h"

namespace heddle::report {

// The verdict with all of its text made printable, except what the program printed: report/text.h escapes that.
core::Verdict printable(core::Verdict);

}  // namespace heddle::report
