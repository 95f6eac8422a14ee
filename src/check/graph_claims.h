// What is said of an execution graph, checked by definitions written out: happens-before from its clauses, cycles by
// transitive closure, spinning by running the thread on. Nothing here is shared with graph/, and of axioms/ only what
// kind of model it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/execution_witness.h"
#include "core/program.h"
#include "core/property.h"

namespace heddle::check {

// A witness after the program was run along it.
struct RunGraph {
  const core::Program& program;
  const core::ExecutionWitness& witness;
  std::vector<core::Request> requests;          // of each event
  std::vector<core::Local> locals;              // of each thread, at the end
  std::vector<bool> started;                    // of each thread
  std::vector<core::Deps> deps;                 // of each event; empty where the program does not track them
  std::vector<std::vector<std::size_t>> loads;  // of each thread: its reading events, in program order
  std::set<std::size_t> size_questions;         // events that ask for the size of an object, and fail if it was freed
};

// Accesses to an object that come after it was freed, or may: event numbers. For a claim of use after free one of these
// pairs must be possible; where happens-before decides (rc11, ra) that is checked here, elsewhere the axioms are asked.
// A question for the size is no access that the axioms know: that nothing leads from it to the free is checked here.
struct FreedAccess {
  std::size_t access, free;
};
std::vector<FreedAccess> accesses_of_freed(const RunGraph&);

// Is the witness's model one of the language, by happens-before?
bool by_happens_before(const RunGraph&);

// Two accesses that are a data race by the happens-before of the witness's model (rc11, ra): event numbers, in the
// order of the witness.
std::optional<std::pair<std::size_t, std::size_t>> race_in(const RunGraph&);

// The allocation of something that is never freed and that nothing points to at the end.
std::optional<std::size_t> leak_in(const RunGraph&);

// Why the claim does not hold of this graph; empty if it does, or if it is none of those decided here.
std::string refuted(const RunGraph&, const core::Property&);

// Why memory would not refuse this event's access with this fault; empty if it would.
std::string unfounded_fault(const RunGraph&, std::size_t event);

}  // namespace heddle::check
