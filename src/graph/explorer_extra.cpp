// Parts of the exploration that only some models and programs need: promises of load buffering, atomic steps.
// SPDX-License-Identifier: Apache-2.0
#include "graph/explorer.h"

#include <algorithm>
#include <optional>

#include "axioms/models.h"
#include "graph/pieces.h"
#include "graph/to_execution.h"

namespace heddle::graph {

// Reads that come before w in po ∪ rf, though nothing keeps w from overtaking them, may read from it.
void Explorer::find_promises(EventId w) {
  const Graph& g = graph();
  const Graph::Clock* prefix = g.porf(w);
  const Event& e = g[w];
  std::optional<Promise> promise;
  for (EventId r = g.settled; r < w; ++r) {
    const Event& q = g[r];
    if (q.kind != EventKind::Read || q.loc != e.loc || q.thread == e.thread || q.asleep || !g.in(r, prefix)) continue;
    if (!promise) {
      promise = {e.thread, e.index, e.loc, e.value, {}};
      if (!rests_on(w, promise->basis)) return;
      consistency_.must_precede(g, w, marked_);
    }
    if (!marked_[static_cast<std::size_t>(r)]) promises_->add(q, *promise);
  }
}

// What w and its value come from, along dependencies and reads-from, and the promises that are still to be kept among
// it. False if these contradict each other, or what they are promised to.
bool Explorer::rests_on(EventId w, std::vector<std::uint32_t>& basis) {
  const Graph& g = graph();
  marked_.assign(g.events.size(), 0);
  std::vector<EventId> sources{w};
  const auto push = [&](EventId e) {
    if (e < g.settled || marked_[static_cast<std::size_t>(e)]) return;  // what is settled rests on no promise
    marked_[static_cast<std::size_t>(e)] = 1;
    sources.push_back(e);
  };
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const EventId id = sources[i];
    const Event& e = g[id];
    if (e.piece > 0) push(e.po_prev);
    if (e.kind == EventKind::Write && e.rmw) push(g[g.first_piece(id)].po_prev);
    if (e.kind == EventKind::Read) {
      push(e.rf);
      if (e.promised && e.rf == no_event) {
        basis.push_back(e.promise);
        const auto& further = promises_->all[e.promise].basis;
        basis.insert(basis.end(), further.begin(), further.end());
      }
    }
    const core::Deps& d = tables_.deps(e.before);
    if (d.addr.empty() && d.data.empty() && d.ctrl.empty()) continue;
    const auto depends = [](const core::LoadSet& s, std::uint32_t k) {
      return std::binary_search(s.begin(), s.end(), k);
    };
    std::uint32_t loads = e.loads;
    for (EventId p = e.po_prev; p >= g.settled; p = g[p].po_prev) {
      if (!is_load(g[p])) continue;
      --loads;
      if (depends(d.addr, loads) || depends(d.data, loads) || depends(d.ctrl, loads)) push(p);
    }
  }
  std::sort(basis.begin(), basis.end());
  basis.erase(std::unique(basis.begin(), basis.end()), basis.end());
  for (const std::uint32_t i : basis) {
    const Promise& p = promises_->all[i];
    for (const std::uint32_t j : basis)
      if (i != j && p.same_place(promises_->all[j])) return false;
    for (const EventId s : sources) {
      const Event& e = g[s];
      if (p.thread != e.thread || p.index != e.index) continue;
      if (s == w || e.kind != EventKind::Write || e.loc != p.loc || !(e.value == p.value)) return false;
    }
  }
  return true;
}

// e was added. If it is a write that was promised, its reads have it now. Anything else at that place is no reason to
// give up: a revisit may still take it away.
bool Explorer::settle(EventId id) {
  if (promises_ == nullptr) return true;
  Graph& g = graph();
  if (g.promises == 0) return true;
  for (EventId r = g.settled; r < g.size(); ++r) {
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

// Atomic steps as single nodes, and the edges of the graph between them. Events are numbered from `from` on, where a
// phase begins: no cycle goes through anything older.
struct Explorer::Contracted {
  EventId from = 0;
  std::vector<std::size_t> node;                // of each event: the first event of its step
  std::vector<std::vector<std::size_t>> after;  // edges between nodes
  std::vector<std::size_t> steps;               // nodes of more than one access

  std::size_t at(EventId e) const { return static_cast<std::size_t>(e - from); }
  void edge(EventId a, EventId b) {
    if (a >= from && node[at(a)] != node[at(b)]) after[node[at(a)]].push_back(node[at(b)]);
  }
  bool reaches(std::size_t begin, std::size_t to) const {
    std::vector<std::size_t> stack = after[begin];
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

Explorer::Contracted Explorer::contract(const Graph& g, bool preserved, EventId from) const {
  Contracted c;
  c.from = from;
  c.node.resize(c.at(g.size()));
  c.after.resize(c.at(g.size()));
  for (EventId e = from; e < g.size(); ++e) {
    const Event& v = g[e];
    const bool joined = v.po_prev != no_event && tables_.step(v.before).request.joined &&
                        !(v.rmw && v.kind == EventKind::Write) && v.piece == 0;
    const bool same_step = joined || v.piece > 0 || (v.rmw && v.kind == EventKind::Write);
    c.node[c.at(e)] = same_step && v.po_prev >= from ? c.node[c.at(v.po_prev)] : c.at(e);
    if (joined && (c.steps.empty() || c.steps.back() != c.node[c.at(e)])) c.steps.push_back(c.node[c.at(e)]);
  }
  for (EventId e = from; e < g.size(); ++e) {
    const Event& v = g[e];
    if (preserved) {
      const std::size_t end = e + 1 < g.size() ? g[e + 1].ppo_begin : g.ppo.size();
      for (std::size_t i = v.ppo_begin; i < end; ++i) c.edge(g.ppo[i], e);
    } else {
      c.edge(v.po_prev != no_event ? v.po_prev : g.threads[v.thread].created_by, e);
    }
    if (v.kind == EventKind::Read && v.rf >= 0 && !(preserved && g[v.rf].thread == v.thread)) c.edge(v.rf, e);
    if (v.kind == EventKind::Join)
      for (EventId last = g.threads[static_cast<ThreadId>(v.value.bits)].last; last >= from; last = g[last].po_prev)
        c.edge(last, e);
    if (v.kind == EventKind::Write && v.co_prev != no_event) {
      c.edge(v.co_prev, e);
      for (EventId r = g.readers(v.co_prev); r != no_event; r = g[r].next_reader) c.edge(r, e);
    }
  }
  return c;
}

// Do the accesses of every atomic step act as one in some run with this graph? A step that no path of po ∪ rf ∪ co ∪ fr
// leads back to can be drawn together under any model. Where one does: sc forbids it; tso, pso and nsw have an order of
// their own to ask; for the others see steps_as_if_locked.
bool Explorer::atomic_steps_hold(const Graph& g) {
  const Contracted full = contract(g, false, g.settled);
  std::vector<std::size_t> doubtful;
  for (const std::size_t s : full.steps)
    if (full.reaches(s, s)) doubtful.push_back(s);
  if (doubtful.empty()) return true;
  if (options_of_run_.model == "sc") return false;
  if (g.ppo.empty()) return steps_as_if_locked(g, full);
  const Contracted order = contract(g, true, g.settled);
  for (const std::size_t s : doubtful)
    if (order.reaches(s, s)) return false;
  return true;
}

// Under models without one order of all events an atomic step is what a lock would make of it: steps that have a
// location in common come one after the other, each with all that the one before it did; so does an acquire that reads
// from a step, and a step that reads from a release. The axioms are asked whether that can be.
bool Explorer::steps_as_if_locked(const Graph& g, const Contracted& full) {
  const std::size_t k = full.steps.size();
  std::vector<std::size_t> number(full.node.size(), k);
  std::vector<EventId> first(k, no_event), last(k, no_event);
  for (std::size_t i = 0; i < k; ++i) number[full.steps[i]] = i;
  const auto step_of = [&](EventId e) { return e < full.from ? k : number[full.node[full.at(e)]]; };
  for (EventId e = full.from; e < g.size(); ++e)
    if (const std::size_t s = step_of(e); s < k) {
      if (first[s] == no_event) first[s] = e;
      last[s] = e;
    }
  std::vector<std::vector<std::uint8_t>> before(k, std::vector<std::uint8_t>(k, 0));
  std::vector<std::pair<EventId, EventId>> pairs;
  for (const LocState& l : g.locs) {
    // Reads of a write come before the next write; reads of the same write have no order.
    std::vector<std::size_t> earlier;
    const auto follows = [&](std::size_t s, const std::vector<std::size_t>& list) {
      for (const std::size_t p : list)
        if (s < k && p < k && p != s) before[p][s] = 1;
    };
    for (EventId w = initial_write(static_cast<LocId>(&l - g.locs.data())); w != no_event; w = g.co_next(w)) {
      const std::size_t s = step_of(w);
      follows(s, earlier);
      if (s < k) earlier.push_back(s);
      const std::vector<std::size_t> so_far = earlier;
      for (EventId r = g.readers(w); r != no_event; r = g[r].next_reader) {
        const std::size_t t = step_of(r);
        follows(t, so_far);
        if (t < k) earlier.push_back(t);
        if (w >= 0 && s < k && t == k && is_acquire(g[r].order)) pairs.emplace_back(last[s], r);
        if (w >= full.from && s == k && t < k && is_release(g[w].order)) pairs.emplace_back(w, first[t]);
      }
    }
  }
  for (std::size_t m = 0; m < k; ++m)
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; before[i][m] && j < k; ++j) before[i][j] |= before[m][j];
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      if (!before[i][j]) continue;
      if (i == j) return false;
      if (g[first[i]].thread != g[first[j]].thread) pairs.emplace_back(last[i], first[j]);
      else if (first[i] > first[j]) return false;
    }
  const auto yes = accepted(g, tables_, *axioms::find_model(options_of_run_.model), pairs);
  return !tables_.drops().at(core::DropPlace::GraphSteps, !yes, options_of_run_.model) && *yes;
}

// Can every piece of the read-modify-write that w begins follow what its read saw? Requires w to be the last event, in
// no place yet; leaves it so.
bool Explorer::has_room(EventId w) {
  Graph& g = graph();
  const ThreadId t = g[w].thread;
  const std::size_t begin = options_.size();
  for (EventId piece = w;; piece = begin_write(t)) {
    places_for(piece);
    const std::size_t count = options_.size() - begin;  // more than one where a promise is still to be kept
    const bool room = count > 0, last = count > 1 || g[piece].piece + 1 == g[piece].pieces;
    const EventId after = room ? options_.back() : no_event;
    options_.resize(begin);
    if (room) {
      g.link_write(piece, after);
      consistency_.linked(g, piece);
    }
    if (!room || last) {
      const bool fits = room && (count > 1 || consistency_.consistent(g, piece, no_event));
      g.truncate(w);
      begin_write(t);
      return fits;
    }
  }
}

// The thread goes no further.
bool Explorer::stall(ThreadId t) {
  Graph& g = graph();
  Event e;
  e.thread = t;
  e.kind = EventKind::Stalled;
  e.before = e.after = g.threads[t].state;
  const EventId id = g.append(e, tables_.location_count());
  consistency_.appended(g, id);
  consistency_.linked(g, id);
  pending_ = none;
  return true;
}

// See graph/pieces.h.
bool Explorer::whole_accesses_hold(const Graph& g) {
  if (g.pieces == 0 || promises_ != nullptr || whole_accesses_sequential(g))
    return true;  // with promises the axioms are asked anyway
  if (options_of_run_.model == "sc") return false;
  const auto yes = accepted(g, tables_, *axioms::find_model(options_of_run_.model));
  return !tables_.drops().at(core::DropPlace::GraphAccesses, !yes, options_of_run_.model) && *yes;
}

bool Explorer::may_precede(const Graph& g, EventId first, EventId second) const {
  const EventId from = g[std::max(first, second)].settled;
  if (std::min(first, second) < from) return first < second;
  const Contracted c = contract(g, false, from);
  return !c.reaches(c.node[c.at(second)], c.node[c.at(first)]);
}

}  // namespace heddle::graph
