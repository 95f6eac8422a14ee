// SPDX-License-Identifier: Apache-2.0
#include "graph/global_order.h"

#include <algorithm>

#include "axioms/fences.h"

namespace heddle::graph {

namespace {

axioms::Pairs pairs(const Event& e) {
  axioms::Event fence;
  fence.kind = axioms::EventKind::Fence;
  fence.order = e.order;
  fence.tag = e.tag;
  return axioms::ordered_by(fence);
}

// Holds later loads back until earlier stores have arrived, but not later stores.
bool holds_loads_only(const Event& e) { return e.kind == EventKind::Fence && pairs(e).wr && !pairs(e).ww; }

// A free is a write here, as in the axioms: a machine frees at once, but then an access that was before a write which that
// overtakes may as well see it.
bool writes(const Event& e) { return e.kind == EventKind::Write || e.kind == EventKind::Free; }

// Of several pieces of a write (graph/pieces.h) the first one stands directly behind the mark.
bool is_mark(const Event& e) {
  return e.kind == EventKind::Fence ? pairs(e).ww : e.kind == EventKind::Write && is_release(e.order) && e.piece == 0;
}

}  // namespace

bool GlobalOrder::is_full(const Event& e) const {
  switch (e.kind) {
    case EventKind::Read: return tables_.step(e.before).request.locked;
    case EventKind::Write: return e.order == core::Order::SeqCst && !e.rmw;
    case EventKind::Fence: {
      const axioms::Pairs kept = pairs(e);
      if (order_ == axioms::GlobalOrder::Nsw) return kept == axioms::every_pair;
      return kept.wr && (kept.ww || order_ == axioms::GlobalOrder::Tso);  // the model keeps the others by itself
    }
    case EventKind::Choose:
    case EventKind::Alloc:
    case EventKind::Free: return false;  // freed at once, whatever is in the buffer
    default: return true;                // spawn, join
  }
}

void GlobalOrder::appended(Graph& g, EventId e) {
  if (order_ == axioms::GlobalOrder::Program) return;
  if (g[e].po_prev == no_event) {
    if (g.threads[g[e].thread].created_by != no_event) g.ppo.push_back(g.threads[g[e].thread].created_by);
    return;
  }
  if (e < g.settled) g.ppo.push_back(g[e].po_prev);  // serial: nobody can see another order
  else if (order_ == axioms::GlobalOrder::Tso) preserve_tso(g, e);
  else if (order_ == axioms::GlobalOrder::Pso) preserve_pso(g, e);
  else preserve_nsw(g, e);
}

// Reads follow the last read or full fence. Everything else follows both the last write and the last read.
void GlobalOrder::preserve_tso(Graph& g, EventId id) const {
  const auto full = [&](const Event& e) { return e.rmw || is_full(e); };
  const Event& e = g[id];
  const bool skips_writes = !full(e) && !writes(e);
  bool seen_read = false, seen_write = skips_writes;
  EventId p = e.po_prev;
  for (; p != no_event && !(seen_read && seen_write); p = g[p].po_prev) {
    const Event& q = g[p];
    if (full(q)) {
      g.ppo.push_back(p);
      return;
    }
    bool& seen = writes(q) ? seen_write : seen_read;
    if (!seen) g.ppo.push_back(p);
    seen = true;
  }
  if (p == no_event && !(seen_read && seen_write)) {
    const EventId by = g.threads[e.thread].created_by;
    if (by != no_event) g.ppo.push_back(by);
  }
}

// Reads are in order and stay before later writes. A write follows an earlier one of its thread only on the same
// location or across a mark (release). Everything after a read-modify-write follows its write.
void GlobalOrder::preserve_pso(Graph& g, EventId id) const {
  const Event& e = g[id];
  const bool reads_only = !e.rmw && !is_full(e) && !writes(e) && !is_mark(e) && !holds_loads_only(e);
  const bool is_plain_mark = e.kind == EventKind::Fence && is_mark(e) && !is_full(e);
  bool after_mark = is_full(e) || is_mark(e) || holds_loads_only(e) || (e.rmw && is_release(e.order));
  bool seen_read = is_plain_mark;
  EventId p = e.po_prev;
  for (; p != no_event; p = g[p].po_prev) {
    const Event& q = g[p];
    // The fence itself follows all accesses before it.
    if (is_full(q) || (holds_loads_only(q) && e.kind == EventKind::Read)) {
      g.ppo.push_back(p);
      return;
    }
    if (q.rmw && q.kind == EventKind::Write) {
      // All earlier reads come before it; earlier writes to other places need not.
      g.ppo.push_back(p);
      if (reads_only) return;
      seen_read = true;
      after_mark = after_mark || is_mark(q);
      continue;
    }
    if (writes(q)) {
      if (!reads_only && (after_mark || (q.loc == e.loc && q.loc != none))) g.ppo.push_back(p);
    } else if (q.kind != EventKind::Fence) {
      if (!seen_read) g.ppo.push_back(p);
      seen_read = true;
      if (reads_only) return;
    }
    // A mark is in the buffer before its store's own entry, so the store itself was looked at above.
    after_mark = after_mark || is_mark(q);
  }
  const EventId by = g.threads[e.thread].created_by;
  if (by != no_event) g.ppo.push_back(by);
}

// Pair by pair, as axioms/nsw.cpp has it: a write follows earlier reads, a read what its address depends on; then
// fences, orders and marks as in pso. Loads are not in order, so there is no shorter list.
void GlobalOrder::preserve_nsw(Graph& g, EventId id) const {
  const Event& e = g[id];
  const core::Deps& d = tables_.deps(e.before);
  const bool reads = e.kind == EventKind::Read;
  std::uint32_t loads = 0;
  for (EventId p = e.po_prev; p != no_event; p = g[p].po_prev)
    loads += g[p].kind == EventKind::Read && g[p].piece + 1 == g[p].pieces;
  // What e itself waits for, and what the fences between it and the event looked at keep in order.
  const bool waits_for_all = is_full(e) || ((writes(e) || e.rmw) && is_release(e.order));
  bool rr = false, wr = false, ww = false, after_mark = false;
  EventId p = e.po_prev;
  for (; p != no_event; p = g[p].po_prev) {
    const Event& q = g[p];
    if (q.kind == EventKind::Read) {
      loads -= q.piece + 1 == q.pieces;
      const bool depends = std::binary_search(d.addr.begin(), d.addr.end(), loads);
      if (waits_for_all || writes(e) || depends || q.rmw || is_acquire(q.order) || (rr && reads) ||
          (e.rmw && q.loc == e.loc))
        g.ppo.push_back(p);
    } else if (q.kind == EventKind::Write) {
      if (waits_for_all || q.rmw || (wr && reads) || (ww && writes(e)) || (e.rmw && q.loc == e.loc) ||
          (after_mark && (writes(e) || e.rmw)) || q.order == core::Order::SeqCst)
        g.ppo.push_back(p);
    } else if (is_full(q)) {
      g.ppo.push_back(p);
      return;
    } else if (q.kind == EventKind::Fence) {
      const axioms::Pairs k = pairs(q);
      rr |= k.rr;
      wr |= k.wr;
      ww |= k.ww;
    }
    after_mark |= is_mark(q);
  }
  const EventId by = g.threads[e.thread].created_by;
  if (by != no_event) g.ppo.push_back(by);
}

void GlobalOrder::options(Graph& g, EventId e, EventId revisited, std::vector<EventId>& out) {
  const LocId loc = g[e].loc;
  const ThreadId t = g[e].thread;
  const ThreadId t2 = revisited == no_event ? t : g[revisited].thread;
  // Coherence within the own thread: the floor is what it wrote or read last.
  bool reached = false;
  for (EventId w = g.locs[loc].tail;; w = g[w].co_prev) {
    out.push_back(w);
    if (w < 0 || seen_by(g, w, t, t2)) return;
    if (!reached) {
      reach_.begin(g, g.settled);
      reach_.add(g, e, edges());
      if (revisited != no_event) reach_.add(g, revisited, edges());
      reached = true;
    }
    if (reach_.has(w)) return;
  }
}

bool GlobalOrder::is_ordered(Graph& g, EventId a, EventId e) {
  // Both may be in a phase that has been settled since.
  const EventId from = g[std::max(a, e)].settled;
  if (std::min(a, e) < from) return a < e;
  if (!searched(e, from)) {
    reach_.begin(g, from);
    reach_.add(g, e, edges());
  }
  return reach_.has(a);
}

}  // namespace heddle::graph
