// rc11 and ra: happens-before as vector clocks (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, section 3). Release
// sequences go on through later writes of the same thread to the same location and through read-modify-writes.
//
// Coherence is the floor of what happens before; the sc axiom (graph/psc.h) is checked when an event comes that has
// edges out of it. Where every access is seq_cst, psc is acyclic iff po ∪ rf ∪ co ∪ fr is, which is a floor as well.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/consistency.h"
#include "graph/psc.h"

namespace heddle::graph {

class HappensBefore : public Consistency {
 public:
  // all_release_acquire: every access, whatever its order, is a release or an acquire (model ra).
  // thread_release_sequences: they go on through later writes of the same thread to the same location (not in rc20).
  HappensBefore(bool all_release_acquire, bool thread_release_sequences)
      : ra_(all_release_acquire), own_writes_(thread_release_sequences), psc_(all_release_acquire) {}

  bool with_hb() const override { return true; }
  void appended(Graph&, EventId e) override;
  void options(Graph&, EventId e, EventId revisited, std::vector<EventId>& out) override;
  void linked(Graph&, EventId e) override;
  bool consistent(Graph&, EventId e, EventId revisited) override;
  bool is_ordered(Graph& g, EventId a, EventId e) override { return g.in(a, g.hb(e)); }

 private:
  bool acquires(const Event& e) const { return ra_ || is_acquire(e.order); }
  bool releases(const Event& e) const { return ra_ || is_release(e.order); }
  bool atomic(const Event& e) const { return ra_ || e.order != core::Order::Plain; }
  bool all_seq_cst(const Graph& g) const { return !ra_ && g.weak_accesses == 0; }
  static EventId release_head(const Graph&, EventId w);
  bool on_cycle(const Graph&, EventId e);

  bool ra_, own_writes_;
  BackwardReach reach_;
  Psc psc_;
};

}  // namespace heddle::graph
