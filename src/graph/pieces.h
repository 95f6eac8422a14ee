// Accesses whose bytes others cut. Such an access is explored as several events, one per piece; a piece is what no
// access cuts. That is more than any model allows, so a graph with pieces is put together at its end (and at failures)
// and judged by the model's axioms on whole accesses, each group of bytes with its own reads-from and coherence
// (axioms/execution.h, `slices`).
//
// Each piece of a read is an event of its own: it reads from, and is revisited by, any write of its bytes. A write is
// one event, whatever its pieces: who reads one has all of them before it, each takes its own place in coherence (but
// no two plain writes come in different orders), and reads are revisited, and promises (graph/promises.h) kept, once all
// are there. Were its pieces added and revisiting one by one, another read-modify-write could come between those of one,
// take the place that a later piece needs, and end the path on which a third write was to come.
//
// A graph can be inconsistent although each piece is not, and still lead to executions: a cut read that saw half of a
// write may have its last piece revisited. Such a thread *stalls*: it goes no further, its read counts for nothing, and
// unless a revisit mends it the graph is dropped at its end. A read-modify-write stalls, too, when some piece has no
// room behind the write that its read saw, or when another one takes that place from it (graph/revisits.h). Models that
// judge graphs before their end stall a read as soon as they find it inconsistent, and drop it if its last piece saw an
// old write: no revisit mends that.
//
// Each graph of pieces is one execution of whole accesses, so none comes twice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axioms/models.h"
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
// Is the graph, with whole accesses as events, one of the model's?
bool whole_accesses_hold(const Graph&, const Tables&, const axioms::Model&);

// Is some other write before w's access in this piece, and behind it in the piece before, or the other way round? No
// model has such writes. No revisit takes them apart, either: the younger of the two was not added maximally, nor was
// the elder if the younger is to stay. Not so for read-modify-writes, whose place their reads decide, piece by piece.
bool crosses_another_write(const Graph&, EventId w);

}  // namespace heddle::graph
