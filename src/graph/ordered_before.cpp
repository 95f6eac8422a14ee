// SPDX-License-Identifier: Apache-2.0
#include "graph/ordered_before.h"

#include <algorithm>

namespace heddle::graph {

void OrderedBefore::options(Graph& g, EventId e, EventId revisited, std::vector<EventId>& out) {
  if (tables().has_pieces()) return Axiomatic::options(g, e, revisited, out);
  if (revisited != no_event) appended(g, revisited);
  const ThreadId t = g[e].thread;
  const ThreadId t2 = revisited == no_event ? t : g[revisited].thread;
  bool searched = false;
  for (EventId w = g.locs[g[e].loc].tail;; w = g[w].co_prev) {
    out.push_back(w);
    if (w < g.settled || seen_by(g, w, t, t2) || known_before_either(g, w, e, revisited)) return;
    if (!searched) {
      begin(g, g.settled);
      add(g, e);
      if (revisited != no_event) add(g, revisited);
      searched = true;
    }
    if (reached(w)) return;
  }
}

bool OrderedBefore::consistent(Graph& g, EventId e, EventId revisited) {
  if (tables().has_pieces()) return Axiomatic::consistent(g, e, revisited);
  if (g[e].kind == EventKind::Read) {
    // options() knew all edges but for those from own writes, and those of the order that a read-modify-write has only
    // now that it is known to succeed or fail.
    const EventId w = g[e].rf;
    const bool more = g[e].rmw || (w >= g.settled && g[w].thread == g[e].thread);
    return !more || g.co_next(w) == no_event || !on_cycle(g, e);
  }
  // A compare-exchange has its order only now that it is known to succeed or fail.
  if (revisited != no_event && g[revisited].rmw && g[e].co_next != no_event && on_cycle(g, revisited)) return false;
  // Promised reads have their write now.
  bool promised = false;
  for (EventId r = g[e].readers; r != no_event; r = g[r].next_reader) promised |= g[r].promised;
  if (!promised) return true;
  if (!coherent(g, g[e].loc) || on_cycle(g, e)) return false;
  for (EventId r = g[e].readers; r != no_event; r = g[r].next_reader)
    if (g[r].promised && on_cycle(g, r)) return false;
  return true;
}

bool OrderedBefore::is_ordered(Graph& g, EventId a, EventId e) {
  if (tables().has_pieces()) return Axiomatic::is_ordered(g, a, e);
  // Both may be in a phase that has been settled since.
  const EventId from = g[std::max(a, e)].settled;
  if (std::min(a, e) < from) return a < e;
  if (created_or_joined_between(g, a, e)) return true;
  if (!searched(e, from)) {
    begin(g, from);
    add(g, e);
  }
  return reached(a);
}

// Of an atomic instruction that has one place in the order: its write, or its read. What precedes one half precedes the
// other, and what one half precedes, so does the other.
EventId OrderedBefore::other_half(const Graph& g, EventId id) const {
  const Event& e = g[id];
  if (!e.rmw || tables().step(e.before).request.op == core::RmwOp::Cas) return no_event;
  if (e.kind == EventKind::Write) return e.po_prev;
  return e.pending ? e.po_next : no_event;
}

void OrderedBefore::begin(const Graph& g, EventId settled) {
  settled_ = settled;
  if (mark_.size() < g.events.size()) mark_.resize(g.events.size() * 2);
  if (++epoch_ == 0) {
    std::fill(mark_.begin(), mark_.end(), 0);
    epoch_ = 1;
  }
}

// Reaches what precedes e, and e itself only if that leads back to it.
void OrderedBefore::add(const Graph& g, EventId e) {
  origin_ = e;
  const bool halves = model().atomics_are_one;
  origin_half_ = halves ? other_half(g, e) : no_event;
  expand(g, e);
  if (origin_half_ != no_event) expand(g, origin_half_);
  origin_ = origin_half_ = no_event;
  while (!stack_.empty()) {
    const EventId top = stack_.back();
    stack_.pop_back();
    if (halves) push(other_half(g, top));
    expand(g, top);
  }
}

void OrderedBefore::expand(const Graph& g, EventId id) {
  const Event& e = g[id];
  const auto distances = local().preceding(g, id);
  EventId p = id;
  std::uint32_t at = 0;
  for (const std::uint32_t d : distances) {
    for (; at < d; ++at) p = g[p].po_prev;
    push(p);
  }
  if (distances.empty()) push(g.threads[e.thread].created_by);
  switch (e.kind) {
    case EventKind::Read:
      if (e.rf >= 0 && g[e.rf].thread != e.thread) push(e.rf);
      break;
    case EventKind::Write:
      if (e.co_prev == no_event) break;
      push(e.co_prev);
      for (EventId r = g.readers(e.co_prev); r != no_event; r = g[r].next_reader) push(r);
      break;
    case EventKind::Join:
      for (EventId c = g.threads[static_cast<ThreadId>(e.value.bits)].last; c >= settled_; c = g[c].po_prev) push(c);
      break;
    default: break;
  }
}

bool OrderedBefore::on_cycle(const Graph& g, EventId e) {
  begin(g, g.settled);
  add(g, e);
  const EventId half = model().atomics_are_one ? other_half(g, e) : no_event;
  return reached(e) || (half != no_event && reached(half));
}

// Do the accesses of each thread to this location follow coherence? A read stands where its write does.
bool OrderedBefore::coherent(const Graph& g, LocId l) {
  position_.assign(g.events.size(), 0);
  std::uint32_t at = 1;
  for (EventId w = g.locs[l].initial_next; w != no_event; w = g[w].co_next)
    position_[static_cast<std::size_t>(w)] = at++;
  std::vector<std::uint32_t> seen(g.threads.size(), 0);
  for (EventId e = g.settled; e < g.size(); ++e) {
    const Event& v = g[e];
    if (v.loc != l || (v.kind == EventKind::Read && v.rf == no_event)) continue;
    const bool write = v.kind == EventKind::Write;
    const std::uint32_t here = write       ? position_[static_cast<std::size_t>(e)]
                               : v.rf >= 0 ? position_[static_cast<std::size_t>(v.rf)]
                                           : 0;
    if (write ? here <= seen[v.thread] : here < seen[v.thread]) return false;
    seen[v.thread] = here;
  }
  return true;
}

}  // namespace heddle::graph
