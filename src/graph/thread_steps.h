// The steps of threads: the event that a thread's request makes, and where an answer takes the thread.
//
// Events are appended to the graph and told to the model; reads-from, coherence and the choice among options are the
// exploration's affair. A read-modify-write is two events, a `pending` read and its write; a compare-exchange that
// fails is the read alone. A weak compare-exchange that may fail spuriously has a Choose event before its read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "graph/consistency.h"
#include "graph/graph.h"
#include "graph/loop_bound.h"
#include "graph/spinloops.h"

namespace heddle::graph {

// An event without options, before it is appended: a fence, a fault, allocation, creation or join of a thread.
struct LocalStep {
  Event event;
  ThreadId child = none;  // of a Spawn
  StateId start = none;   // of the child
};

class ThreadSteps {
 public:
  ThreadSteps(Names& names, Tables& tables, Consistency& consistency, Spinloops& spinloops, const LoopBound& bound)
      : names_(names), tables_(tables), consistency_(consistency), spinloops_(spinloops), bound_(bound) {}

  EventId read(Graph&, ThreadId);   // the next read, or piece of one; it has no rf yet
  EventId write(Graph&, ThreadId);  // the next write, or piece of one; it has no place in coherence yet
  EventId choice(Graph&, ThreadId, std::uint64_t value);
  EventId stall(Graph&, ThreadId);  // the thread goes no further (graph/pieces.h)

  LocalStep local(const Graph&, ThreadId);
  EventId append(Graph&, LocalStep&);  // requires room for the child

  // The last piece of read r has its value, and none of its flags is set: decides whether its write comes next, whether
  // it blocks its thread, and where the thread is after it.
  void resolve(Graph&, EventId r);
  // Forgets whether read r has a write, and the order that a compare-exchange has by it: as if r had just been added.
  void unresolve(Graph&, EventId r) const;

 private:
  EventId append(Graph&, Event&);
  core::Answer describe(const Graph&, LocalStep&);
  core::Fault fault_of_free(const Graph&, const core::Request&) const;
  bool writes(Graph&, EventId r, const core::Value& read);

  Names& names_;
  Tables& tables_;
  Consistency& consistency_;
  Spinloops& spinloops_;
  const LoopBound& bound_;
};

}  // namespace heddle::graph
