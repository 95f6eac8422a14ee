// SPDX-License-Identifier: Apache-2.0
#include "graph/spinloops.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/rmw.h"

namespace heddle::graph {

namespace {

constexpr std::uint32_t longest_look_back = 1000;  // events
constexpr unsigned most_fences = 16;               // between two exchanges of a loop; a loop of fences has no end

// The load with this number, of the thread of e and not behind e; no_event if there is none.
EventId load_of(const Graph& g, EventId e, std::uint32_t load) {
  while (e != no_event && !(is_load(g[e]) && g[e].loads == load)) e = g[e].po_prev;
  return e;
}

// Does a thread write between its event a and a later one, b? A read-modify-write that leaves the value does not count.
bool writes_between(const Graph& g, EventId a, EventId b) {
  for (EventId p = g[b].po_prev; p != a; p = g[p].po_prev) {
    const Event& e = g[p];
    if (e.kind == EventKind::Read || e.kind == EventKind::Fence || e.kind == EventKind::Choose) continue;
    if (e.kind != EventKind::Write || !e.rmw || !(e.value == g[g.read_of(p)].value)) return true;
  }
  return false;
}

}  // namespace

bool leaves_value(const core::Request& q, const core::Value& read) {
  return (q.op == core::RmwOp::Cas ? q.value : core::rmw_result(q.op, read, q.value, q.loc.size)) == read;
}

bool Spinloops::covers(StateId after, StateId before, const StandsFor& stands_for, Shift* shift) const {
  if (tables_.same(before) != tables_.same(after)) return false;
  return tables_.depends_within(before, after, [&](const core::LoadSet& mine, const core::LoadSet& theirs) {
    return std::ranges::all_of(mine, [&](std::uint32_t load) {
      if (std::ranges::binary_search(theirs, load)) {
        if (shift != nullptr) shift->kept.push_back(load);
        return true;
      }
      const auto by = std::ranges::find_if(theirs, [&](std::uint32_t other) { return stands_for(load, other); });
      if (by == theirs.end()) return false;
      if (shift != nullptr && *by < shift->to) {
        shift->from = load;
        shift->to = *by;
      }
      return true;
    });
  });
}

// Adds the loads after which an access made in state s comes by its address, and by the data that it stores; and those
// after which they come.
void Spinloops::add_sources(const Here& here, StateId s, core::LoadSet& sources) const {
  for (const core::LoadSet* loads : {&tables_.deps(s).addr, &tables_.deps(s).data})
    for (const std::uint32_t load : *loads) {
      if (std::ranges::find(sources, load) != sources.end()) continue;
      sources.push_back(load);
      if (const EventId e = load_of(here.graph, here.last, load); e != no_event) add_sources_of(here, e, sources);
    }
}

// … of a load, which comes after what an own write comes after that it reads from.
void Spinloops::add_sources_of(const Here& here, EventId load, core::LoadSet& sources) const {
  const Graph& g = here.graph;
  add_sources(here, g[load].before, sources);
  const EventId from = g[load].rf;
  if (load != here.unsettled && from >= 0 && from < g.size() && g[from].thread == g[load].thread)
    add_sources(here, g[from].before, sources);
}

bool Spinloops::comes_after_no_less(const Here& here, StateId by, StateId load) const {
  if (!tables_.has_history() || by == load) return true;
  core::LoadSet mine, theirs;
  add_sources(here, load, mine);
  add_sources(here, by, theirs);
  return stand_for(here, theirs, mine);
}

bool Spinloops::stand_for(const Here& here, const core::LoadSet& theirs, const core::LoadSet& mine) const {
  return std::ranges::all_of(mine, [&](std::uint32_t m) {
    return std::ranges::find(theirs, m) != theirs.end() ||
           std::ranges::any_of(theirs, [&](std::uint32_t t) { return of_another_round(here, m, t); });
  });
}

bool Spinloops::of_another_round(const Here& here, std::uint32_t load, std::uint32_t by) const {
  const Graph& g = here.graph;
  const EventId a = load_of(g, here.last, load), b = load_of(g, here.last, by);
  if (a == no_event || b <= a || tables_.same(g[a].before) != tables_.same(g[b].before)) return false;
  if (!tables_.has_history()) return true;
  if (here.unsettled != no_event && writes_between(g, a, b)) return false;
  core::LoadSet mine, theirs;
  add_sources_of(here, a, mine);
  add_sources_of(here, b, theirs);
  return stand_for(here, theirs, mine);
}

bool Spinloops::repeats(const Here& here, StateId now, StateId before, unsigned& unclean) const {
  const auto stands_for = [&](std::uint32_t load, std::uint32_t by) { return of_another_round(here, load, by); };
  Shift shift;
  return covers(now, before, stands_for, &shift) && (shift.clean() || ++unclean >= 2);
}

bool Spinloops::may_forward(const Graph& g, EventId r, const core::Value& read, StateId after) {
  const Event& e = g[r];
  const Step& step = tables_.step(e.before);
  const core::Request& q = step.request;
  if (q.kind != core::Kind::Rmw || e.spurious) return false;
  if (q.op == core::RmwOp::Cas && !core::cas_succeeds(read, q.expected, q.loc.size)) return false;
  const LocId loc = step.loc;
  const std::uint16_t pieces = step.pieces;
  for (unsigned i = 0; i < most_fences && tables_.step(after).request.kind == core::Kind::Fence; ++i)
    after = tables_.next(after, {});
  const Step& next = tables_.step(after);
  if (next.request.kind == core::Kind::Rmw && next.loc == loc && next.pieces == pieces) return false;
  std::uint32_t looked = 0;
  for (EventId p = e.po_prev; p != no_event && looked++ < longest_look_back; p = g[p].po_prev) {
    if (g[p].kind != EventKind::Write) continue;
    if (tables_.same(g[p].before) == tables_.same(e.before))
      return !comes_after_no_less({g, r, r}, e.before, g[p].before);
    if (pieces > 1 || g[p].loc == loc) break;
  }
  return true;
}

// It is a loop if the thread is at a place where it has been since.
bool Spinloops::futile(const Graph& g, EventId r, const core::Value& read, StateId after) {
  if (tables_.has_history() && may_forward(g, r, read, after)) return false;
  const Event& last = g[r];
  unsigned unclean = 0;
  const core::Site place = tables_.site(after);
  const StateId there = tables_.same(after);
  std::uint32_t looked = 0;
  bool loop = false;
  for (EventId p = r; p != no_event && looked++ < longest_look_back; p = g[p].po_prev) {
    const Event& e = g[p];
    loop |= tables_.site(e.before) == place;
    if (e.kind == EventKind::Fence) continue;
    if (e.kind != EventKind::Read && e.kind != EventKind::Choose) return false;
    if (e.pending && p != r) return false;  // of several pieces the last one is the first to be met
    if (tables_.same(e.before) == there && repeats({g, r, r}, after, e.before, unclean)) return true;
    if (!loop || p == r || e.kind != EventKind::Read || e.loc != last.loc || e.pieces > 1 || last.pieces > 1) continue;
    if (e.order != last.order && e.order > core::Order::Relaxed) continue;
    const core::Request& q = tables_.step(e.before).request;
    if (q.waits || (e.rmw && (!last.rmw || core::cas_succeeds(read, q.expected, q.loc.size)))) continue;
    if (!comes_after_no_less({g, r, r}, last.before, e.before)) continue;
    const StateId with_that = tables_.next(e.before, {read, core::Fault::None, false});
    const auto is_that_read = [&](std::uint32_t load, std::uint32_t by) { return load == e.loads && by == last.loads; };
    if (tables_.same(with_that) == there && covers(after, with_that, is_that_read)) return true;
  }
  return false;
}

bool Spinloops::blocks(const Graph& g, EventId r, const core::Value& value) {
  const Event& e = g[r];
  const core::Request& q = tables_.step(e.before).request;
  if (q.waits) return !core::wait_over(q, value);
  if (e.spurious)
    return !core::cas_succeeds(value, q.expected, q.loc.size) ||
           futile(g, r, value, tables_.next(e.before, {value, core::Fault::None, true}));
  const bool writes =
      q.kind == core::Kind::Rmw && (q.op != core::RmwOp::Cas || core::cas_succeeds(value, q.expected, q.loc.size));
  if (writes && !leaves_value(q, value)) return false;
  return futile(g, r, value, tables_.next(e.before, {value, core::Fault::None, false}));
}

bool Spinloops::blocked_when_added(const Graph& g, EventId r) {
  EventId latest = g.locs[g[r].loc].tail;
  while (latest > r) latest = g[latest].co_prev;
  return blocks(g, r, value_of(g, tables_, g[r].loc, latest));
}

bool Spinloops::could_go_on(const Graph& g, EventId last) {
  const Event& e = g[last];
  if (e.asleep) return !blocks(g, last, value_of(g, tables_, e.loc, g.locs[e.loc].tail));
  if (!(e.stuck || e.waiting) || e.kind != EventKind::Read) return false;
  bool saw_an_old_write = false;
  EventId p = last;
  for (unsigned i = 0; i < e.pieces; ++i, p = g[p].po_prev)
    saw_an_old_write |= g[p].rf != no_event && g.co_next(g[p].rf) != no_event;
  return saw_an_old_write;
}

bool Spinloops::offers_failure(const Graph& g, ThreadId t) {
  if (!spurious_cas_) return false;
  const StateId here = g.threads[t].state;
  if (tables_.kind(here) != core::Kind::Rmw) return false;
  const core::Request q = tables_.step(here).request;
  if (q.op != core::RmwOp::Cas || !q.weak || tables_.step(here).loc == none) return false;
  EventId p = g.threads[t].last;
  if (p != no_event && g[p].kind == EventKind::Choose && g[p].spurious) return false;
  const StateId after = tables_.next(here, {q.expected, core::Fault::None, true});
  const LocId loc = tables_.step(here).loc;
  const EventId before = p;
  const std::uint32_t number = p == no_event ? 0 : g[p].loads + is_load(g[p]);
  // What was read of the location before is as good as what the exchange reads of it.
  const auto is_of_location = [&](std::uint32_t load, std::uint32_t by) {
    const EventId e = load_of(g, before, load);
    return by == number && e != no_event && g[e].loc == loc && comes_after_no_less({g, before}, here, g[e].before);
  };
  if (covers(after, here, is_of_location)) return false;
  for (std::uint32_t looked = 0; p != no_event && looked < longest_look_back; p = g[p].po_prev, ++looked) {
    const Event& e = g[p];
    if (e.kind == EventKind::Fence) continue;
    if ((e.kind != EventKind::Read && e.kind != EventKind::Choose) || e.pending) break;
    if (covers(after, e.before, is_of_location)) return false;
  }
  return !failed_here(g, t);
}

// Did the last weak compare-exchange that was to choose fail spuriously, in the local state in which the thread is?
bool Spinloops::failed_here(const Graph& g, ThreadId t) {
  EventId p = g.threads[t].last;
  const auto chooses = [&](const Event& e) { return e.kind == EventKind::Choose && e.spurious; };
  for (std::uint32_t looked = 0; p != no_event && !chooses(g[p]); p = g[p].po_prev)
    if (looked++ == longest_look_back) return false;
  unsigned unclean = 0;
  if (p == no_event || g[p].value.bits != 1) return false;
  if (!repeats({g, g.threads[t].last}, g.threads[t].state, g[p].before, unclean) && unclean == 0) return false;
  bool proved = races_ && unclean == 0;
  for (EventId e = g[g[p].po_next].po_next; e != no_event && proved; e = g[e].po_next) {
    const bool plain = g[e].order == core::Order::Plain && !g[e].rmw && !g[e].pending;
    const bool own =
        g[e].kind == EventKind::Write || (g[e].kind == EventKind::Read && g[e].rf > p && g[g[e].rf].thread == t);
    proved = plain && own;
  }
  assumed_ |= !proved;
  return true;
}

// Does the event belong to the taking of a lock that one thread at a time has?
bool Spinloops::takes_lock(const Event& e) const {
  const core::Request& q = tables_.step(e.before).request;
  return e.rmw && q.waits && q.op == core::RmwOp::Cas && e.pieces == 1;
}

std::uint64_t Spinloops::redundant_choice(const Graph& g, ThreadId t) {
  const StateId here = g.threads[t].state;
  const EventId last = g.threads[t].last;
  std::vector<std::pair<LocId, core::Value>> taken;  // locks taken since, and what they were left with
  const auto restored = [&](EventId from) {
    for (const auto& [loc, value] : taken) {
      EventId p = from;
      while (p != no_event && !(g[p].kind == EventKind::Write && g[p].loc == loc)) p = g[p].po_prev;
      if (p == no_event || !(g[p].value == value)) return false;
    }
    return true;
  };
  std::uint32_t looked = 0, rounds = 0;
  unsigned unclean = 0;
  std::uint64_t chosen = 0;
  for (EventId p = last; p != no_event && looked++ < longest_look_back; p = g[p].po_prev) {
    const Event& e = g[p];
    if (e.kind == EventKind::Choose && !e.spurious && repeats({g, last}, here, e.before, unclean)) {
      if ((rounds > 0 && e.value.bits != chosen) || !restored(e.po_prev)) return 0;
      chosen = e.value.bits;
      if (++rounds < (taken.empty() ? 1 : names_.most_rounds())) continue;
      skipped_ |= !taken.empty() && chosen != 0;
      return chosen;
    }
    if (e.kind == EventKind::Fence || e.kind == EventKind::Choose || (e.kind == EventKind::Read && !e.pending))
      continue;
    const bool lock = takes_lock(e);
    const auto known = std::ranges::find(taken, e.loc, &decltype(taken)::value_type::first);
    if (e.kind == EventKind::Write && lock && known == taken.end()) taken.emplace_back(e.loc, e.value);
    else if (known == taken.end() && !(e.kind == EventKind::Read && lock)) return 0;
  }
  return 0;
}

// May this taking of a lock belong to a round as redundant_choice() knows them?
bool Spinloops::follows_choice(const Graph& g, EventId e) const {
  while (e != no_event && (g[e].kind != EventKind::Choose || g[e].spurious || g[e].value.bits == 0)) e = g[e].po_prev;
  return e != no_event;
}

// Does the read see a lock taken by another thread's round, and would it lead elsewhere if it saw what was there before?
bool Spinloops::observes(const Graph& g, EventId read) {
  const Event& e = g[read];
  if (e.kind != EventKind::Read || e.asleep || e.stuck || e.waiting || e.rf < 0) return false;
  const Event& w = g[e.rf];
  if (w.kind != EventKind::Write || w.thread == e.thread || !takes_lock(w) || tables_.step(e.before).request.waits)
    return false;
  if (!follows_choice(g, e.rf)) return false;
  if (e.rmw || e.pieces > 1) return true;
  const core::Value before = g[g.read_of(e.rf)].value;
  return tables_.same(e.after) != tables_.same(tables_.next(e.before, {before, core::Fault::None, false}));
}

void Spinloops::look_for_observers(const Graph& g) {
  if (!skipped_) return;
  std::uint32_t observed = 0;
  for (EventId e = 0; e < g.size(); ++e) observed += observes(g, e);
  if (observed > 0) names_.need_rounds(observed + (acyclic_ ? 1 : 2));
}

bool Spinloops::only_chooses(const Graph& g, EventId id) const {
  if (g[id].spurious) return false;
  for (EventId p = id; p != no_event && g[p].kind == EventKind::Choose; p = g[p].po_prev)
    if (covers(g[id].after, g[p].before, [](std::uint32_t, std::uint32_t) { return false; })) return true;
  return false;
}

}  // namespace heddle::graph
