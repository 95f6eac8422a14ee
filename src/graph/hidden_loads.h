// Loads that decide what a thread does while none of its dependencies names them.
//
// What a thread has read and then computed with is in its dependencies, unless it goes through memory. There models
// keep (addr ∪ data); rfi. In `own = r > 0 ? 300 : 1; if (own > 5) z = 1; y = 1` the load r picks what is stored
// (vm/shadow.h), which orders that store alone: y = 1 depends on the load of `own`, and that on nothing, yet with r it
// comes at one place of its thread or another (Event::place). Likewise with what a read-modify-write has read, by what
// it wrote.
//
// So a promise that rests on the write at one place may be kept at another, behind loads that have other values once it
// is made (graph/lost_promises.h), in every thread that reads what such a thread writes. Once an event was seen that
// depends on hidden loads, no promise is given up early, and all threads are promised to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph.h"
#include "graph/promise_book.h"
#include "graph/tables.h"

namespace heddle::graph {

class HiddenLoads {
 public:
  HiddenLoads(const Tables& tables, PromiseBook& book) : tables_(tables), book_(book) {}

  // e was added last: may it depend on hidden loads?
  bool behind(const Graph&, EventId e);

 private:
  bool hides(const Graph&, EventId r) const;

  const Tables& tables_;
  PromiseBook& book_;
};

}  // namespace heddle::graph
