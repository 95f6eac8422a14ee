// The witness of a graph in which private accesses are no events (graph/private_objects.h), with these as events.
//
// The threads run again along the graph. What they are answered privately becomes events in their place: allocations
// with names of their own, and accesses, cut into pieces where others of the same object cut them, each read from the
// last write of its thread. Whether the model has an execution with these events, too, is not asked here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/execution_witness.h"
#include "graph/graph.h"
#include "graph/private_objects.h"

namespace heddle::graph {

// Nothing if the graph does not tell enough. Requires it to be one of PrivateObjects(program, record), and that nothing was published since.
std::optional<core::ExecutionWitness> whole_witness(const core::Program& program, PrivacyRecord& record,
                                                    const Graph& graph, const Tables& tables, const std::string& model,
                                                    bool deps);

}  // namespace heddle::graph
