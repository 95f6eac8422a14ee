// Parts of the exploration that only some models and programs need: promises of load buffering, atomic steps.
// SPDX-License-Identifier: Apache-2.0
#include "graph/explorer.h"

#include <algorithm>

#include "axioms/models.h"
#include "graph/pieces.h"
#include "graph/to_execution.h"

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
      if (next == no_event || !g[next].rmw || g.read_of(next) != r) return false;
    }
  }
  return true;
}

// Atomic steps as single nodes, and the edges of the graph between them.
struct Explorer::Contracted {
  std::vector<std::size_t> node;                // of each event: the first event of its step
  std::vector<std::vector<std::size_t>> after;  // edges between nodes
  std::vector<std::size_t> steps;               // nodes of more than one access

  void edge(EventId a, std::size_t b) {
    if (a >= 0 && node[static_cast<std::size_t>(a)] != node[b]) after[node[static_cast<std::size_t>(a)]].push_back(node[b]);
  }
  bool reaches(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> stack = after[from];
    std::vector<std::uint8_t> seen(after.size(), 0);
    while (!stack.empty()) {
      const std::size_t n = stack.back();
      stack.pop_back();
      if (n == to) return true;
      if (seen[n]) continue;
      seen[n] = 1;
      stack.insert(stack.end(), after[n].begin(), after[n].end());
    }
    return false;
  }
};

Explorer::Contracted Explorer::contract(const Graph& g, bool preserved) const {
  Contracted c;
  const auto n = static_cast<std::size_t>(g.size());
  c.node.resize(n);
  c.after.resize(n);
  for (std::size_t e = 0; e < n; ++e) {
    const Event& v = g.events[e];
    const bool joined = v.po_prev != no_event && tables_.step(v.before).request.joined && !(v.rmw && v.kind == EventKind::Write) && v.piece == 0;
    const bool same_step = joined || v.piece > 0 || (v.rmw && v.kind == EventKind::Write);
    c.node[e] = same_step ? c.node[static_cast<std::size_t>(v.po_prev)] : e;
    if (joined && (c.steps.empty() || c.steps.back() != c.node[e])) c.steps.push_back(c.node[e]);
  }
  for (std::size_t e = 0; e < n; ++e) {
    const Event& v = g.events[e];
    if (preserved) {
      const std::size_t end = e + 1 < n ? g.events[e + 1].ppo_begin : g.ppo.size();
      for (std::size_t i = v.ppo_begin; i < end; ++i) c.edge(g.ppo[i], e);
    } else {
      c.edge(v.po_prev != no_event ? v.po_prev : g.threads[v.thread].created_by, e);
    }
    if (v.kind == EventKind::Read && v.rf >= 0 && !(preserved && g[v.rf].thread == v.thread)) c.edge(v.rf, e);
    if (v.kind == EventKind::Join)
      for (EventId last = g.threads[static_cast<ThreadId>(v.value.bits)].last; last != no_event; last = g[last].po_prev) c.edge(last, e);
    if (v.kind == EventKind::Write && v.co_prev != no_event) {
      c.edge(v.co_prev, e);
      for (EventId r = g.readers(v.co_prev); r != no_event; r = g[r].next_reader) c.edge(r, e);
    }
  }
  return c;
}

// Do the accesses of every atomic step act as one in some run with this graph? A step that no path of po ∪ rf ∪ co ∪ fr
// leads back to can be drawn together under any model. Where one does: sc forbids it; tso, pso and nsw have an order of
// their own to ask; the others forbid what was seen between two accesses of a step, and beyond that cannot tell.
bool Explorer::atomic_steps_hold(const Graph& g) {
  const Contracted full = contract(g, false);
  std::vector<std::size_t> doubtful;
  for (const std::size_t s : full.steps)
    if (full.reaches(s, s)) doubtful.push_back(s);
  if (doubtful.empty()) return true;
  if (options_of_run_.model == "sc") return false;
  if (!g.ppo.empty()) {
    const Contracted order = contract(g, true);
    for (const std::size_t s : doubtful)
      if (order.reaches(s, s)) return false;
    return true;
  }
  // What another thread wrote or read between two accesses to the same location of one step.
  for (std::size_t a = 0; a < full.node.size(); ++a) {
    const Event& v = g.events[a];
    if (std::find(doubtful.begin(), doubtful.end(), full.node[a]) == doubtful.end()) continue;
    if (v.kind != EventKind::Read && v.kind != EventKind::Write) continue;
    // From the write that it sees or makes, forward to the next write of the same step: nobody else's may be between.
    for (EventId w = g.co_next(g.write_of(static_cast<EventId>(a))), others = 0; w != no_event; w = g[w].co_next) {
      if (full.node[static_cast<std::size_t>(w)] != full.node[a]) ++others;
      else if (others > 0) return false;
    }
  }
  undecided_ = true;
  return false;
}

// See graph/pieces.h.
bool Explorer::whole_accesses_hold(const Graph& g) {
  if (g.pieces == 0 || promises_ != nullptr || whole_accesses_sequential(g)) return true;  // with promises the axioms are asked anyway
  if (options_of_run_.model == "sc") return false;
  const auto yes = accepted(g, tables_, *axioms::find_model(options_of_run_.model));
  if (!yes) consistency_.too_large = true;
  return yes.value_or(false);
}

bool Explorer::may_precede(const Graph& g, EventId first, EventId second) const {
  const Contracted c = contract(g, false);
  return !c.reaches(c.node[static_cast<std::size_t>(second)], c.node[static_cast<std::size_t>(first)]);
}

}  // namespace heddle::graph
