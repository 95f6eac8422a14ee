// A graph as a witness that other folders understand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/execution_witness.h"
#include "graph/graph.h"

namespace heddle::graph {

// `deps`: the tables know dependencies, and the model looks at them. `events` gets the graph's event of each event.
core::ExecutionWitness witness(const core::Program&, const Graph&, const Tables&, const std::string& model, bool deps,
                               std::vector<EventId>* events = nullptr);

}  // namespace heddle::graph
