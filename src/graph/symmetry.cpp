// SPDX-License-Identifier: Apache-2.0
#include "graph/symmetry.h"

#include <algorithm>

#include "graph/pieces.h"

namespace heddle::graph {

namespace {

constexpr ThreadId many = none - 1;
constexpr std::uint32_t members_where_coherence_is_not_global = 3;

bool co_before(const Graph& g, EventId a, EventId b) {
  for (EventId w = g.co_next(a); w != no_event; w = g.co_next(w))
    if (w == b) return true;
  return false;
}

// What a parent may do between two creations: nothing that lets others act or that learns from them by itself. Whether
// others look at the same locations is seen at the end.
bool quiet(EventKind k) {
  return k == EventKind::Read || k == EventKind::Write || k == EventKind::Alloc || k == EventKind::Spawn ||
         k == EventKind::Fence || k == EventKind::Choose;
}

}  // namespace

Symmetry::Symmetry(const core::Program& p, Names& n, Tables& t, bool on, Coherence coherence)
    : program_(p), names_(n), tables_(t), on_(on), coherence_(coherence) {}

// Narrowing leaves three threads of one group; with load buffering it only takes coherence out of the order of reads.
ThreadId Symmetry::joins(const Graph& g, ThreadId t, ThreadId elder) {
  if (names_.kept_apart(elder)) return none;
  const auto eldest = [&](ThreadId u) {
    while (g.threads[u].elder != none) u = g.threads[u].elder;
    return u;
  };
  const ThreadId first = eldest(elder), narrowed = names_.narrowed_to();
  std::uint32_t size = 1;
  for (ThreadId u = elder; u != first; u = g.threads[u].elder) ++size;
  const bool few = size < members_where_coherence_is_not_global;
  if (coherence_ != Coherence::LoadBuffering) return narrowed == none || (first == narrowed && few) ? elder : none;
  if (std::ranges::find(twins_, std::pair{elder, t}) == twins_.end()) twins_.emplace_back(elder, t);
  const auto in_another_group = [&](const ThreadState& s) {
    return s.alive && s.elder != none && eldest(s.elder) != first;
  };
  if (narrowed == none && (!few || std::ranges::any_of(g.threads, in_another_group))) names_.narrow_symmetry(first);
  return elder;
}

ThreadId Symmetry::elder_of(const Graph& g, ThreadId t) {
  if (!on_ || names_.kept_apart(t)) return none;
  const auto initial = program_.initial_threads();
  for (ThreadId u = t; u-- > 0;)
    if (initial[u].entry == initial[t].entry && initial[u].arg == initial[t].arg) return joins(g, t, u);
  return none;
}

ThreadId Symmetry::elder_of(const Graph& g, EventId spawn) {
  const auto child = static_cast<ThreadId>(g[spawn].value.bits);
  if (!on_ || names_.kept_apart(child)) return none;
  const core::Request& q = tables_.step(g[spawn].before).request;
  for (EventId p = g[spawn].po_prev; p != no_event; p = g[p].po_prev) {
    if (!quiet(g[p].kind)) return none;
    if (g[p].kind != EventKind::Spawn) continue;
    const core::Request& other = tables_.step(g[p].before).request;
    if (other.entry != q.entry) continue;
    const bool alike = other.value == q.value ||
                       (other.value.pointer && q.value.pointer && other.value.offset() == 0 && q.value.offset() == 0 &&
                        equal_records(g, spawn, q.value.object(), other.value.object()));
    if (!alike) continue;
    return joins(g, child, static_cast<ThreadId>(g[p].value.bits));
  }
  return none;
}

// Have the two objects, allocated by the parent for one thread each, equal contents? What it wrote last counts.
bool Symmetry::equal_records(const Graph& g, EventId spawn, std::uint32_t object, std::uint32_t other) const {
  const ThreadId parent = g[spawn].thread;
  const ObjectInfo a = names_.object(object), b = names_.object(other);
  if (a.by != parent || b.by != parent || a.size != b.size || a.kind != b.kind || a.contents != b.contents)
    return false;
  using Contents = std::vector<std::pair<core::Loc, core::Value>>;
  Contents of_a, of_b;
  const auto note = [&](Contents& c, const Event& e) {
    const core::Loc& l = tables_.location(e.loc).loc;
    for (const auto& [known, value] : c)
      if (known.overlaps(l)) return known.offset == l.offset && known.size == l.size;
    c.emplace_back(core::Loc{0, l.offset, l.size}, e.value);
    return true;
  };
  for (EventId p = g[spawn].po_prev; p != no_event; p = g[p].po_prev) {
    if (g[p].kind != EventKind::Write) continue;
    const std::uint32_t o = tables_.location(g[p].loc).loc.object;
    if (o == object && !note(of_a, g[p])) return false;
    if (o == other && !note(of_b, g[p])) return false;
  }
  const auto by_offset = [](const auto& x, const auto& y) { return x.first < y.first; };
  std::ranges::sort(of_a, by_offset);
  std::ranges::sort(of_b, by_offset);
  return of_a == of_b;
}

// The object that the thread got as its argument, if it is one made for it alone.
std::uint32_t Symmetry::record_of(const Graph& g, ThreadId t) const {
  const EventId by = g.threads[t].created_by;
  if (by == no_event) return 0;
  const core::Value& v = tables_.step(g[by].before).request.value;
  return v.pointer && v.offset() == 0 && names_.object(v.object()).by == g[by].thread ? v.object() : 0;
}

// Is each one's location the same part of something of its own?
bool Symmetry::own_locations(const Graph& g, EventId e, EventId mate) const {
  const LocInfo &a = tables_.location(g[e].loc), &b = tables_.location(g[mate].loc);
  if (a.loc.offset != b.loc.offset || a.loc.size != b.loc.size) return false;
  if (a.by == g[e].thread && b.by == g[mate].thread) return a.ordinal == b.ordinal;
  return a.loc.object == record_of(g, g[e].thread) && b.loc.object == record_of(g, g[mate].thread);
}

bool Symmetry::in_order(Graph& g, EventId id) {
  Event& e = g[id];
  e.tie = false;
  if (e.mate == no_event || e.asleep || g[e.mate].asleep) return true;
  const Event& m = g[e.mate];
  if (e.kind != m.kind || e.pieces > 1) return true;
  switch (e.kind) {
    case EventKind::Read:
      if (e.loc != m.loc) {
        if (e.promised || m.promised) return true;
        if (!own_locations(g, id, e.mate)) return true;
        // Written by itself, or by the parent before it was created.
        const auto written = [&](const Event& r) { return r.rf >= 0 && g[r.rf].thread == r.thread; };
        e.tie = !e.pending && !m.pending && written(e) == written(m) && (written(e) || e.value == m.value);
        return true;
      }
      if (e.promised || m.promised) {
        e.tie = e.promised && m.promised && e.promise == m.promise;
        return m.promised;
      }
      e.tie = e.rf == m.rf;
      return e.tie || read_in_order(g, id);
    case EventKind::Write: e.tie = e.loc != m.loc && own_locations(g, id, e.mate); return true;
    case EventKind::Choose: e.tie = e.value == m.value; return e.value.bits <= m.value.bits;
    case EventKind::Fence:
    case EventKind::Alloc: e.tie = true; return true;
    case EventKind::Free: {
      const std::uint32_t a = e.value.object(), b = m.value.object();
      const ObjectInfo x = names_.object(a), y = names_.object(b);
      e.tie = (a == record_of(g, e.thread) && b == record_of(g, m.thread)) ||
              (x.by == e.thread && y.by == m.thread && x.ordinal == y.ordinal);
      return true;
    }
    default: return true;  // creation and join of further threads, faults: nothing is said of what follows
  }
}

bool Symmetry::place_in_order(const Graph& g, EventId w, EventId after) const {
  const EventId m = g[w].mate;
  if (m == no_event || g[m].kind != EventKind::Write || g[m].loc != g[w].loc || g[w].pieces > 1) return true;
  return after == m || co_before(g, m, after);
}

// Threads with an equal past are ordered by what they read next: again and again, of the writes that no remaining
// thread's read comes before in po ∪ rf the coherence-earliest, with all its readers.
bool Symmetry::read_in_order(const Graph& g, EventId id) {
  const EventId w = g[id].rf;
  const bool coherence_decides = coherence_ != Coherence::LoadBuffering || names_.narrowed_to() == none;
  bool searched = false;
  for (EventId m = g[id].mate; m != no_event;) {
    const EventId v = g[m].rf;
    if (g[m].asleep || g[m].promised || g[m].loc != g[id].loc) return true;
    if (!coherence_decides) {
      if (co_before(g, w, v) && precedes(g, w, v)) return false;
      m = g[m].mate;
      continue;
    }
    const bool later = co_before(g, w, v);
    bool excused = false;
    for (; m != no_event && g[m].loc == g[id].loc && g[m].rf == v; m = g[m].mate) {
      if (later && !searched) {
        if (w < 0) return false;
        reach(g, w);
        searched = true;
      }
      excused |= later && reached(m);
    }
    if (excused) return true;
    if (later) return false;
  }
  return true;
}

std::vector<Symmetry::Group> Symmetry::groups(const Graph& g) const {
  std::vector<Group> out;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    if (!g.threads[t].alive || g.threads[t].elder == none) continue;
    const auto at = std::ranges::find_if(out, [&](const Group& x) { return x.back() == g.threads[t].elder; });
    if (at != out.end()) at->push_back(t);
    else out.push_back({g.threads[t].elder, t});
  }
  return out;
}

bool Symmetry::finished(const Graph& g) {
  if (!on_) return true;
  const auto all = groups(g);
  if (all.empty()) return true;
  accessor_.assign(g.locs.size(), none);
  for (const Event& e : g.events) {
    if (e.loc == none) continue;
    ThreadId& a = accessor_[e.loc];
    a = a == none || a == e.thread ? e.thread : many;
  }
  for (const Group& group : all)
    if (!still_symmetric(g, group)) {
      break_up(group);
      return false;
    }
  std::size_t members = 0;
  for (const Group& group : all) members += group.size();
  threads_ = std::max(threads_, static_cast<unsigned>(members));
  // Two threads that differ first in that the elder sleeps and the younger goes on: found with the two exchanged.
  bool in_order = true;
  for (EventId id = 0; id < g.size(); ++id) {
    const Event& e = g[id];
    if (e.mate == no_event || e.kind != EventKind::Read) continue;
    const Event& m = g[e.mate];
    if (m.asleep && !e.asleep && !e.stuck && !e.waiting) in_order = false;
    if (coherence_ != Coherence::MayContradict || g.weak_accesses == 0 || names_.narrowed_to() != none || e.tie ||
        e.asleep || m.asleep || e.loc != m.loc || m.rf < 0 ||
        (all.size() == 1 && all[0].size() <= members_where_coherence_is_not_global))
      continue;
    if (e.rf >= 0) reach(g, e.rf);
    if (e.rf < 0 || !reached(m.rf)) names_.narrow_symmetry(all[0].front());
  }
  return in_order;
}

// What is promised must be the same, but for the names of threads, when symmetric threads are exchanged
// (PromiseBook::close_under): values that depend on a thread's number, and objects that the threads have made or got for
// themselves, are not renamed.
void Symmetry::promised(const Graph& g, EventId w) {
  if (!on_) return;
  const auto keep_apart = [&](ThreadId t) {
    if (t != none && !names_.kept_apart(t)) names_.keep_apart({t});
  };
  const core::Value value = value_written(g, tables_, w);
  for (const std::uint32_t object : {tables_.location(g[w].loc).loc.object, value.pointer ? value.object() : 0}) {
    if (object == 0) continue;
    keep_apart(names_.object(object).by);
    for (ThreadId t = 0; t < g.threads.size(); ++t)
      if (g.threads[t].alive && record_of(g, t) == object) keep_apart(t);
  }
  const ThreadId t = g[w].thread;
  if (names_.kept_apart(t)) return;
  Group others{t + 1};
  for (const Group& group : groups(g))
    if (std::ranges::find(group, t) != group.end()) others = group;
  Run run;
  for (const ThreadId as : others)
    if (as != t && (!repeat(g, t, as, run, w) || (!run.own.empty() && run.own.back().first == g[w].index)))
      return keep_apart(t);
}

void Symmetry::break_up(const Group& group) { names_.keep_apart(group); }

bool Symmetry::still_symmetric(const Graph& g, const Group& group) {
  for (const ThreadState& s : g.threads)
    if (s.alive && program_.names_matter(tables_.local(s.state))) return false;
  return nobody_noticed_creation(g, group) && joined_together(g, group) && same_under_other_numbers(g, group);
}

bool Symmetry::nobody_noticed_creation(const Graph& g, const Group& group) const {
  const EventId first = g.threads[group.front()].created_by, last = g.threads[group.back()].created_by;
  if (first == no_event) return true;
  const ThreadId parent = g[first].thread;
  std::vector<std::pair<std::uint32_t, ThreadId>> records;
  for (const ThreadId t : group)
    if (const std::uint32_t o = record_of(g, t)) records.emplace_back(o, t);
  const auto owner = [&](LocId l) {
    for (const auto& [object, t] : records)
      if (tables_.location(l).loc.object == object) return t;
    return none;
  };
  for (EventId e = last; e != first; e = g[e].po_prev) {
    // A fence orders what was before it before one of them only.
    if (g[e].kind == EventKind::Fence && g[e].order != core::Order::Plain) return false;
    if (g[e].loc != none && accessor_[g[e].loc] == many && owner(g[e].loc) == none) return false;
  }
  if (records.empty()) return true;
  for (const Event& e : g.events) {
    if (e.loc == none) continue;
    const ThreadId t = owner(e.loc);
    if (t == none || e.thread == t) continue;
    if (e.thread != parent || e.index > g[g.threads[t].created_by].index) return false;
  }
  return true;
}

// Either nobody waits for them, or the parent for all, one after the other; what it does in between concerns nobody. It
// may not have come that far, so its way from the first join is run ahead here.
bool Symmetry::joined_together(const Graph& g, const Group& group) {
  const auto member = [&](const core::Value& v) {
    return std::ranges::find(group, static_cast<ThreadId>(v.bits)) != group.end();
  };
  const EventId by = g.threads[group.front()].created_by;
  const ThreadId parent = by == no_event ? none : g[by].thread;
  EventId first = no_event;
  for (EventId e = 0; e < g.size(); ++e)
    if (g[e].kind == EventKind::Join && member(g[e].value)) {
      if (g[e].thread != parent) return false;
      first = e;
      break;
    }
  StateId state = first != no_event ? g[first].before : none;
  for (ThreadId t = 0; t < g.threads.size() && state == none; ++t) {
    if (!g.threads[t].alive) continue;
    const core::Request& q = tables_.step(g.threads[t].state).request;
    if (q.kind != core::Kind::Join || !member(q.value)) continue;
    if (t != parent) return false;
    state = g.threads[t].state;
  }
  if (state == none) return true;
  std::vector<std::pair<LocId, core::Value>> memory;  // what the parent wrote
  const auto known = [&](LocId l) { return std::ranges::find_if(memory, [&](const auto& m) { return m.first == l; }); };
  for (EventId e = first != no_event ? g[first].po_prev : g.threads[parent].last; e != no_event; e = g[e].po_prev)
    if (g[e].kind == EventKind::Write && g[e].pieces == 1 && known(g[e].loc) == memory.end())
      memory.emplace_back(g[e].loc, g[e].value);
  Group joined;
  for (unsigned steps = 0; steps < 10000; ++steps) {
    const Step s = tables_.step(state);
    const core::Request& q = s.request;
    core::Answer answer;
    if (q.kind == core::Kind::Join) {
      const auto t = static_cast<ThreadId>(q.value.bits);
      if (std::ranges::find(joined, t) != joined.end()) return false;
      if (member(q.value)) joined.push_back(t);  // others have ended by then and notice nothing
      if (joined.size() == group.size()) return true;
    } else if ((q.kind == core::Kind::Load || q.kind == core::Kind::Store) && s.loc != none && s.pieces == 1 &&
               !q.waits) {
      const LocId l = s.loc;
      if (l < accessor_.size() && accessor_[l] != none && accessor_[l] != parent) return false;
      const auto at = known(l);
      if (q.kind == core::Kind::Load) answer.value = at != memory.end() ? at->second : tables_.location(l).initial;
      else if (at != memory.end()) at->second = q.value;
      else memory.emplace_back(l, q.value);
    } else {
      return false;  // a fence, too: what follows it is ordered after some of them only
    }
    state = tables_.next(state, answer);
  }
  return false;
}

}  // namespace heddle::graph
