// The reads that a new write revisits, and the condition that makes every execution be reached exactly once
// (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022, section 3.3: maximal extensions).
//
// A revisit of read r by write w deletes what is younger than r and not before w in po ∪ rf. It is done only if r and
// everything deleted was added *maximally*: a read reads from, and a write is, the coherence-latest among the events
// that are older than it or before w; a choice is 0; a sleeping read (graph/spinloops.h) is blocked by the latest. So
// among all graphs from which the same revisit would lead to the same graph, exactly one does it.
//
// Of two read-modify-writes that have read the same write only one can write. With accesses of one piece it is enough
// that the later one revisits the read of the elder one. But if that is one of several pieces of a read, a later piece may
// be revisited in the end by a write that the later read-modify-write precedes: a compare-exchange that fails by it, and
// whose first piece keeps what it has read. So the write w of a read-modify-write also *displaces* such a write: it
// deletes that and what is younger, under the same conditions, and the thread of the deleted write stalls
// (graph/pieces.h) as it does where w comes first. A thread that stalls so was added maximally if what displaced it is
// older than it or before the revisiting write.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/graph.h"
#include "graph/spinloops.h"

namespace heddle::graph {

class Revisits {
 public:
  Revisits(const Tables& tables, Spinloops& spinloops) : tables_(tables), spinloops_(spinloops) {}

  // Appends the reads, and the first pieces of the writes to be displaced, youngest first. Requires w to be appended, but in no place of coherence; of several pieces, the
  // first.
  void find(const Graph&, EventId w, std::vector<EventId>& out) const;

 private:
  bool added_maximally(const Graph&, EventId e, const Graph::Clock* prefix) const;
  EventId oldest_candidate(const Graph&, EventId w) const;
  EventId oldest_by_threads(const Graph&, EventId w) const;
  bool writes(const Graph&, EventId w, LocId) const;
  bool displaces(const Graph&, EventId w, EventId e) const;

  const Tables& tables_;
  Spinloops& spinloops_;
};

}  // namespace heddle::graph
