// Hazard intervals of a run (Havel, section 3.3): from a store that is buffered to the step that brings it to memory. What
// another thread does with the location in between is an inconsistent access: it does not see the store.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/trace.h"
#include "report/rows.h"

namespace heddle::report {

struct Hazard {
  // A step of another thread that reads or writes the location, and which of its effects do.
  struct Access {
    std::size_t step = 0;
    std::vector<std::size_t> effects;
    friend bool operator==(const Access&, const Access&) = default;
  };
  std::size_t begin = 0;   // the step that stores …
  std::size_t effect = 0;  // … and which of its effects does
  std::size_t end = 0;     // the step that flushes; of a store that stays in its buffer, the number of steps
  std::size_t rounds = 0;  // of a lasso: how often its loop begins again before `end`
  std::vector<Access> accesses;
};

// In the order in which they begin. Of a lasso those that begin in its steps as they are listed; their ends and
// accesses may lie in later rounds of the loop, and have the numbers of the steps listed. A store that a newer one of the
// same thread replaces in its slot (sb1) ends with that one, or when its thread writes the location at once.
std::vector<Hazard> hazards(const core::Trace&);

// Those with inconsistent accesses, one sentence each, with the numbers of the rows:
// "y = 1 of P_1 is buffered from step 3 to step 5; meanwhile P_0 reads 0 in step 4". Accesses inside the runtime library
// that have no row are left out.
std::vector<std::string> hazard_sentences(const core::Trace&, const Rows&);

}  // namespace heddle::report
