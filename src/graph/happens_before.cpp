// SPDX-License-Identifier: Apache-2.0
#include "graph/happens_before.h"

#include <algorithm>

namespace heddle::graph {

void HappensBefore::appended(Graph& g, EventId id) {
  // The clock without what the event itself learns: options() needs it.
  const Event& e = g[id];
  const EventId from = e.po_prev != no_event ? e.po_prev : g.threads[e.thread].created_by;
  if (from == no_event) std::fill_n(g.hb(id), g.stride(), Graph::Clock{0});
  else std::copy_n(g.hb(from), g.stride(), g.hb(id));
  g.hb(id)[e.thread] = static_cast<Graph::Clock>(e.index + 1);
}

void HappensBefore::options(Graph& g, EventId e, EventId revisited, std::vector<EventId>& out) {
  if (revisited != no_event) appended(g, revisited);
  const Graph::Clock* before = g.hb(e);
  const Graph::Clock* before2 = revisited == no_event ? before : g.hb(revisited);
  const auto seen = [&](EventId w) {
    if (g.in(w, before) || g.in(w, before2)) return true;
    for (EventId r = g[w].readers; r != no_event; r = g[r].next_reader)
      if (g.in(r, before) || g.in(r, before2)) return true;
    return false;
  };
  bool reached = !all_seq_cst(g);
  for (EventId w = g.locs[g[e].loc].tail;; w = g[w].co_prev) {
    out.push_back(w);
    if (w < 0 || seen(w)) return;
    if (!reached) {
      reach_.begin(g, g.settled);
      reach_.add(g, e, BackwardReach::Edges::ProgramOrder);
      if (revisited != no_event) reach_.add(g, revisited, BackwardReach::Edges::ProgramOrder);
      reached = true;
    }
    if (all_seq_cst(g) && reach_.has(w)) return;
  }
}

// Coherence follows program order, so the thread's write before this one is the first of its own that coherence meets.
EventId HappensBefore::release_head(const Graph& g, EventId id) {
  EventId w = g[id].co_prev;
  while (w >= 0 && g[w].thread != g[id].thread) w = g[w].co_prev;
  return w < 0 ? no_event : is_release(g[w].order) ? w : g[w].release_head;
}

void HappensBefore::linked(Graph& g, EventId id) {
  Event& e = g[id];
  appended(g, id);
  switch (e.kind) {
    case EventKind::Read:
      if (e.rf >= 0 && acquires(e)) g.join(g.hb(id), g.msg(e.rf));
      break;
    case EventKind::Write: {
      Graph::Clock* msg = g.msg(id);
      std::fill_n(msg, g.stride(), Graph::Clock{0});
      if (own_writes_) e.release_head = release_head(g, id);
      if (!atomic(e)) break;
      if (releases(e)) {
        std::copy_n(g.hb(id), g.stride(), msg);
      } else {
        // The later of two has all that the earlier one has.
        EventId head = e.release_fence;
        if (e.release_head != no_event && (head == no_event || g[e.release_head].index > g[head].index))
          head = e.release_head;
        if (head != no_event) std::copy_n(g.hb(head), g.stride(), msg);
      }
      if (e.rmw && g[g.read_of(id)].rf >= 0) g.join(msg, g.msg(g[g.read_of(id)].rf));
      break;
    }
    case EventKind::Fence:
      if (is_acquire(e.order))
        for (EventId p = e.po_prev; p != no_event; p = g[p].po_prev) {
          const Event& q = g[p];
          if (q.kind == EventKind::Fence && is_acquire(q.order)) break;
          if (q.kind == EventKind::Read && q.rf >= 0 && atomic(q)) g.join(g.hb(id), g.msg(q.rf));
        }
      break;
    case EventKind::Join: {
      const EventId last = g.threads[static_cast<ThreadId>(e.value.bits)].last;
      if (last != no_event) g.join(g.hb(id), g.hb(last));
      else {
        const EventId by = g.threads[static_cast<ThreadId>(e.value.bits)].created_by;
        if (by != no_event) g.join(g.hb(id), g.hb(by));
      }
      break;
    }
    default: break;
  }
}

bool HappensBefore::consistent(Graph& g, EventId e, EventId) {
  // Where options() knew that all is seq_cst it has seen to it.
  if ((all_seq_cst(g) && !g[e].mixed) || g.sc_events < 2) return true;
  // Pieces of accesses are not what the sc axiom is about: Explorer::whole_accesses_hold looks at whole ones.
  if (g.pieces > 0) return true;
  // Without an edge out of the new events there is no new cycle.
  if (g.co_next(g.write_of(e)) == no_event) return true;
  return psc_acyclic(g);
}

// psc = psc_base ∪ psc_fences as in the paper, over the seq_cst events of the graph.
bool HappensBefore::psc_acyclic(const Graph& g) {
  const auto n = static_cast<std::size_t>(g.size());
  const auto is_sc = [&](const Event& e) {
    return e.order == core::Order::SeqCst && !e.asleep && (!ra_ || e.kind == EventKind::Fence);
  };
  // Nothing settled is on a cycle (graph.h).
  nodes_.clear();
  bool fences = false;
  for (EventId e = g.settled; e < g.size(); ++e)
    if (is_sc(g[e])) {
      nodes_.push_back(e);
      fences |= g[e].kind == EventKind::Fence;
    }
  const std::size_t k = nodes_.size();
  if (k < 2) return true;
  // Coherence positions; a read stands where its write does.
  position_.assign(n, 0);
  for (const LocState& l : g.locs) {
    std::uint32_t at = 1;
    for (EventId w = l.initial_next; w != no_event; w = g[w].co_next) position_[static_cast<std::size_t>(w)] = at++;
  }
  const auto is_access = [&](EventId e) {
    return (g[e].kind == EventKind::Read && !g[e].asleep) || g[e].kind == EventKind::Write;
  };
  for (EventId e = 0; e < g.size(); ++e)
    if (g[e].kind == EventKind::Read)
      position_[static_cast<std::size_t>(e)] = g[e].rf >= 0 ? position_[static_cast<std::size_t>(g[e].rf)] : 0;
  const auto pos = [&](EventId e) { return position_[static_cast<std::size_t>(e)]; };
  const auto hb = [&](EventId a, EventId b) { return a != b && g.in(a, g.hb(b)); };
  const auto same_loc = [&](EventId a, EventId b) { return is_access(a) && is_access(b) && g[a].loc == g[b].loc; };
  const auto eco = [&](EventId a, EventId b) {
    if (!same_loc(a, b) || a == b) return false;
    if (g[a].kind == EventKind::Write && g[b].kind == EventKind::Read) return pos(a) <= pos(b);
    return pos(a) < pos(b);
  };
  // The first event after, and the last before, of the same thread that is not an access to the same location.
  next_elsewhere_.assign(n, no_event);
  last_elsewhere_.assign(n, no_event);
  for (EventId e = g.size() - 1; e >= g.settled; --e) {
    const EventId p = g[e].po_prev;
    if (p == no_event) continue;
    // Walking backwards: all later events of the thread have been handed to their predecessors already.
    next_elsewhere_[static_cast<std::size_t>(p)] = !same_loc(p, e) ? e : next_elsewhere_[static_cast<std::size_t>(e)];
  }
  for (EventId e = g.settled; e < g.size(); ++e) {
    const EventId p = g[e].po_prev;
    if (p == no_event) continue;
    last_elsewhere_[static_cast<std::size_t>(e)] = !same_loc(p, e) ? p : last_elsewhere_[static_cast<std::size_t>(p)];
  }
  const auto scb = [&](EventId a, EventId b) {
    if (a == b) return false;
    if (g[a].thread == g[b].thread && g[a].index < g[b].index) return true;
    if (same_loc(a, b)) {
      if (hb(a, b)) return true;
      if (g[b].kind == EventKind::Write && pos(a) < pos(b)) return true;  // mo, rb
    }
    const EventId c = next_elsewhere_[static_cast<std::size_t>(a)], d = last_elsewhere_[static_cast<std::size_t>(b)];
    return c != no_event && d != no_event && hb(c, d);
  };
  const std::size_t words = (k + 63) / 64;
  rows_.assign(k * words, 0);
  const auto connect = [&](std::size_t i, std::size_t j) { rows_[i * words + j / 64] |= std::uint64_t{1} << (j % 64); };
  if (!fences) {
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; j < k; ++j)
        if (scb(nodes_[i], nodes_[j])) connect(i, j);
    return acyclic(k);
  }
  // begins_[a]: nodes i with i [E_sc] a or [F_sc] i hb? a; ends_[b] likewise.
  begins_.assign(n * words, 0);
  ends_.assign(n * words, 0);
  const auto add = [&](std::vector<std::uint64_t>& v, EventId e, std::size_t i) {
    v[static_cast<std::size_t>(e) * words + i / 64] |= std::uint64_t{1} << (i % 64);
  };
  for (std::size_t i = 0; i < k; ++i) {
    add(begins_, nodes_[i], i);
    add(ends_, nodes_[i], i);
    if (g[nodes_[i]].kind != EventKind::Fence) continue;
    for (EventId e = g.settled; e < g.size(); ++e) {
      if (hb(nodes_[i], e)) add(begins_, e, i);
      if (hb(e, nodes_[i])) add(ends_, e, i);
    }
  }
  const auto edge = [&](EventId a, EventId b) {
    const std::uint64_t* from = &begins_[static_cast<std::size_t>(a) * words];
    const std::uint64_t* to = &ends_[static_cast<std::size_t>(b) * words];
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t bits = from[w]; bits; bits &= bits - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
        for (std::size_t v = 0; v < words; ++v) rows_[i * words + v] |= to[v];
      }
  };
  const auto any = [&](const std::vector<std::uint64_t>& v, EventId e) {
    for (std::size_t w = 0; w < words; ++w)
      if (v[static_cast<std::size_t>(e) * words + w]) return true;
    return false;
  };
  for (EventId a = g.settled; a < g.size(); ++a) {
    if (!any(begins_, a)) continue;
    for (EventId b = g.settled; b < g.size(); ++b)
      if (any(ends_, b) && scb(a, b)) edge(a, b);
  }
  // psc_fences: hb, and hb; eco; hb between fences.
  for (std::size_t i = 0; i < k; ++i) {
    if (g[nodes_[i]].kind != EventKind::Fence) continue;
    for (std::size_t j = 0; j < k; ++j)
      if (g[nodes_[j]].kind == EventKind::Fence && hb(nodes_[i], nodes_[j])) connect(i, j);
    for (EventId a = g.settled; a < g.size(); ++a) {
      if (!is_access(a) || !hb(nodes_[i], a)) continue;
      for (EventId b = g.settled; b < g.size(); ++b) {
        if (!eco(a, b)) continue;
        for (std::size_t j = 0; j < k; ++j)
          if (g[nodes_[j]].kind == EventKind::Fence && hb(b, nodes_[j])) connect(i, j);
      }
    }
  }
  return acyclic(k);
}

// Of rows_.
bool HappensBefore::acyclic(std::size_t k) {
  const std::size_t words = (k + 63) / 64;
  // Takes away nodes without predecessors until none is left, or none can be.
  colour_.assign(k, 0);
  for (std::size_t left = k; left > 0;) {
    bool taken = false;
    for (std::size_t j = 0; j < k; ++j) {
      if (colour_[j]) continue;
      bool has_pred = false;
      for (std::size_t i = 0; i < k && !has_pred; ++i)
        has_pred = !colour_[i] && ((rows_[i * words + j / 64] >> (j % 64)) & 1);
      if (has_pred) continue;
      colour_[j] = 1;
      --left;
      taken = true;
    }
    if (!taken) return false;
  }
  return true;
}

}  // namespace heddle::graph
