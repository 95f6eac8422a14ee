// Parts of the exploration that only some models and programs need: promises of load buffering, atomic steps.
// SPDX-License-Identifier: Apache-2.0
#include "graph/explorer.h"

namespace heddle::graph {

// Reads that come before w in po ∪ rf, though nothing keeps w from overtaking them, may read from it.
void Explorer::find_promises(EventId w) {
  const Graph& g = graph();
  const Graph::Clock* prefix = g.porf(w);
  const Event& e = g[w];
  bool searched = false;
  for (EventId r = 0; r < w; ++r) {
    const Event& q = g[r];
    if (q.kind != EventKind::Read || q.loc != e.loc || q.thread == e.thread || q.asleep || !g.in(r, prefix)) continue;
    if (!searched) {
      consistency_.must_precede(g, w, marked_);
      searched = true;
    }
    if (!marked_[static_cast<std::size_t>(r)]) promises_->add(q, {e.thread, e.index, e.loc, e.value});
  }
}

// e was added. If it is a write that was promised, its reads have it now. Anything else at that place is no reason to
// give up: a revisit may still take it away.
bool Explorer::settle(EventId id) {
  if (promises_ == nullptr) return true;
  Graph& g = graph();
  if (g.promises == 0) return true;
  for (EventId r = 0; r < g.size(); ++r) {
    Event& q = g[r];
    if (!q.promised || q.rf != no_event) continue;
    const Promise& p = promises_->all[q.promise];
    const Event& e = g[id];
    if (p.thread != e.thread || p.index != e.index) continue;
    if (e.kind != EventKind::Write || e.loc != p.loc || !(e.value == p.value)) continue;
    if (!g.in(r, g.porf(id))) continue;  // an ordinary revisit finds this one
    g.keep_promise(r, id);
    if (q.pending) {
      // The write of the promised rmw is there already: it must come directly after this one.
      const EventId next = g[id].co_next;
      if (next == no_event || g[next].po_prev != r) return false;
    }
  }
  return true;
}

// Do the accesses of every atomic step act as one in some run with this graph? Steps become single nodes, and the
// model's order must still have no cycle. sc only: others are refused beforehand.
bool Explorer::atomic_steps_hold(const Graph& g) const {
  const auto n = static_cast<std::size_t>(g.size());
  std::vector<std::size_t> node(n);
  for (std::size_t e = 0; e < n; ++e) {
    const Event& v = g.events[e];
    const bool same_step = v.po_prev != no_event && (tables_.step(v.before).request.joined || (v.rmw && v.kind == EventKind::Write));
    node[e] = same_step ? node[static_cast<std::size_t>(v.po_prev)] : e;
  }
  std::vector<std::vector<std::size_t>> after(n);
  std::vector<std::size_t> before(n, 0);
  const auto edge = [&](EventId a, std::size_t b) {
    if (a < 0 || node[static_cast<std::size_t>(a)] == node[b]) return;
    after[node[static_cast<std::size_t>(a)]].push_back(node[b]);
    ++before[node[b]];
  };
  for (std::size_t e = 0; e < n; ++e) {
    const Event& v = g.events[e];
    edge(v.po_prev != no_event ? v.po_prev : g.threads[v.thread].created_by, e);
    if (v.kind == EventKind::Read && v.rf != no_event) edge(v.rf, e);
    if (v.kind == EventKind::Join) edge(g.threads[static_cast<ThreadId>(v.value.bits)].last, e);
    if (v.kind == EventKind::Write && v.co_prev != no_event) {
      edge(v.co_prev, e);
      for (EventId r = g.readers(v.co_prev); r != no_event; r = g[r].next_reader) edge(r, e);
    }
  }
  std::vector<std::size_t> ready;
  std::size_t left = 0;
  for (std::size_t e = 0; e < n; ++e)
    if (node[e] == e) {
      ++left;
      if (before[e] == 0) ready.push_back(e);
    }
  while (!ready.empty()) {
    const std::size_t e = ready.back();
    ready.pop_back();
    --left;
    for (const std::size_t s : after[e])
      if (--before[s] == 0) ready.push_back(s);
  }
  return left == 0;
}

}  // namespace heddle::graph
