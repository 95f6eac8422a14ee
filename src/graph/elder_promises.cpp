// SPDX-License-Identifier: Apache-2.0
#include "graph/elder_promises.h"

#include <algorithm>
#include <utility>

namespace heddle::graph {

namespace {
bool is_access(const Event& e) { return e.kind == EventKind::Read || e.kind == EventKind::Write; }
}  // namespace

// Has the thread read in this phase, before e?
bool ElderPromises::has_read(const Graph& g, EventId e) const {
  while (e >= g.settled && g[e].kind != EventKind::Read) e = g[e].po_prev;
  return e >= g.settled;
}

bool ElderPromises::fits(const Graph& g) const {
  unsigned readers = 0;
  ThreadId eldest = 0;
  EventId begin = g.size();  // of what those that read do
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    if (!g.threads[t].alive || !has_read(g, g.threads[t].last)) continue;
    if (readers++ == 0) eldest = t;
    for (EventId e = g.threads[t].last; e >= g.settled; e = g[e].po_prev) {
      if (shifts_places(tables_, g[e])) return false;
      if (is_access(g[e])) begin = std::min(begin, e);
    }
  }
  if (readers < 2) return true;
  if (readers > 2 || g.has_twins()) return false;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    if (!g.threads[t].alive || has_read(g, g.threads[t].last)) continue;
    for (EventId e = g.threads[t].last; e >= g.settled; e = g[e].po_prev)
      if (is_access(g[e]) && (t > eldest || e > begin)) return false;
  }
  return true;
}

// Of the threads that have accessed memory: has every younger one done so before e in po ∪ rf, and does no elder one
// that has read wait for the end of a third thread? (One that has only written is looked at when it goes on.)
bool ElderPromises::take_turns(const Graph& g, EventId id, bool& first) const {
  const ThreadId self = g[id].thread;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    const ThreadState& thread = g.threads[t];
    if (!thread.alive || t == self) continue;
    EventId last = thread.last;
    while (last >= g.settled && !is_access(g[last])) last = g[last].po_prev;
    if (last < g.settled) continue;
    if (t > self) {
      first = false;
      if (!g.in(last, g.porf(id))) return false;
    } else if (tables_.kind(thread.state) == core::Kind::Join && has_read(g, last)) {
      if (tables_.step(thread.state).request.value.bits != self) return false;
    }
  }
  return true;
}

bool ElderPromises::suffice(const Graph& g, EventId id) const {
  const Event& e = g[id];
  if (!is_access(e)) return !shifts_places(tables_, e) || fits(g);
  if (tables_.has_pieces() || tables_.has_atomic_steps()) return false;
  if (consistency_.overtakes_addresses() && !tables_.deps(e.before).addr.empty()) return false;
  bool before_younger = true;  // than all accesses of younger threads
  if (!take_turns(g, id, before_younger)) return false;
  // Behind a wait that orders nothing the thread is only there if what it waits for has come.
  if (e.kind == EventKind::Read && tables_.step(e.before).request.waits && !is_acquire(e.order)) return false;
  // Not the first read, or write, of its thread, and none of a thread that only writes, behind others?
  for (EventId p = e.po_prev; p >= g.settled; p = g[p].po_prev)
    if (g[p].kind == e.kind) return e.kind == EventKind::Read || before_younger || has_read(g, id) || fits(g);
  return fits(g);
}

void ElderPromises::find_ordered(const Graph& g, EventId w) {
  if (ordered_before_ == w) return;
  consistency_.must_precede_in_thread(g, w, ordered_);
  ordered_before_ = w;
}

bool ElderPromises::note(const Graph& g, EventId w) {
  const Event& e = g[w];
  ordered_before_ = no_event;
  if (e.local != none) {
    if (noted_.size() <= e.thread) noted_.resize(e.thread + 1);
    auto& noted = noted_[e.thread];
    if (noted.size() <= e.local) noted.resize(std::max<std::size_t>(e.local + 1, 2 * noted.size()), 0);
    if (std::exchange(noted[e.local], e.place + 1) == e.place + 1) return false;
  }
  bool more = false;
  if (last_write_.size() <= e.thread) last_write_.resize(e.thread + 1);
  auto& places = last_write_[e.thread];
  if (places.size() <= e.loc) places.resize(e.loc + 1, 0);
  if (places[e.loc] <= e.place) {
    places[e.loc] = e.place + 1;
    more = true;
  }
  for (EventId r = e.po_prev; r >= g.settled; r = g[r].po_prev) {
    if (g[r].kind != EventKind::Read || g[r].loc == e.loc) continue;
    find_ordered(g, w);
    if (!ordered(r)) more |= unordered_.emplace(e.thread, g[r].place, e.loc).second;
  }
  return more && refused_;
}

bool ElderPromises::cycle_possible(const Graph& g, EventId r, EventId w) {
  const Event& q = g[r];
  if (q.thread < last_write_.size()) {
    const auto& places = last_write_[q.thread];
    for (EventId s = g[w].po_prev; s >= g.settled; s = g[s].po_prev) {
      const LocId l = g[s].loc;
      if (g[s].kind != EventKind::Read || l == q.loc || l >= places.size() || places[l] <= q.place + 1) continue;
      find_ordered(g, w);
      if (!ordered(s) || unordered_.contains({q.thread, q.place, l})) return true;
    }
  }
  refused_ = true;
  return false;
}

}  // namespace heddle::graph
