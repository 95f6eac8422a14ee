// SPDX-License-Identifier: Apache-2.0
#include "graph/consistency.h"

#include "graph/axiomatic.h"
#include "graph/global_order.h"
#include "graph/happens_before.h"
#include "graph/ordered_before.h"
#include "graph/propagation.h"

namespace heddle::graph {

bool is_acquire(core::Order o) {
  return o == core::Order::Acquire || o == core::Order::AcqRel || o == core::Order::SeqCst;
}
core::Order common_order(const core::Request& q) {
  return is_acquire(q.order) && is_acquire(q.failure) ? core::Order::Acquire : core::Order::Relaxed;
}
bool is_release(core::Order o) {
  return o == core::Order::Release || o == core::Order::AcqRel || o == core::Order::SeqCst;
}

void BackwardReach::begin(const Graph& g, EventId settled) {
  settled_ = settled;
  if (mark_.size() < g.events.size()) {
    mark_.resize(g.events.size() * 2);
    stack_.resize(mark_.size());
  }
  if (++epoch_ == 0) {
    mark_.assign(mark_.size(), 0);
    epoch_ = 1;
  }
}

void BackwardReach::add(const Graph& g, EventId e, Edges edges) {
  predecessors(g, e, edges);
  while (pending_ > 0) predecessors(g, stack_[--pending_], edges);
}

void BackwardReach::predecessors(const Graph& g, EventId id, Edges edges) {
  const Event& e = g[id];
  if (edges == Edges::ProgramOrder) {
    if (e.po_prev != no_event) push(e.po_prev);
    else push(g.threads[e.thread].created_by);
  } else {
    const std::size_t end = id + 1 < g.size() ? g[id + 1].ppo_begin : g.ppo.size();
    for (std::size_t i = e.ppo_begin; i < end; ++i) push(g.ppo[i]);
  }
  if (e.kind == EventKind::Read) {
    if (e.rf >= 0 && (edges == Edges::ProgramOrder || g[e.rf].thread != e.thread)) push(e.rf);
  } else if (e.kind == EventKind::Write) {
    if (e.co_prev != no_event) {
      push(e.co_prev);
      for (EventId r = g.readers(e.co_prev); r != no_event; r = g[r].next_reader) push(r);
    }
  } else if (e.kind == EventKind::Join) {
    // The thread has ended once its buffer is empty: all that it did is before the join.
    for (EventId c = g.threads[static_cast<ThreadId>(e.value.bits)].last; c != no_event; c = g[c].po_prev) {
      push(c);
      if (edges == Edges::ProgramOrder) break;
    }
  }
}

std::unique_ptr<Consistency> make_consistency(const axioms::Model& model, const Tables& tables) {
  if (model.global_order != axioms::GlobalOrder::None) return std::make_unique<GlobalOrder>(model.global_order, tables);
  if (model.language) return std::make_unique<HappensBefore>(model.all_release_acquire, model.thread_release_sequences);
  if (model.strong) return std::make_unique<Propagation>(model, tables);
  return std::make_unique<OrderedBefore>(model, tables);
}

}  // namespace heddle::graph
