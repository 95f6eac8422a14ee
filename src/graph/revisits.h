// The reads that a new write revisits, and the condition that makes every execution be reached exactly once
// (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022, section 3.3: maximal extensions).
//
// A revisit of read r by write w deletes what is younger than r and not before w in po ∪ rf. It is done only if r and
// everything deleted was added *maximally*: a read reads from, and a write is, the coherence-latest among the events
// that are older than it or before w; a choice is 0; a sleeping read (graph/spinloops.h) is blocked by the latest. So
// among all graphs from which the same revisit would lead to the same graph, exactly one does it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/graph.h"
#include "graph/spinloops.h"

namespace heddle::graph {

class Revisits {
 public:
  Revisits(const Tables& tables, Spinloops& spinloops) : tables_(tables), spinloops_(spinloops) {}

  // Appends the reads, youngest first. Requires w to be appended, but in no place of coherence; of several pieces, the
  // first.
  void find(const Graph&, EventId w, std::vector<EventId>& out) const;

 private:
  bool added_maximally(const Graph&, EventId e, const Graph::Clock* prefix) const;
  EventId oldest_candidate(const Graph&, EventId w) const;
  EventId oldest_by_threads(const Graph&, EventId w) const;
  bool writes(const Graph&, EventId w, LocId) const;

  const Tables& tables_;
  Spinloops& spinloops_;
};

}  // namespace heddle::graph
