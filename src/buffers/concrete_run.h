// From a path of symbolic states to a run that can be replayed.
//
// A path fixes a sequence of memories and who changes one into the next, by a commit or a locked instruction. Between
// these steps processes do not influence each other, so that a run is found for each process alone: breadth first over
// its local states and buffer contents in each of the memories, with the shortest buffers that do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "buffers/process.h"
#include "core/budget.h"
#include "core/trace.h"
#include "ir/buffer_sets.h"

namespace heddle::buffers {

// How the memory of a path became the next.
struct PathStep {
  std::uint32_t process = 0;
  std::optional<Store> commit;           // else a locked instruction or atomic section, from an empty buffer:
  std::vector<const ir::Edge*> section;  // its edges
  std::uint32_t before = 0, after = 0;   // the process's local states around it
  bool drained = false;                  // all buffers are empty
};

// Where a process is to be in the last memory.
struct Destination {
  enum class Kind : std::uint8_t {
    Anywhere,
    Local,    // in `local`
    Resting,  // in `local`, its buffer empty
    Failing   // where an assertion fails, or from where a step does
  } kind = Kind::Anywhere;
  std::uint32_t local = 0;
  std::vector<const ir::Edge*> then;  // further steps of a section, from there
};

// Nothing if there is none within limits of the search. memories.size() == steps.size() + 1; destinations by process.
std::optional<std::vector<core::Move>> concrete_run(const ir::Program&, std::deque<Process>&, ir::StoreOrder,
                                                    const std::vector<Memory>& memories,
                                                    const std::vector<PathStep>& steps,
                                                    const std::vector<Destination>& destinations, const core::Budget&);

}  // namespace heddle::buffers
