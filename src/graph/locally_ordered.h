// Models whose order within threads is looked up (graph/local_order.h): every event is given its node when it is added,
// and a read again when it is known what it reads from. Accesses of several pieces have none: the axioms judge these on
// whole accesses (graph/axiomatic.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/axiomatic.h"
#include "graph/local_order.h"

namespace heddle::graph {

class LocallyOrdered : public Axiomatic {
 public:
  // Requires model.local.
  LocallyOrdered(const axioms::Model& model, const Tables& tables) : Axiomatic(model, tables), local_(model, tables) {}

  void appended(Graph& g, EventId e) override {
    Axiomatic::appended(g, e);
    if (!tables().has_pieces()) g[e].local = local_.node(g, e, false);
  }
  void linked(Graph& g, EventId e) override {
    Axiomatic::linked(g, e);
    if (!tables().has_pieces() && g[e].kind == EventKind::Read) g[e].local = local_.node(g, e, true);
  }
  // Every event was checked when it came.
  bool whole(const Graph& g) override { return !tables().has_pieces() || Axiomatic::whole(g); }

 protected:
  LocalOrder& local() { return local_; }

 private:
  LocalOrder local_;
};

}  // namespace heddle::graph
