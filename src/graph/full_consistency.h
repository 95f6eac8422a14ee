// Is a graph that is consistent event by event an execution of the model? Asked where a phase ends (graph.h), at
// failures and at maximal graphs, for what the incremental checks cannot see: whole accesses of several pieces, models
// that only axioms define, atomic steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/atomic_steps.h"
#include "graph/consistency.h"
#include "graph/pieces.h"

namespace heddle::graph {

class FullConsistency {
 public:
  FullConsistency(const Tables& tables, Consistency& consistency, const axioms::Model& model)
      : tables_(tables), consistency_(consistency), model_(model), steps_(tables, model) {}

  // Atomic steps come last: of a graph that is no execution they say nothing.
  bool holds(const Graph& g) {
    if (g.stalled > 0) return false;
    if (consistency_.load_buffering()) {
      if (!consistency_.whole(g)) return false;  // judges whole accesses, too
    } else if (g.pieces > 0 && !whole_accesses_hold(g, tables_, model_)) {
      return false;
    }
    return !tables_.has_atomic_steps() || steps_.hold(g);
  }
  // May a graph that is consistent event by event turn out not to be an execution?
  bool needed() const { return consistency_.load_buffering() || tables_.has_pieces() || tables_.has_atomic_steps(); }
  AtomicSteps& steps() { return steps_; }

 private:
  const Tables& tables_;
  Consistency& consistency_;
  const axioms::Model& model_;
  AtomicSteps steps_;
};

}  // namespace heddle::graph
