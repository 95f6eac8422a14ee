// sc, tso, pso, nsw: one global order extends preserved program order, external reads-from, coherence and from-read
// (docs/models.md, "Axioms"). The floor of a location is found by walking these edges backwards from the new event.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/consistency.h"

namespace heddle::graph {

class GlobalOrder : public Consistency {
 public:
  // Requires an order.
  GlobalOrder(axioms::GlobalOrder order, const Tables& t) : order_(order), tables_(t) {}

  bool with_hb() const override { return false; }
  bool failure_has_own_order() const override { return false; }
  void appended(Graph&, EventId e) override;
  void options(Graph&, EventId e, EventId revisited, std::vector<EventId>& out) override;
  void linked(Graph&, EventId) override {}
  bool consistent(Graph&, EventId, EventId) override { return true; }
  bool is_ordered(Graph&, EventId a, EventId e) override;

 private:
  BackwardReach::Edges edges() const {
    return order_ == axioms::GlobalOrder::Program ? BackwardReach::Edges::ProgramOrder
                                                  : BackwardReach::Edges::Preserved;
  }
  // Does a thread pass this event only with an empty buffer?
  bool is_full(const Event&) const;
  void preserve_tso(Graph&, EventId e) const;
  void preserve_pso(Graph&, EventId e) const;
  void preserve_nsw(Graph&, EventId e) const;

  const axioms::GlobalOrder order_;
  const Tables& tables_;  // dependencies, for nsw; atomic sections
  BackwardReach reach_;
};

}  // namespace heddle::graph
