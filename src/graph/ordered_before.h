// rmo, armv8, riscv: coherence, atomicity of read-modify-writes, and one order that extends what threads keep in order
// (graph/local_order.h), external reads-from, coherence and from-read.
//
// A new event has edges into it from its thread, from the write it reads or follows, and from the reads of the write it
// follows; its only edges out are from-read and coherence. So, as for the models of graph/global_order.h, the writes
// that a read may read from, or a write may follow, are an upper part of coherence, whose floor is the latest write
// that precedes the new event in the order or that its own thread has seen. Where an option adds edges beyond these
// (reading from an own write brings what that write depends on; a promised read gets its write), it is checked when it
// is taken: a new cycle leads from one of the new events back to it.
//
// Accesses of several pieces are judged by the axioms on whole accesses (graph/axiomatic.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/locally_ordered.h"

namespace heddle::graph {

class OrderedBefore : public LocallyOrdered {
 public:
  using LocallyOrdered::LocallyOrdered;

  void options(Graph&, EventId e, EventId revisited, std::vector<EventId>& out) override;
  bool consistent(Graph&, EventId e, EventId revisited) override;
  bool is_ordered(Graph&, EventId a, EventId e) override;

 private:
  EventId other_half(const Graph&, EventId) const;
  void begin(const Graph&, EventId settled);
  void add(const Graph&, EventId e);
  void expand(const Graph&, EventId e);
  void push(EventId e) {
    if (e < settled_ || e == origin_ || e == origin_half_ || mark_[static_cast<std::size_t>(e)] == epoch_) return;
    mark_[static_cast<std::size_t>(e)] = epoch_;
    stack_.push_back(e);
  }
  bool reached(EventId e) const { return e < settled_ || mark_[static_cast<std::size_t>(e)] == epoch_; }
  bool on_cycle(const Graph&, EventId e);
  bool coherent(const Graph&, LocId);

  std::vector<std::uint32_t> mark_;  // of each event: the epoch in which it was reached
  std::vector<EventId> stack_;
  std::uint32_t epoch_ = 0;
  EventId settled_ = 0;                                 // what is older precedes everything (graph.h)
  EventId origin_ = no_event, origin_half_ = no_event;  // while its own predecessors are looked at
  std::vector<std::uint32_t> position_;                 // scratch of coherent
};

}  // namespace heddle::graph
