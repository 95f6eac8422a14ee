// What people call a thread: the library starts threads in a function of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/program.h"

namespace heddle::core {

// The outermost function on the thread's stack that is the program's own; empty if the thread runs none now, and for
// the first thread, which is the program's whatever it runs (initialisers before main).
inline std::string own_function(const Program& program, ConstLocal local, Tid t) {
  std::string name;
  if (t == 0) return name;
  for (const SourcePlace& frame : program.stack(local))
    if (!frame.library && frame.line != 0) name = frame.function;
  return name;
}

}  // namespace heddle::core
