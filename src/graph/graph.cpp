// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.h"

#include <algorithm>
#include <cstring>

#include "support/diagnostics.h"

namespace heddle::graph {

namespace {
bool releases(core::Order o) {
  return o == core::Order::Release || o == core::Order::AcqRel || o == core::Order::SeqCst;
}
}  // namespace

void Graph::clear(unsigned stride, unsigned initial_threads) {
  events.clear();
  locs.clear();
  threads.clear();
  ppo.clear();
  weak_accesses = sc_events = frees = promises = pieces = stalled = 0;
  unjoined = initial_threads_ = initial_threads;
  settled = 0;
  freed.clear();
  revisited = revisitor = no_event;
  stride_ = stride;
}

void Graph::widen(unsigned stride) {
  const auto spread = [&](std::vector<Clock>& v) {
    if (v.empty()) return;
    std::vector<Clock> wide(events.size() * stride);
    for (std::size_t e = 0; e < events.size(); ++e)
      std::copy_n(v.data() + e * stride_, stride_, wide.data() + e * stride);
    v.swap(wide);
  };
  spread(porf_);
  spread(hb_);
  spread(msg_);
  stride_ = stride;
}

void Graph::base_porf(ThreadId t, EventId mate, Clock* out) const {
  const ThreadState& thread = threads[t];
  const EventId from = thread.last != no_event ? thread.last : thread.created_by;
  if (from == no_event) std::fill_n(out, stride_, Clock{0});
  else copy(out, porf(from));
  out[t] = static_cast<Clock>(thread.count + 1);
  if (mate != no_event) join_mate(mate, out);
}

EventId Graph::mate_by_elder(const ThreadState& thread) const {
  EventId mate = no_event;
  if (thread.last == no_event) mate = threads[thread.elder].first;
  else if (events[thread.last].tie) mate = events[events[thread.last].mate].po_next;
  return mate != no_event && events[mate].pieces == 1 ? mate : no_event;
}

// A read-modify-write is kept whole.
void Graph::join_mate(EventId mate, Clock* out) const {
  if (events[mate].pending && events[mate].po_next != no_event) mate = events[mate].po_next;
  join(out, porf(mate));
}

// Where an event that is about to be appended stands.
std::uint32_t Graph::place_of_next(const Event& e) const {
  EventId p = threads[e.thread].last;
  if (p == no_event) return 0;
  if (e.rmw && e.kind == EventKind::Write) {  // piece by piece behind the reads
    for (unsigned i = 0; i + 1 < e.pieces; ++i) p = events[p].po_prev;
    return events[p].place + 1;
  }
  const Event& last = events[p];
  if (last.kind == EventKind::Choose && last.spurious) return last.place;  // its read stands in the same place
  return last.rmw && last.kind == EventKind::Write ? last.place + 1 : last.place + 2;
}

EventId Graph::append(const Event& proto, unsigned location_count) {
  if (locs.size() < location_count) add_locations(location_count);
  const EventId id = size();
  events.push_back(proto);
  Event& e = events.back();
  ThreadState& thread = threads[e.thread];
  HEDDLE_ASSERT(id < std::numeric_limits<EventId>::max());
  e.index = thread.count;
  e.place = place_of_next(e);
  e.po_prev = thread.last;
  e.po_next = no_event;
  e.mate = next_mate(e.thread);
  e.ppo_begin = static_cast<std::uint32_t>(ppo.size());
  e.loads = 0;
  e.release_fence = e.release_head = no_event;
  if (e.po_prev != no_event) {
    const Event& p = events[static_cast<std::size_t>(e.po_prev)];
    e.loads = p.loads + is_load(p);
    e.release_fence = p.kind == EventKind::Fence && releases(p.order) ? e.po_prev : p.release_fence;
  }
  e.settled = settled;
  if (unjoined == 1 && e.kind != EventKind::Spawn) settled = id + 1;
  if (porf_.size() < events.size() * stride_) make_room(events.size());
  base_porf(e.thread, e.mate, porf(id));
  ++thread.count;
  if (thread.last == no_event) thread.first = id;
  else events[thread.last].po_next = id;
  thread.last = id;
  if (e.kind == EventKind::Read || e.kind == EventKind::Write) weak_accesses += e.order != core::Order::SeqCst;
  sc_events += e.order == core::Order::SeqCst;
  if (is_plain(e)) ++locs[e.loc].plain;
  if (e.kind == EventKind::Free) note_free(id);
  if (e.kind == EventKind::Spawn) ++unjoined;
  if (e.kind == EventKind::Join) note_join(e);
  pieces += e.pieces > 1;
  stalled += e.kind == EventKind::Stalled;
  return id;
}

void Graph::make_room(std::size_t count) {
  const std::size_t clocks = count * stride_;
  if (porf_.size() >= clocks) return;
  porf_.resize(clocks);
  if (!with_hb_) return;
  hb_.resize(clocks);
  msg_.resize(clocks);
}

void Graph::add_locations(unsigned count) {
  while (locs.size() < count) locs.push_back({initial_write(static_cast<LocId>(locs.size())), no_event, no_event, 0});
}

void Graph::note_free(EventId id) {
  const std::uint32_t object = events[static_cast<std::size_t>(id)].value.object();
  if (freed.size() <= object) freed.resize(object + 1, no_event);
  freed[object] = id;
  ++frees;
}

void Graph::note_join(Event& e) {
  ThreadState& child = threads[static_cast<ThreadId>(e.value.bits)];
  e.joins = !child.joined;
  child.joined = true;
  unjoined -= e.joins;
}

void Graph::begin_clock(EventId id, Clock* clocks) const {
  const Event& e = events[id];
  const EventId from = e.po_prev != no_event ? e.po_prev : threads[e.thread].created_by;
  Clock* out = clocks + static_cast<std::size_t>(id) * stride_;
  if (from == no_event) std::fill_n(out, stride_, Clock{0});
  else copy(out, clocks + static_cast<std::size_t>(from) * stride_);
  out[e.thread] = static_cast<Clock>(e.index + 1);
}

void Graph::reset_porf(EventId id) {
  begin_clock(id, porf_.data());
  if (events[id].mate != no_event) join_mate(events[id].mate, porf(id));
}

void Graph::reset_hb(EventId id) { begin_clock(id, hb_.data()); }

void Graph::set_order(EventId id, core::Order order) {
  Event& e = events[id];
  if (e.order == order) return;
  weak_accesses += order != core::Order::SeqCst;
  weak_accesses -= e.order != core::Order::SeqCst;
  sc_events += order == core::Order::SeqCst;
  sc_events -= e.order == core::Order::SeqCst;
  e.order = order;
}

void Graph::keep_promise(EventId r, EventId w) {
  Event& e = events[r];
  e.rf = w;
  e.next_reader = events[w].readers;
  events[w].readers = r;
  --promises;
}

void Graph::take_back(EventId w) {
  for (;; w = events[w].po_prev) {
    while (events[w].readers != no_event) {
      HEDDLE_ASSERT(events[events[w].readers].promised);
      unlink_read(events[w].readers);
      ++promises;
    }
    if (events[w].piece == 0) return;
  }
}

void Graph::link_read(EventId r, EventId w) {
  Event& e = events[r];
  e.rf = w;
  EventId& head = readers_ref(w);
  e.next_reader = head;
  head = r;
  if (w >= 0) join(porf(r), porf(w));
}

void Graph::unlink_read(EventId r) {
  Event& e = events[r];
  if (e.rf == no_event) return;
  EventId* at = &readers_ref(e.rf);
  while (*at != r) at = &events[*at].next_reader;
  *at = e.next_reader;
  e.rf = e.next_reader = no_event;
}

void Graph::link_write(EventId w, EventId after) {
  Event& e = events[w];
  LocState& l = locs[e.loc];
  e.co_prev = after;
  e.co_next = co_next(after);
  if (after < 0) l.initial_next = w;
  else events[after].co_next = w;
  if (e.co_next == no_event) l.tail = w;
  else events[e.co_next].co_prev = w;
}

void Graph::unlink_write(EventId w) {
  Event& e = events[w];
  if (e.co_prev == no_event) return;
  LocState& l = locs[e.loc];
  if (e.co_prev < 0) l.initial_next = e.co_next;
  else events[e.co_prev].co_next = e.co_next;
  if (e.co_next == no_event) l.tail = e.co_prev;
  else events[e.co_next].co_prev = e.co_prev;
}

void Graph::truncate(EventId to) {
  for (EventId id = size() - 1; id >= to; --id) {
    Event& e = events[id];
    ThreadState& thread = threads[e.thread];
    switch (e.kind) {
      case EventKind::Read:
        promises -= e.promised && e.rf == no_event;
        unlink_read(id);
        break;
      case EventKind::Write:
        take_back(id);
        unlink_write(id);
        break;
      case EventKind::Spawn: {
        ThreadState& child = threads[static_cast<ThreadId>(e.value.bits)];
        child.alive = false;
        child.created_by = no_event;
        --thread.spawns;
        --unjoined;
        break;
      }
      case EventKind::Join:
        if (e.joins) threads[static_cast<ThreadId>(e.value.bits)].joined = false;
        unjoined += e.joins;
        break;
      case EventKind::Alloc: --thread.allocs; break;
      case EventKind::Free:
        freed[e.value.object()] = no_event;
        --frees;
        break;
      case EventKind::Stalled: --stalled; break;
      default: break;
    }
    if (e.kind == EventKind::Read || e.kind == EventKind::Write) weak_accesses -= e.order != core::Order::SeqCst;
    sc_events -= e.order == core::Order::SeqCst;
    if (is_plain(e)) --locs[e.loc].plain;
    pieces -= e.pieces > 1;
    thread.last = e.po_prev;
    if (e.po_prev == no_event) thread.first = no_event;
    else events[e.po_prev].po_next = no_event;
    thread.state = e.before;
    --thread.count;
  }
  if (to < size()) {
    settled = events[static_cast<std::size_t>(to)].settled;
    ppo.resize(events[to].ppo_begin);
    events.resize(static_cast<std::size_t>(to));
  }
}

void Graph::restrict_from(const Graph& g, EventId r, const Clock* prefix) { restrict_behind(g, r, prefix, r); }

void Graph::restrict_before(const Graph& g, EventId w, const Clock* prefix) {
  restrict_behind(g, w - 1, prefix, no_event);
}

void Graph::restrict_behind(const Graph& g, EventId last, const Clock* prefix, EventId r) {
  stride_ = g.stride_;
  with_hb_ = g.with_hb_;
  initial_threads_ = g.initial_threads_;
  weak_accesses = g.weak_accesses;
  sc_events = g.sc_events;
  frees = g.frees;
  pieces = g.pieces;
  stalled = g.stalled;
  unjoined = g.unjoined;
  settled = g.settled;  // `last` is not older: what is settled is in the prefix of everything
  threads = g.threads;
  locs = g.locs;
  freed = g.freed;
  copy_kept(g, last, prefix);
  revisited = r;
  revisitor = r == no_event ? no_event : size();
  const EventId older = last + 1;
  const auto renamed = [&](EventId e) { return e < older ? e : map_[static_cast<std::size_t>(e)]; };
  bool joins_removed = false;
  for (EventId e = g.size() - 1; e >= older; --e)
    if (renamed(e) == no_event) joins_removed |= forget(g[e]);
  for (ThreadState& thread : threads) {
    thread.first = renamed(thread.first);
    thread.last = renamed(thread.last);
    HEDDLE_ASSERT(thread.created_by < g.size());
    if (thread.created_by == no_event) continue;
    thread.created_by = renamed(thread.created_by);
    thread.alive = thread.alive && thread.created_by != no_event;
  }
  restrict_coherence(g, renamed);
  relink(older, renamed);
  if (joins_removed) count_joins();
  restrict_ppo(g, renamed);
}

// The events that stay, and their clocks, in runs of neighbours; fills map_ with the new names of those younger than `last`.
void Graph::copy_kept(const Graph& g, EventId last, const Clock* prefix) {
  const auto n = static_cast<std::size_t>(g.size());
  const auto first = static_cast<std::size_t>(last) + 1;
  map_.resize(n);
  std::size_t kept = first;
  for (std::size_t e = first; e < n; ++e)
    map_[e] = g.in(static_cast<EventId>(e), prefix) ? static_cast<EventId>(kept++) : no_event;
  events.resize(kept);
  make_room(kept);
  const auto copy = [&](std::size_t to, std::size_t from, std::size_t count) {
    std::copy_n(g.events.data() + from, count, events.data() + to);
    const std::size_t here = to * stride_, there = from * stride_, clocks = count * stride_;
    std::copy_n(g.porf_.data() + there, clocks, porf_.data() + here);
    if (!with_hb_) return;
    std::copy_n(g.hb_.data() + there, clocks, hb_.data() + here);
    std::copy_n(g.msg_.data() + there, clocks, msg_.data() + here);
  };
  std::size_t to = 0, from = 0;
  for (std::size_t e = first; e < n; ++e) {
    if (map_[e] != no_event) continue;
    if (e > from) copy(to, from, e - from);
    to += e - from;
    from = e + 1;
  }
  if (n > from) copy(to, from, n - from);
}

// Counts an event no more that is last of its thread. True if it is a first join.
bool Graph::forget(const Event& e) {
  ThreadState& thread = threads[e.thread];
  switch (e.kind) {
    case EventKind::Spawn:
      --thread.spawns;
      --unjoined;
      break;
    case EventKind::Join: unjoined += e.joins; break;
    case EventKind::Alloc: --thread.allocs; break;
    case EventKind::Free:
      freed[e.value.object()] = no_event;
      --frees;
      break;
    case EventKind::Stalled: --stalled; break;
    default: break;
  }
  if (e.kind == EventKind::Read || e.kind == EventKind::Write) weak_accesses -= e.order != core::Order::SeqCst;
  sc_events -= e.order == core::Order::SeqCst;
  if (is_plain(e)) --locs[e.loc].plain;
  pieces -= e.pieces > 1;
  thread.last = e.po_prev;
  thread.state = e.before;
  --thread.count;
  return e.joins;
}

// Coherence keeps its order: each list is walked once, links of removed writes are skipped.
template <class Renamed>
void Graph::restrict_coherence(const Graph& g, Renamed renamed) {
  for (std::size_t l = 0; l < locs.size(); ++l) {
    LocState& now = locs[l];
    now.tail = initial_write(static_cast<LocId>(l));
    now.initial_next = now.initial_readers = no_event;
    for (EventId w = g.locs[l].initial_next; w != no_event; w = g[w].co_next) {
      const EventId id = renamed(w);
      if (id == no_event) continue;
      events[id].co_prev = now.tail;
      if (now.tail < 0) now.initial_next = id;
      else events[now.tail].co_next = id;
      events[id].co_next = no_event;
      now.tail = id;
    }
  }
}

// Links between the kept events: older ones refer to younger ones only as successors in program order and as the writes
// that revisited reads see.
template <class Renamed>
void Graph::relink(EventId older, Renamed renamed) {
  promises = 0;
  for (Event& e : events) {
    e.readers = no_event;
    if (e.po_next >= older) e.po_next = renamed(e.po_next);
  }
  for (EventId id = older; id < size(); ++id) {
    Event& e = events[id];
    if (e.po_prev >= older) e.po_prev = renamed(e.po_prev);
    if (e.mate >= older) e.mate = renamed(e.mate);
    if (e.release_fence >= older) e.release_fence = renamed(e.release_fence);
    if (e.release_head >= older) e.release_head = renamed(e.release_head);
    if (e.kind == EventKind::Free) freed[e.value.object()] = id;
  }
  for (EventId id = 0; id < size(); ++id) {
    Event& e = events[id];
    if (e.kind != EventKind::Read) continue;
    e.next_reader = no_event;
    if (id == revisited) e.rf = no_event;
    else if (e.rf >= older) e.rf = renamed(e.rf);
    if (e.rf == no_event) {
      promises += id != revisited && e.promised;
      continue;
    }
    EventId& head = readers_ref(e.rf);
    e.next_reader = head;
    head = id;
  }
}

// Which joins are the first of their threads, now that some are gone.
void Graph::count_joins() {
  for (ThreadState& thread : threads) thread.joined = false;
  unjoined = initial_threads_;
  for (Event& e : events) {
    if (e.kind == EventKind::Spawn) ++unjoined;
    if (e.kind == EventKind::Join) note_join(e);
  }
}

// Preserved program order, renamed. Its lists refer to older events of the same thread, all of which are kept.
template <class Renamed>
void Graph::restrict_ppo(const Graph& g, Renamed renamed) {
  ppo.clear();
  if (g.ppo.empty()) return;
  for (EventId e = 0; e < g.size(); ++e) {
    const EventId id = renamed(e);
    if (id == no_event) continue;
    const std::size_t begin = g[e].ppo_begin, end = e + 1 < g.size() ? g[e + 1].ppo_begin : g.ppo.size();
    events[id].ppo_begin = static_cast<std::uint32_t>(ppo.size());
    for (std::size_t i = begin; i < end; ++i) ppo.push_back(renamed(g.ppo[i]));
  }
}

void mark_prefix(const Graph& g, EventId from, EventId oldest, std::vector<std::uint8_t>& marked,
                 std::vector<EventId>& scratch) {
  marked.assign(g.events.size(), 0);
  scratch.clear();
  const auto push = [&](EventId e) {
    if (e < oldest || e < 0 || marked[static_cast<std::size_t>(e)]) return;
    marked[static_cast<std::size_t>(e)] = 1;
    scratch.push_back(e);
  };
  push(from);
  while (!scratch.empty()) {
    const Event& e = g[scratch.back()];
    scratch.pop_back();
    push(e.po_prev != no_event ? e.po_prev : g.threads[e.thread].created_by);
    if (e.kind == EventKind::Read && !e.promised) push(e.rf);
    if (e.kind == EventKind::Join) push(g.threads[static_cast<ThreadId>(e.value.bits)].last);
  }
}

}  // namespace heddle::graph
