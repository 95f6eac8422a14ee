// SPDX-License-Identifier: Apache-2.0
#include "graph/happens_before.h"

#include <algorithm>

namespace heddle::graph {

// The clock without what the event itself learns: options() needs it.
void HappensBefore::appended(Graph& g, EventId id) { g.reset_hb(id); }

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
  switch (e.kind) {
    case EventKind::Read:  // perhaps not for the first time; any other event is as appended() left it
      g.reset_hb(id);
      if (e.rf >= 0 && acquires(e)) g.join(g.hb(id), g.msg(e.rf));
      break;
    case EventKind::Write: {
      Graph::Clock* msg = g.msg(id);
      if (own_writes_) e.release_head = release_head(g, id);
      if (atomic(e) && releases(e)) {
        g.copy(msg, g.hb(id));
      } else {
        std::fill_n(msg, g.stride(), Graph::Clock{0});
        if (!atomic(e)) break;
        // The later of two has all that the earlier one has.
        EventId head = e.release_fence;
        if (e.release_head != no_event && (head == no_event || g[e.release_head].index > g[head].index))
          head = e.release_head;
        if (head != no_event) g.copy(msg, g.hb(head));
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

bool HappensBefore::on_cycle(const Graph& g, EventId e) {
  reach_.begin(g, g.settled);
  reach_.add(g, e, BackwardReach::Edges::ProgramOrder);
  return reach_.has(e);
}

bool HappensBefore::consistent(Graph& g, EventId e, EventId revisited) {
  // Where options() knew that all is seq_cst it has seen to it.
  const bool mixed = g[e].mixed || (revisited != no_event && g[revisited].mixed);
  if ((all_seq_cst(g) && !mixed) || g.sc_events < 2) return true;
  // Pieces of accesses are not what the sc axiom is about: whole_accesses_hold (graph/pieces.h) looks at whole ones.
  if (g.pieces > 0) return true;
  // Without an edge out of the new events there is no new cycle. All of psc is made of po, rf, co and fr, followed
  // forwards, so a new cycle of it is one of theirs through a new event.
  if (g.co_next(g.write_of(e)) == no_event) return true;
  if (!on_cycle(g, e) && (revisited == no_event || !on_cycle(g, revisited))) return true;
  return psc_.acyclic(g);
}

}  // namespace heddle::graph
