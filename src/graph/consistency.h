// Which writes a new read may read from, and where in coherence a new write may go: the memory models as incremental
// checks on a growing graph.
//
// Graphs grow at the ends of threads. An event that was just added has edges into it (program order, reads-from) and
// only two kinds of edges out of it: from-read to the writes after the one it reads, and coherence to the writes after
// itself. So what is allowed is always an upper part of the location's coherence order, and its floor is the latest
// write that some event ordered before the new one has seen. Reading from, or writing after, the latest write is always
// allowed: the property that the exploration's maximality condition needs.
//
// A revisit adds two events at once, a write and the read that now reads it; the floor of both counts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "axioms/models.h"
#include "graph/graph.h"

namespace heddle::graph {

class Consistency {
 public:
  virtual ~Consistency() = default;
  virtual bool with_hb() const = 0;
  // Machines wait by the order of the instruction, also where a compare-exchange fails.
  virtual bool failure_has_own_order() const { return true; }

  // e was appended; its rf or co is not known yet.
  virtual void appended(Graph&, EventId e) = 0;
  // The writes, latest first, that e may read from or follow in coherence; with `revisited`, that e may follow so that
  // this read, which has no rf, can read from e. Atomicity of read-modify-writes is not looked at.
  virtual void options(Graph&, EventId e, EventId revisited, std::vector<EventId>& out) = 0;
  // e has its rf or co now: computes its clocks.
  virtual void linked(Graph&, EventId e) = 0;
  // What `options` cannot see. Requires all else to be consistent before e (and `revisited`) came.
  virtual bool consistent(Graph&, EventId e, EventId revisited) = 0;
  // Do the graph's clocks, if it has them, put a before e? Then a precedes e in every run that has e's porf prefix.
  bool known_before(const Graph& g, EventId a, EventId e) const { return with_hb() && g.in(a, g.hb(e)); }
  // Is a before e in every run with this graph? Requires a ≠ e, a older than e.
  bool ordered(Graph& g, EventId a, EventId e) {
    asked_ = no_event;
    return is_ordered(g, a, e);
  }
  // The same, directly after a question about the same e: what precedes it need not be searched for again.
  bool ordered_too(Graph& g, EventId a, EventId e) { return is_ordered(g, a, e); }

  // Models that allow cycles in po ∪ rf only:
  virtual bool load_buffering() const { return false; }
  virtual bool whole(const Graph&) { return true; }  // is the graph, as it is, one of the model's?
  virtual void must_precede(const Graph&, EventId, std::vector<std::uint8_t>&) {}  // what the write can never overtake
  // The same, of its own thread, and by what this thread does alone.
  virtual void must_precede_in_thread(const Graph&, EventId, std::vector<std::uint8_t>&) {}
  virtual bool overtakes_addresses() const { return false; }  // axioms::Model

 protected:
  virtual bool is_ordered(Graph&, EventId a, EventId e) = 0;
  // Was what precedes e, and is not older than `from`, searched for by the question before? It is by this one.
  bool searched(EventId e, EventId from) {
    const bool again = asked_ == e && from_ == from;
    asked_ = e;
    from_ = from;
    return again;
  }

 private:
  EventId asked_ = no_event, from_ = 0;
};

std::unique_ptr<Consistency> make_consistency(const axioms::Model&, const Tables&);

// Backward reachability along po ∪ rf ∪ co ∪ fr, or with the graph's preserved program order instead of po and
// external rf only. Shared by the models.
class BackwardReach {
 public:
  enum class Edges : std::uint8_t { ProgramOrder, Preserved };
  void begin(const Graph& g, EventId settled);       // see graph.h: what is older counts as reached
  void add(const Graph& g, EventId e, Edges edges);  // e's predecessors, and theirs
  bool has(EventId e) const { return e < settled_ || mark_[static_cast<std::size_t>(e)] == epoch_; }

 private:
  void push(EventId e) {
    if (e < settled_ || mark_[static_cast<std::size_t>(e)] == epoch_) return;
    mark_[static_cast<std::size_t>(e)] = epoch_;
    stack_[pending_++] = e;
  }
  void predecessors(const Graph& g, EventId e, Edges edges);

  std::vector<std::uint32_t> mark_;
  std::vector<EventId> stack_;  // as long as mark_: each event is on it at most once
  std::size_t pending_ = 0;     // of these, the events whose predecessors are still to be looked at
  std::uint32_t epoch_ = 0;
  EventId settled_ = 0;  // what is older is before everything (graph.h)
};

// Has one of these threads written w, or read from it? Coherence lets them see no older write.
inline bool seen_by(const Graph& g, EventId w, ThreadId t, ThreadId other) {
  if (g[w].thread == t || g[w].thread == other) return true;
  for (EventId r = g[w].readers; r != no_event; r = g[r].next_reader)
    if (g[r].thread == t || g[r].thread == other) return true;
  return false;
}

bool is_acquire(core::Order);
// Of the read of a compare-exchange with two different orders: what holds of it whether it succeeds or fails. Either order
// may be the stronger one (C17 7.17.7.4).
core::Order common_order(const core::Request&);
bool is_release(core::Order);

}  // namespace heddle::graph
