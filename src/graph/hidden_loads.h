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
//
// Where r picks, other values may also be found to depend on other loads: `r == 1 ? 7 : r` depends on r unless r is 1. So
// a write that must not overtake a read here may overtake it once the read has another value, and is promised to it all the
// same if an event between them is behind a load that was picked so. Whether the promise can be kept is seen where it is.
// If it rests on another promise it is not made, or values would be promised that grow and grow; then executions may be
// missing, and the answer is UNKNOWN if nothing is violated (Promises::left_out).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "graph/graph.h"
#include "graph/promise_book.h"
#include "graph/tables.h"

namespace heddle::graph {

class HiddenLoads {
 public:
  HiddenLoads(const Tables& tables, PromiseBook& book) : tables_(tables), book_(book) {}

  enum class What : std::uint8_t { Nothing, Read, Picked };

  // e was added last: which hidden loads may it depend on? Those that picked a value come first.
  What behind(const Graph&, EventId e);

 private:
  What hidden_by(const Graph&, EventId r, const core::LoadSet& control) const;

  const Tables& tables_;
  PromiseBook& book_;
};

}  // namespace heddle::graph
