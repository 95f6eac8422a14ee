// Writes: their places in coherence, and the reads that they revisit. See explorer.h for the condition on both.
// SPDX-License-Identifier: Apache-2.0
#include "graph/explorer.h"

#include <algorithm>

#include "core/rmw.h"
#include "graph/pieces.h"

namespace heddle::graph {

namespace {
// Is some other write before w's access here, and behind it in the piece before, or the other way round? No model has
// such writes. No revisit takes them apart, either: the younger of the two was not added maximally, nor was the elder
// if the younger is to stay. Not so for read-modify-writes, whose place their reads decide, piece by piece.
bool crosses(const Graph& g, EventId w) {
  const EventId before = g[w].po_prev;
  for (EventId v = g[w].co_next; v != no_event; v = g[v].co_next) {
    if (g[v].piece == 0 || g[v].rmw || g[g[v].po_prev].loc != g[before].loc) continue;
    for (EventId u = g[before].co_prev; u >= 0; u = g[u].co_prev)
      if (u == g[v].po_prev) return true;
  }
  for (EventId v = g[w].co_prev; v >= 0; v = g[v].co_prev) {
    if (g[v].piece == 0 || g[v].rmw || g[g[v].po_prev].loc != g[before].loc) continue;
    for (EventId u = g[before].co_next; u != no_event; u = g[u].co_next)
      if (u == g[v].po_prev) return true;
  }
  return false;
}
}  // namespace

EventId Explorer::begin_write(ThreadId t) {
  Graph& g = graph();
  const ThreadState& thread = g.threads[t];
  const Step& s = tables_.step(thread.state);
  Event e;
  e.thread = t;
  e.kind = EventKind::Write;
  e.before = thread.state;
  if (s.pieces > 1) {
    if (thread.last != no_event && g[thread.last].kind == EventKind::Write && g.unfinished(thread))
      e.piece = static_cast<std::uint8_t>(g[thread.last].piece + 1);
    e.pieces = static_cast<std::uint8_t>(s.pieces);
  }
  e.loc = tables_.loc_of(s, e.piece);
  e.tag = s.request.tag;
  e.order = s.request.locked ? core::Order::SeqCst : s.request.order;
  e.value = s.request.value;
  core::Value answer;
  if (s.request.kind == core::Kind::Rmw) {
    EventId read = thread.last;
    for (unsigned i = 0; i < e.piece; ++i) read = g[read].po_prev;
    answer = value_read(g, tables_, read);
    e.rmw = true;
    if (s.request.op != core::RmwOp::Cas)
      e.value = core::rmw_result(s.request.op, answer, s.request.value, s.request.loc.size);
  }
  if (e.pieces > 1) e.value = part_of(e.value, s.request.loc, tables_.location(e.loc).loc);
  e.after = e.piece + 1 < e.pieces ? e.before : tables_.next(e.before, {answer, core::Fault::None, false});
  const EventId id = append(e);
  // Who reads one piece has the whole write before it.
  g.porf(id)[t] = static_cast<Graph::Clock>(g[id].index - e.piece + e.pieces);
  consistency_.appended(g, id);
  return id;
}

// w takes this place in coherence. With its last piece, the read that it revisits reads from it.
bool Explorer::place(EventId w, EventId after) {
  Graph& g = graph();
  g.link_write(w, after);
  consistency_.linked(g, w);
  const Event& e = g[w];
  g.threads[e.thread].state = e.after;
  symmetry_.in_order(g, w);
  const bool last = e.piece + 1 == e.pieces;
  pending_ = last ? none : e.thread;
  if (!settle(w)) return false;
  if (e.piece > 0 && !e.rmw && crosses(g, w)) return false;
  const bool revisits = last && g.first_piece(w) == g.revisitor;
  if (!revisits && !consistency_.consistent(g, w, no_event)) return false;
  tell_of(g, w);
  if (!revisits) return true;
  while (g[w].loc != g[g.revisited].loc) w = g[w].po_prev;
  g.reset_porf(g.revisited);
  return finish_read(g.revisited, w, w);
}

// Adds the next write of the thread, or the next piece of it. A write of several pieces is one event to the
// exploration: each piece has a place of its own, but what is revisited is decided once, with the first. The option
// no_event is to stall.
bool Explorer::write_step(ThreadId t) {
  Graph& g = graph();
  const EventId base = g.size();
  const auto begin = static_cast<std::uint32_t>(options_.size());
  const EventId w = begin_write(t);
  const bool first = g[w].piece == 0;
  if (first && g[w].pieces > 1 && g[w].rmw && !has_room(w)) options_.push_back(no_event);
  else places_for(w);
  const auto places = static_cast<std::uint32_t>(options_.size()) - begin;
  if (first) revisits_of(w);
  if (promises_ != nullptr) find_promises(w);
  if (options_.size() == begin + 1 && places == 1) {
    const EventId after = options_[begin];
    options_.resize(begin);
    if (after != no_event) return place(w, after);
    g.truncate(base);
    return stall(t);
  }
  return branch(Branch::Write, t, base, begin, added(begin), places);
}

// The places in coherence that w may take, at the end of options_.
void Explorer::places_for(EventId w) {
  Graph& g = graph();
  const std::size_t begin = options_.size();
  const bool revisits = g.first_piece(w) == g.revisitor && g[g.revisited].loc == g[w].loc;
  consistency_.options(g, w, revisits ? g.revisited : no_event, options_);
  const EventId own = g[w].rmw ? g[g.read_of(w)].rf : no_event;  // a promised one takes its place when it comes
  const auto splits = [&](EventId after) {
    if (!symmetry_.place_in_order(g, w, after)) return true;
    if (own != no_event && after != own) return true;
    const EventId next = g.co_next(after);
    return next != no_event && g[next].rmw && g[g.read_of(next)].rf == after;
  };
  options_.erase(std::remove_if(options_.begin() + static_cast<std::ptrdiff_t>(begin), options_.end(), splits),
                 options_.end());
}

// The reads that w revisits, at the end of options_. Requires w to be appended, but in no place of coherence.
void Explorer::revisits_of(EventId w) {
  const Graph& g = graph();
  const Graph::Clock* prefix = g.porf(w);
  const auto writes = [&](LocId l) {
    const Step& s = tables_.step(g[w].before);
    for (unsigned piece = 0; piece < g[w].pieces; ++piece)
      if (tables_.loc_of(s, piece) == l) return true;
    return false;
  };
  // The oldest of them that is a read of w's location: without one there is nothing to revisit, however much there is
  // that w has not seen.
  EventId oldest = w;
  for (const ThreadState& t : g.threads)
    for (EventId p = t.last; p >= g.settled && !g.in(p, prefix); p = g[p].po_prev)
      if (g[p].kind == EventKind::Read && writes(g[p].loc)) oldest = std::min(oldest, p);
  for (EventId e = w - 1; e >= oldest; --e) {
    if (g.in(e, prefix)) continue;
    if (!maximal(g, e, prefix)) return;
    if (g[e].kind != EventKind::Read || !writes(g[e].loc)) continue;
    if (g[e].asleep && in_vain(g, e,
                               part_of(value_written(g, tables_, w), tables_.step(g[w].before).request.loc,
                                       tables_.location(g[e].loc).loc)))
      continue;
    options_.push_back(e);
  }
}

bool Explorer::maximal(const Graph& g, EventId id, const Graph::Clock* prefix) {
  const Event& e = g[id];
  const auto previous = [&](EventId other) { return other < id || g.in(other, prefix); };
  if (e.asleep) {
    EventId latest = g.locs[e.loc].tail;
    while (latest >= 0 && !previous(latest)) latest = g[latest].co_prev;
    return in_vain(g, id, written(g, e.loc, latest));
  }
  if (e.kind == EventKind::Read) {
    if (e.promised || e.rf == no_event || !(e.rf < 0 || previous(e.rf))) return false;
    for (EventId w = g.co_next(e.rf); w != no_event; w = g[w].co_next)
      if (previous(w)) return false;
    return true;
  }
  if (e.kind == EventKind::Write) {
    // The place of a read-modify-write is where its read put it, be that read deleted (and looked at) or not.
    for (EventId w = e.co_next; w != no_event && !e.rmw; w = g[w].co_next)
      if (previous(w)) return false;
    for (EventId r = e.readers; r != no_event; r = g[r].next_reader)
      if (previous(r)) return false;
    return true;
  }
  return e.kind != EventKind::Choose || e.value.bits == 0;
}

bool Explorer::revisit(const Frame& f, EventId r) {
  // The write is needed for its prefix only: it is added again to the restricted copy.
  Graph& old = graph();
  if (graphs_.size() <= depth_ + 1) graphs_.push_back(std::make_unique<Graph>(consistency_.with_hb()));
  // Everything up to the thread's end, and what that has read, is kept.
  thread_local std::vector<Graph::Clock> prefix;
  prefix.resize(old.stride());
  old.base_porf(f.thread, prefix.data());
  graphs_[depth_ + 1]->restrict_from(old, r, prefix.data());
  ++depth_;
  Graph& g = graph();
  const EventId base = g.size();
  const auto begin = static_cast<std::uint32_t>(options_.size());
  places_for(begin_write(f.thread));
  g.truncate(base);
  if (options_.size() == begin) {
    --depth_;
    return false;
  }
  if (!branch(Branch::Revisit, f.thread, base, begin, added(begin), added(begin))) {
    if (stopped_) return false;
    // branch() leaves its empty frame; take it away so that the caller finds its own on top.
    options_.resize(begin);
    frames_.pop_back();
    --depth_;
    return false;
  }
  return true;
}

}  // namespace heddle::graph
