// The places in coherence that a new write may take.
//
// The model gives an upper part of the location's coherence order (graph/consistency.h). Of these, places that would
// separate a read-modify-write from the write that it read are none, the write of a read-modify-write has only the one
// behind what its read saw, and symmetric threads write in a prescribed order (graph/symmetry.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/consistency.h"
#include "graph/symmetry.h"
#include "graph/thread_steps.h"

namespace heddle::graph {

class CoherencePlaces {
 public:
  CoherencePlaces(Consistency& consistency, const Symmetry& symmetry, ThreadSteps& steps)
      : consistency_(consistency), symmetry_(symmetry), steps_(steps) {}

  // Appends the writes that w may follow. Requires w to be the last event, in no place yet.
  void find(Graph&, EventId w, std::vector<EventId>& out);
  // Can every piece of the read-modify-write that w begins follow what its read saw? Requires w to be the last event,
  // in no place yet; leaves it so.
  bool room_for_all_pieces(Graph&, EventId w);

 private:
  Consistency& consistency_;
  const Symmetry& symmetry_;
  ThreadSteps& steps_;
  std::vector<EventId> scratch_;
};

}  // namespace heddle::graph
