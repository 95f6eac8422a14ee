// SPDX-License-Identifier: Apache-2.0
#include "graph/revisits.h"

#include <algorithm>

#include "graph/pieces.h"

namespace heddle::graph {

// Does some piece of w's access write this location?
bool Revisits::writes(const Graph& g, EventId w, LocId l) const {
  if (g[w].pieces == 1) return g[w].loc == l;
  const Step& s = tables_.step(g[w].before);
  for (unsigned piece = 0; piece < g[w].pieces; ++piece)
    if (tables_.loc_of(s, piece) == l) return true;
  return false;
}

// The oldest read of w's location that is not before w; w if there is none: then nothing is to be revisited, however
// much there is that w has not seen. The reads of one location are found by what they read from, but for those that
// sleep, each last in its thread. (Where reads wait for a promised write, or locations have many reads, the threads are
// gone through instead.)
EventId Revisits::oldest_candidate(const Graph& g, EventId w) const {
  if (g[w].pieces > 1 || g.promises > 0) return oldest_by_threads(g, w);
  const Graph::Clock* prefix = g.porf(w);
  const LocId loc = g[w].loc;
  EventId oldest = w;
  std::uint32_t unseen = 0;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    const ThreadState& thread = g.threads[t];
    if (thread.count <= prefix[t]) continue;
    unseen += thread.count - prefix[t];
    const EventId last = thread.last;
    if (last >= g.settled && g[last].asleep && g[last].loc == loc) oldest = std::min(oldest, last);
  }
  if (unseen == 0) return w;
  for (EventId from = g.locs[loc].tail;; from = g[from].co_prev) {
    for (EventId r = g.readers(from); r != no_event; r = g[r].next_reader) {
      if (unseen-- == 0) return oldest_by_threads(g, w);
      if (r < oldest && r >= g.settled && !g.in(r, prefix)) oldest = r;
    }
    if (from < 0) return oldest;
    if (unseen-- == 0) return oldest_by_threads(g, w);
  }
}

EventId Revisits::oldest_by_threads(const Graph& g, EventId w) const {
  const Graph::Clock* prefix = g.porf(w);
  EventId oldest = w;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    EventId p = g.threads[t].last;
    for (Graph::Clock i = g.threads[t].count; i > prefix[t] && p >= g.settled; --i, p = g[p].po_prev)
      if (g[p].kind == EventKind::Read && writes(g, w, g[p].loc)) oldest = std::min(oldest, p);
  }
  return oldest;
}

void Revisits::find(const Graph& g, EventId w, std::vector<EventId>& out) const {
  const Graph::Clock* prefix = g.porf(w);
  const EventId oldest = oldest_candidate(g, w);
  for (EventId e = w - 1; e >= oldest; --e) {
    if (g.in(e, prefix)) continue;
    if (!added_maximally(g, e, prefix)) return;
    if (displaces(g, w, e)) out.push_back(e);
    if (g[e].kind != EventKind::Read || !writes(g, w, g[e].loc)) continue;
    if (g[e].asleep && spinloops_.blocks(g, e,
                                         part_of(value_written(g, tables_, w), tables_.step(g[w].before).request.loc,
                                                 tables_.location(g[e].loc).loc)))
      continue;
    out.push_back(e);
  }
}

// Is e the first piece of a write of several pieces, and has w read what that has read, in a piece that is not the last?
bool Revisits::displaces(const Graph& g, EventId w, EventId e) const {
  const Event& write = g[e];
  if (write.kind != EventKind::Write || !write.rmw || write.pieces == 1 || write.piece > 0 || !g[w].rmw) return false;
  EventId r = g[w].po_prev;
  for (unsigned i = 0; i < g[w].pieces; ++i, r = g[r].po_prev) {
    if (g[r].promised) continue;
    for (EventId p = e; g[p].piece + 1 < write.pieces; p = g[p].po_next)
      if (g[p].loc == g[r].loc && g[p].co_prev == g[r].rf && !g[g.read_of(p)].promised) return true;
  }
  return false;
}

bool Revisits::added_maximally(const Graph& g, EventId id, const Graph::Clock* prefix) const {
  const Event& e = g[id];
  const auto previous = [&](EventId other) { return other < id || g.in(other, prefix); };
  if (e.asleep) {
    EventId latest = g.locs[e.loc].tail;
    while (latest >= 0 && !previous(latest)) latest = g[latest].co_prev;
    return spinloops_.blocks(g, id, value_of(g, tables_, e.loc, latest));
  }
  if (e.kind == EventKind::Read) {
    if (e.promised || e.rf == no_event || !(e.rf < 0 || previous(e.rf))) return false;
    for (EventId w = g.co_next(e.rf); w != no_event; w = g[w].co_next)
      if (previous(w)) return false;
    return true;
  }
  if (e.kind == EventKind::Write) {
    // A read that was promised this write waits for it again. It may be what put the write before a later one of the
    // prefix; executions with promised reads are remembered, so that one which is reached in two ways counts once.
    bool awaited = false;
    for (EventId r = e.readers; r != no_event; r = g[r].next_reader) {
      if (!previous(r)) continue;
      if (!g[r].promised) return false;
      awaited = true;
    }
    // The place of a read-modify-write is where its read put it, be that read deleted (and looked at) or not.
    for (EventId w = e.co_next; w != no_event && !e.rmw && !awaited; w = g[w].co_next)
      if (previous(w)) return false;
    return true;
  }
  if (e.kind == EventKind::Stalled && e.displaced) {
    EventId r = e.po_prev;
    for (bool first = false; !first; r = g[r].po_prev) {
      first = g[r].piece == 0;
      const EventId w = g[r].rf == no_event ? no_event : g.co_next(g[r].rf);
      if (w != no_event && previous(w) && g[w].rmw && g[g.read_of(w)].rf == g[r].rf) return true;
    }
    return false;
  }
  return e.kind != EventKind::Choose || e.value.bits == 0;
}

}  // namespace heddle::graph
