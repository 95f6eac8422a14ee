// An order in which an execution can be told: program order, reads after the writes they read from, both halves of an
// atomic operation together, and nothing that did not lead to what went wrong.
//
// Where sequential consistency has such an order it is one of those. Where it has none, a read is told after a write
// that it does not see (it is stale), and only where the model allows cycles of program order and reads-from a read
// is told before its write.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/execution_witness.h"

namespace heddle::check {

// The events of one request: pieces of an access, halves of a read-modify-write.
struct Units {
  std::vector<std::vector<std::size_t>> events;  // of each unit, in program order
  std::vector<std::size_t> of;                   // of each event: its unit
};
Units units_of(const core::ExecutionWitness&);

// The execution up to `ends` and what they depend on (po, rf, creation and join of threads), the first of them last if
// that can be; without any, the whole execution.
// Requires a thread's events to stand in program order. Ensures that, and that units stand together.
core::ExecutionWitness linearised(const core::ExecutionWitness&, const std::vector<std::size_t>& ends);

}  // namespace heddle::check
