// Hazard intervals of a run (Havel, section 3.3): from a store that is buffered to the step that brings it to memory. What
// another process does with the variable in between is an inconsistent access: it does not see the store.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/trace.h"

namespace heddle::report {

struct Hazard {
  std::size_t begin = 0;              // the step that stores
  std::size_t end = 0;                // the step that flushes; of a store that stays in its buffer, the number of steps
  std::string location;               // "flag[1]"
  std::vector<std::size_t> accesses;  // steps of other processes that read or write it in between
};

// In the order in which they begin. A loop is gone through twice, so that what is stored in it is seen to arrive; steps keep
// their numbers of the trace.
std::vector<Hazard> hazards(const core::Trace&);

}  // namespace heddle::report
