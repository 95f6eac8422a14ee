// SPDX-License-Identifier: Apache-2.0
#include "graph/elder_promises.h"

#include <algorithm>
#include <utility>

namespace heddle::graph {

namespace {

bool is_access(const Event& e) { return e.kind == EventKind::Read || e.kind == EventKind::Write; }

// The reads of the thread, before e, that are loads of the set.
template <class F>
bool all_loads(const Graph& g, const Event& e, const core::LoadSet& set, F&& holds) {
  std::uint32_t loads = e.loads;
  for (EventId p = e.po_prev; !set.empty() && p != no_event && loads > set.front(); p = g[p].po_prev)
    if (is_load(g[p]) && std::ranges::binary_search(set, --loads) && !holds(p)) return false;
  return true;
}

}  // namespace

bool ElderPromises::note_write(const Event& w) {
  if (writers_.size() <= w.loc) writers_.resize(w.loc + 1);
  Writers& writers = writers_[w.loc];
  const auto it = std::ranges::find(writers.last, w.thread, &std::pair<ThreadId, std::uint32_t>::first);
  if (it != writers.last.end() && it->second >= w.place) return true;
  if (it == writers.last.end()) writers.last.emplace_back(w.thread, w.place);
  else it->second = w.place;
  return writers.relied_on.empty() || (writers.relied_on.size() == 1 && writers.relied_on.front() == w.thread);
}

// Do no others write what r reads than its own thread and, before that was created, its creator?
bool ElderPromises::alone(const Graph& g, const Event& r) {
  if (r.promised || r.rf == no_event || r.pieces > 1) return false;
  if (writers_.size() <= r.loc) writers_.resize(r.loc + 1);
  Writers& writers = writers_[r.loc];
  const EventId creation = g.threads[r.thread].created_by;
  for (const auto& [thread, place] : writers.last) {
    if (thread == r.thread) continue;
    if (creation == no_event || g[creation].thread != thread || g[creation].place < place) return false;
  }
  if (std::ranges::find(writers.relied_on, r.thread) == writers.relied_on.end()) writers.relied_on.push_back(r.thread);
  return true;
}

bool ElderPromises::shifts(const Graph& g, EventId id) {
  if (!shifts_places(tables_, g[id])) return false;
  std::vector<EventId> work{id};  // what it depends on in its thread
  std::set<EventId> seen;
  const auto push = [&](EventId e) {
    if (seen.insert(e).second) work.push_back(e);
  };
  const auto add = [&](EventId r) {
    if (!alone(g, g[r])) return false;
    push(r);
    return true;
  };
  while (!work.empty()) {
    const EventId at = work.back();
    const Event& e = g[at];
    work.pop_back();
    const core::Deps& d = tables_.deps(e.before);
    if (!all_loads(g, e, d.addr, add)) return true;
    if (e.kind == EventKind::Read) {
      if (is_initial(e.rf) || e.rf < g.settled || g[e.rf].thread != e.thread) continue;
      if (g[e.rf].rmw) return true;
      push(e.rf);
    } else if (!all_loads(g, e, d.data, add)) {
      return true;
    }
  }
  return false;
}

bool ElderPromises::fits(const Graph& g) {
  unsigned readers = 0;
  ThreadId eldest = 0;
  EventId begin = g.size();  // of what those that read do
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    if (!g.threads[t].alive || !has_read(g, t)) continue;
    if (readers++ == 0) eldest = t;
    for (EventId e = g.threads[t].last; e >= g.settled; e = g[e].po_prev) {
      if (shifts(g, e)) return false;
      if (is_access(g[e])) begin = std::min(begin, e);
    }
  }
  if (readers < 2) return true;
  if (readers > 2 || g.has_twins()) return false;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    if (!g.threads[t].alive) continue;
    for (EventId e = g.threads[t].last; e >= g.settled && !has_read(g, t); e = g[e].po_prev)
      if (is_access(g[e]) && (t > eldest || e > begin)) return false;
  }
  return true;
}

bool ElderPromises::has_read(const Graph& g, ThreadId t) const {
  for (EventId e = g.threads[t].last; e >= g.settled; e = g[e].po_prev)
    if (g[e].kind == EventKind::Read) return true;
  return false;
}

// Of the threads that have accessed memory: has every younger one done so before e in po ∪ rf, and does no elder one
// that has read wait for the end of a third thread? (One that has only written is looked at when it goes on.)
bool ElderPromises::take_turns(const Graph& g, EventId id) const {
  const ThreadId self = g[id].thread;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    const ThreadState& thread = g.threads[t];
    if (!thread.alive || t == self) continue;
    EventId last = thread.last;
    while (last >= g.settled && !is_access(g[last])) last = g[last].po_prev;
    if (last < g.settled) continue;
    if (t > self) {
      if (!g.in(last, g.porf(id))) return false;
    } else if (tables_.kind(thread.state) == core::Kind::Join && has_read(g, t)) {
      if (tables_.step(thread.state).request.value.bits != self) return false;
    }
  }
  return true;
}

bool ElderPromises::suffice(const Graph& g, EventId id) {
  const Event& e = g[id];
  if (e.kind == EventKind::Write && !note_write(e)) return false;
  if (!is_access(e)) return !shifts(g, id) || fits(g);
  if (tables_.has_pieces() || tables_.has_atomic_steps() || tables_.had_no_room()) return false;
  if (consistency_.overtakes_addresses() && !tables_.deps(e.before).addr.empty()) return false;
  if (!take_turns(g, id)) return false;
  // Behind a wait that orders nothing the thread is only there if what it waits for has come.
  if (e.kind == EventKind::Read && tables_.step(e.before).request.waits && !is_acquire(e.order)) return false;
  // The first read, or write, of its thread, or one of several writes of a thread that does not read?
  bool first = true, reads = e.kind == EventKind::Read;
  for (EventId p = e.po_prev; p >= g.settled && (first || !reads); p = g[p].po_prev) {
    first &= g[p].kind != e.kind;
    reads |= g[p].kind == EventKind::Read;
  }
  return (!first && reads) || fits(g);
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
