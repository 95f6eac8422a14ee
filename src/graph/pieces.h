// Accesses whose bytes others cut. Such an access is explored as several events, one a piece, as if a thread did them
// one after the other; a piece is what no access cuts. That is more than any model allows, so a graph with pieces is
// put together at its end (and at failures) and judged by the model's axioms on whole accesses, each group of bytes
// with its own reads-from and coherence (axioms/execution.h, `slices`). Judging earlier would lose executions: a read
// that has seen half of a write may have the other half revisited later.
//
// Each graph of pieces is one execution of whole accesses, so none comes twice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph.h"

namespace heddle::graph {

// The bytes of `part` in a value of `whole`. Requires whole to cover part. Less than a pointer stays marked.
core::Value part_of(const core::Value&, const core::Loc& whole, const core::Loc& part);

// What the access that e (its last piece) belongs to has read, as memory made of bytes would give it.
core::Value value_read(const Graph&, const Tables&, EventId e);
// What the whole access that w belongs to writes. Requires its reads, if it is a read-modify-write, to be there.
core::Value value_written(const Graph&, const Tables&, EventId w);

// Is the graph, with whole accesses as events, acyclic in po ∪ rf ∪ co ∪ fr? Then every model has it.
bool whole_accesses_sequential(const Graph&);

}  // namespace heddle::graph
