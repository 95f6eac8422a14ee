// An execution as a picture: the events of each thread stand together, with program order, reads-from (rf), coherence
// (co) and from-read (fr) between them. Events on a cycle of these, which sequential consistency forbids, are marked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/execution_witness.h"
#include "report/state_graph.h"

namespace heddle::report {

StateGraph execution_graph(const core::ExecutionWitness&, const core::Program&);

}  // namespace heddle::report
