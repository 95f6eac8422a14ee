// A thread that goes round for ever without any request: it never ends, never waits for anybody and never fails.
//
// To an engine it is Blocked, like one whose assumption failed: it takes no step, and that the program does not end is
// no deadlock. Its request has the value 1, by which those who look for threads that never end tell the two apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/program.h"

namespace heddle::core {

inline void make_idle(Request& r) {
  r.kind = Kind::Blocked;
  r.value = Value(1);
}
inline bool is_idle(const Request& r) { return r.kind == Kind::Blocked && r.value.bits == 1; }

}  // namespace heddle::core
