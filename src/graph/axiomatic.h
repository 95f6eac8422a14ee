// Models without an incremental check of their own (rmo, armv8, riscv, power): coherence gives the options, and the
// axioms judge the whole graph whenever an event comes that has edges out of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axioms/models.h"
#include "graph/consistency.h"

namespace heddle::graph {

class Axiomatic : public Consistency {
 public:
  Axiomatic(const axioms::Model& m, const Tables& t) : model_(m), tables_(t) {}

  bool with_hb() const override { return false; }
  void appended(Graph&, EventId) override {}
  void options(Graph&, EventId e, EventId revisited, std::vector<EventId>& out) override;
  void linked(Graph&, EventId) override {}
  bool consistent(Graph&, EventId e, EventId revisited) override;
  bool ordered(Graph& g, EventId a, EventId e) override;
  bool whole(const Graph&) override;
  void must_precede(const Graph&, EventId w, std::vector<std::uint8_t>& marked) override;
  bool load_buffering() const override { return true; }

 private:
  const axioms::Model& model_;
  const Tables& tables_;
  std::vector<EventId> stack_;
};

}  // namespace heddle::graph
