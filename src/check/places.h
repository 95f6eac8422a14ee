// Where, in words of the user's own program, a thread stands: what both replays say of threads and places.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/program.h"
#include "core/trace.h"

namespace heddle::check {

// The place where people look: the innermost one that is the program's own; no line if there is none.
core::SourcePlace own_place(const core::Program&, core::ConstLocal);

// The outermost function that is the program's own (the library starts threads in a function of its own); empty if the
// thread runs none now.
std::string own_function(const core::Program&, core::ConstLocal);

// "in pthread_mutex_lock at f.c:12", or "at f.c:12" where the program waits by itself.
std::string waiting_place(const core::Program&, core::ConstLocal, core::Site);

// Of a step inside the library, the place of the call.
const core::SourcePlace& shown_place(const core::TraceStep&);

// " at f.c:12", or nothing if the place is not known.
std::string where(const core::TraceStep&);

}  // namespace heddle::check
