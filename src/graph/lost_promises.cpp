// SPDX-License-Identifier: Apache-2.0
#include "graph/lost_promises.h"

namespace heddle::graph {

namespace {

bool older_write_follows(const Graph& g, EventId w, EventId e) {
  for (w = g.co_next(w); w != no_event; w = g[w].co_next)
    if (w < e) return true;
  return false;
}

// Was the write promised to a read that sees it now? A revisit may delete it wherever it stands.
bool awaited(const Graph& g, const Event& w) {
  for (EventId r = w.readers; r != no_event; r = g[r].next_reader)
    if (g[r].promised) return true;
  return false;
}

// The event whose porf prefix is pinned because of e; no_event: there is none.
EventId pins(const Graph& g, EventId id) {
  const Event& e = g[id];
  switch (e.kind) {
    case EventKind::Read:
      if (e.promised) return id;
      if (e.rf == no_event) return no_event;
      if (e.rf > id) return e.rf;
      return older_write_follows(g, e.rf, id) ? id : no_event;
    case EventKind::Write: return !e.rmw && !awaited(g, e) && older_write_follows(g, id, id) ? id : no_event;
    case EventKind::Choose: return e.value.bits != 0 ? id : no_event;
    default: return no_event;
  }
}

bool unkept(const Event& e) { return e.promised && e.rf == no_event; }

}  // namespace

bool LostPromises::any(const Graph& g) {
  if (g.promises == 0 || tables_.has_pieces()) return false;
  find_pinned(g);
  std::uint32_t left = g.promises;
  for (EventId r = g.settled; r < g.size() && left > 0; ++r) {
    if (!unkept(g[r])) continue;
    --left;
    const Promise& p = book_[g[r].promise];
    const bool ended = has_ended(g, p.thread);
    if (book_.elders_only()) {
      if (ended || passed(g, p) || incoherent(g, r)) return true;
    } else if ((ended || !book_.shifts(p.thread)) &&
               (((ended || passed(g, p)) && place_passed(g, p)) || incoherent(g, r))) {
      return true;
    }
  }
  return false;
}

void LostPromises::find_pinned(const Graph& g) {
  pinned_.assign(g.stride(), 0);
  for (EventId e = g.size() - 1; e >= g.settled; --e) {
    const EventId by = pins(g, e);
    if (by != no_event && !g.in(by, pinned_.data())) g.join(pinned_.data(), g.porf(by));
  }
}

bool LostPromises::has_ended(const Graph& g, ThreadId t) const {
  return t < g.threads.size() && g.threads[t].alive &&
         tables_.step(g.threads[t].state).request.kind == core::Kind::Ended;
}

// Has the thread come to the place, or to a later one?
bool LostPromises::passed(const Graph& g, const Promise& p) const {
  if (p.thread >= g.threads.size() || !g.threads[p.thread].alive) return false;
  const EventId last = g.threads[p.thread].last;
  return last != no_event && g[last].place >= p.place;
}

bool LostPromises::place_passed(const Graph& g, const Promise& p) const {
  EventId e = g.threads[p.thread].last;
  for (; e != no_event && g[e].place >= p.place; e = g[e].po_prev)
    if (g[e].withheld && g[e].place == p.place) return false;  // in another place of coherence it may keep it
  ThreadId thread = p.thread;
  for (;;) {
    if (e == no_event) {  // what the thread does at its beginning follows from its creation
      e = g.threads[thread].created_by;
      if (e == no_event) return true;
      thread = g[e].thread;
    }
    if (pinned(g, e)) return true;
    switch (g[e].kind) {
      case EventKind::Write:
      case EventKind::Fence:
      case EventKind::Alloc:
      case EventKind::Spawn: e = g[e].po_prev; break;
      default: return false;
    }
  }
}

// Does the thread of r, whose promise is not kept yet, see writes of the promised thread in another order than theirs?
bool LostPromises::incoherent(const Graph& g, EventId r) const {
  const Promise& p = book_[g[r].promise];
  // Is what e sees before (or behind) the promised write in coherence, by program order or because it is initial?
  const auto sees_other_side = [&](EventId e, bool before) {
    if (unkept(g[e])) {
      const Promise& q = book_[g[e].promise];
      return q.thread == p.thread && (before ? q.place < p.place : q.place > p.place);
    }
    const EventId w = g[e].rf;
    if (w == no_event || !pinned(g, e)) return false;
    if (w < g.settled) return before;
    return g[w].thread == p.thread && (before ? g[w].place < p.place : g[w].place > p.place);
  };
  for (EventId e = g[r].po_prev; e >= g.settled; e = g[e].po_prev)
    if (g[e].kind == EventKind::Read && g[e].loc == g[r].loc && sees_other_side(e, false)) return true;
  for (EventId e = g[r].po_next; e != no_event; e = g[e].po_next)
    if (g[e].kind == EventKind::Read && g[e].loc == g[r].loc && sees_other_side(e, true)) return true;
  return false;
}

}  // namespace heddle::graph
