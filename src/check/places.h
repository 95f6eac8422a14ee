// Where, in words of the user's own program, a thread stands: what both replays say of threads and places.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/trace.h"

namespace heddle::check {

// The place where people look: the innermost one that is the program's own; no line if there is none.
core::SourcePlace own_place(const core::Program&, core::ConstLocal);

// What people call a thread: its function of the program's own and its number, "run 1". A thread that has not come to one
// goes by the line that starts it, "thread 1 of f.c:12", or by its entry if that is not known.
std::string name_of_thread(const core::Program&, std::uint32_t entry, const std::string& function,
                           const core::SourcePlace& started, core::Tid);

// What a message calls a location: `name`, which the program gives it, or "the object allocated at f.c:12" if that is none.
using Allocations = std::map<std::uint32_t, core::NamedStack>;  // by object of the heap
std::string told_location(const core::Loc&, const std::string& name, const Allocations&);

// Who holds a lock, and where it was taken.
struct Holder {
  std::string thread;  // empty: nobody, or not known
  core::SourcePlace place;
};

// "at f.c:12:3 for the mutex m (locked by run 1 at f.c:20:3)", or "in nanosleep at f.c:12:3".
std::string waiting_place(const core::Program&, core::ConstLocal, core::Site, const Holder& = {});

// "locks the mutex m", for the step that takes a lock, or "waits for the mutex m"; the thread must stand before it.
void add_lock_note(const core::Program&, core::ConstLocal, std::vector<core::Effect>&, bool in_vain = false);

// The thread that a lock's word names: nothing if it is free.
std::optional<core::Tid> holder_of(const core::Value& word);

// Of a step inside the library, the place of the call.
const core::SourcePlace& shown_place(const core::TraceStep&);

// " at f.c:12", or nothing if the place is not known.
std::string where(const core::TraceStep&);

}  // namespace heddle::check
