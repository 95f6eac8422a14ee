// SPDX-License-Identifier: Apache-2.0
#include "graph/explorer.h"

#include <algorithm>
#include <tuple>

#include "axioms/models.h"
#include "core/rmw.h"
#include "graph/pieces.h"
#include "support/diagnostics.h"

namespace heddle::graph {

namespace {
constexpr std::uint32_t steps_between_polls = 1024, axiomatic_steps_between_polls = 16;
// Events of an execution. What axioms judge is limited besides (graph/to_execution.h).
constexpr EventId longest = 250'000, longest_cyclic = 25'000;
constexpr std::uint32_t longest_look_back = 1000;  // for a futile loop iteration
constexpr EventId promise_option = 1 << 30;        // options from here on are numbers of promises

// Does this read-modify-write leave the value that it reads? Requires that it writes.
bool unchanged(const core::Request& q, const core::Value& read) {
  return (q.op == core::RmwOp::Cas ? q.value : core::rmw_result(q.op, read, q.value, q.loc.size)) == read;
}
}  // namespace

Explorer::Explorer(const core::Program& p, Names& n, Tables& t, Consistency& c, const Options& o, Watcher& w,
                   Promises* promises)
    : program_(p),
      names_(n),
      tables_(t),
      consistency_(c),
      options_of_run_(o),
      watcher_(w),
      promises_(promises),
      symmetry_(p, n, t, o.symmetry && promises == nullptr, !axioms::find_model(o.model)->language) {}

void Explorer::begin() {
  if (graphs_.empty()) graphs_.push_back(std::make_unique<Graph>(consistency_.with_hb()));
  depth_ = 0;
  frames_.clear();
  options_.clear();
  pending_ = none;
  const auto initial = program_.initial_threads();
  Graph& g = graph();
  g.clear(4 * static_cast<unsigned>(initial.size() / 4 + 1), static_cast<unsigned>(initial.size()));
  for (const auto& e : initial) {
    const auto t = static_cast<ThreadId>(g.threads.size());
    ThreadState s;
    s.alive = true;
    s.state = tables_.start(e.entry, e.arg, t);
    s.elder = symmetry_.elder_of(g, t);
    g.threads.push_back(s);
  }
}

bool Explorer::run(const Job& job) {
  job_ = &job;
  followed_ = 0;
  stopped_ = false;
  begin();
  for (;;) {
    if (++counts_.steps; until_poll_-- == 0) {
      until_poll_ = promises_ != nullptr ? axiomatic_steps_between_polls : steps_between_polls;
      if (watcher_.stop()) return false;
    }
    if (advance()) continue;
    if (stopped_) return false;
    if (!backtrack()) return true;
    if (stopped_) return false;
  }
}

// Adds the next event. False at a maximal graph and where no option is left.
bool Explorer::advance() {
  const ThreadId t = pending_ != none ? pending_ : pick();
  if (stopped_) return false;
  if (t != none) return step(t);
  Graph& g = graph();
  const bool untold = symmetry_.finished(g);
  if (tables_.stale()) {
    stopped_ = watcher_.stop();
    return false;
  }
  bool complete = true, exited = false, awake = false, unfounded = false;
  for (const ThreadState& s : g.threads) {
    if (!s.alive) continue;
    if (s.last != no_event) {
      // Sleepers that the latest write would wake, or waiters that saw an old one: the thread goes on in a twin.
      const Event& e = g[s.last];
      // Chosen to fail for no reason, but it had one, or the round changed nothing.
      unfounded |= e.spurious && (e.stuck || e.waiting);
      if (e.asleep) awake |= !in_vain(g, s.last, written(g, e.loc, g.locs[e.loc].tail));
      else if ((e.stuck || e.waiting) && e.kind == EventKind::Read) {
        EventId p = s.last;
        for (unsigned i = 0; i < e.pieces; ++i, p = g[p].po_prev) awake |= g.co_next(g[p].rf) != no_event;
      }
    }
    const core::Kind kind = tables_.step(s.state).request.kind;
    exited |= kind == core::Kind::Exit;
    complete &= kind == core::Kind::Ended || kind == core::Kind::Exit;
  }
  complete |= exited;
  if (!untold || unfounded || g.promises > 0 || (!complete && awake)) return false;
  if (!is_execution(g)) return false;
  if (random_ != nullptr) {
    found_ = true;
    return false;
  }
  if (tells_late())
    for (EventId e = 0; e < g.size(); ++e) watcher_.event(g, e);
  if (promises_ != nullptr) {
    for (ThreadId f = 0; f < g.threads.size(); ++f)
      if (g.threads[f].alive && tables_.step(g.threads[f].state).request.kind == core::Kind::Failed)
        watcher_.failed(g, f);
  }
  if (!watcher_.maximal(g, complete)) ++counts_.duplicates;
  else ++(complete ? counts_.complete : counts_.blocked);
  stopped_ = watcher_.stop();
  return false;
}

// Can the thread take a step now?
bool Explorer::ready(const Graph& g, ThreadId t) {
  const ThreadState& s = g.threads[t];
  switch (tables_.step(s.state).request.kind) {
    case core::Kind::Ended:
    case core::Kind::Exit:
    case core::Kind::Blocked:
    case core::Kind::Diverges:
    case core::Kind::Await:
    case core::Kind::Failed: return false;
    case core::Kind::Join: {
      const auto child = static_cast<ThreadId>(tables_.step(s.state).request.value.bits);
      if (child >= g.threads.size() || !g.threads[child].alive) return false;
      if (tables_.step(g.threads[child].state).request.kind != core::Kind::Ended) return false;
      break;
    }
    default: break;
  }
  if (s.last != no_event && (g[s.last].stuck || g[s.last].waiting || g[s.last].kind == EventKind::Stalled))
    return false;
  too_long_ |=
      tables_.drops().at(core::DropPlace::GraphLength, g.size() >= (promises_ != nullptr ? longest_cyclic : longest) ||
                                                           (options_of_run_.loop_bound == 0 && goes_round(g, t)));
  if (options_of_run_.loop_bound != 0 && over_bound(g, t)) {
    bound_reached_ = true;
    return false;
  }
  return !too_long_;
}

// Accesses and atomic steps that have begun are finished first: what they are part of can then be judged.
ThreadId Explorer::pick() {
  Graph& g = graph();
  const auto count = static_cast<ThreadId>(g.threads.size());
  if (g.pieces > 0)
    for (ThreadId t = 0; t < count; ++t)
      if (g.threads[t].alive && g.unfinished(g.threads[t])) return t;
  if (tables_.has_atomic_steps())
    for (ThreadId t = 0; t < count; ++t)
      if (inside_step(g, t) && ready(g, t)) return t;
  for (ThreadId t = 0; t < count; ++t) {
    if (!g.threads[t].alive) continue;
    // With promises it is known only at the end whether this is an execution at all.
    if (promises_ == nullptr && tables_.step(g.threads[t].state).request.kind == core::Kind::Failed) {
      bool begun = false;
      for (ThreadId u = 0; tables_.has_atomic_steps() && u < count; ++u) begun |= u != t && inside_step(g, u);
      if (begun || !is_execution(g)) continue;
      watcher_.failed(g, t);
      stopped_ = watcher_.stop();
      if (stopped_) return none;
      continue;
    }
    if (ready(g, t)) return t;
  }
  if (too_long_) stopped_ = watcher_.stop();
  return none;
}

// A place of the library is counted per call in the program's own text: four calls of pthread_create are no loop.
bool Explorer::over_bound(const Graph& g, ThreadId t) const {
  const std::uint32_t bound = options_of_run_.loop_bound;
  const StateId now = g.threads[t].state;
  const core::Site site = tables_.step(now).request.site;
  if (rounds(g, g.threads[t].last, site) < bound) return false;
  if (site == core::no_site || !program_.place(site).library) return true;
  const auto call = [&](StateId state) {
    for (const core::SourcePlace& place : program_.stack(tables_.local(state)))
      if (!place.library) return std::tuple(place.file, place.line, place.column);
    return std::tuple(std::string(), 0U, 0U);
  };
  const auto here = call(now);
  std::uint32_t seen = 0;
  for (EventId e = g.threads[t].last; e != no_event; e = g[e].po_prev)
    if (counts_as_round(g[e], site) && call(g[e].before) == here && ++seen >= bound) return true;
  return false;
}

bool Explorer::counts_as_round(const Event& e, core::Site site) const {
  return tables_.step(e.before).request.site == site && e.piece == 0 && !(e.rmw && e.kind == EventKind::Write) &&
         !(e.spurious && e.kind == EventKind::Choose);
}

// How often the thread was at this place, up to this event. The nearest event there knows how often it was before.
std::uint32_t Explorer::rounds(const Graph& g, EventId last, core::Site site) const {
  for (EventId e = last; e != no_event; e = g[e].po_prev)
    if (counts_as_round(g[e], site)) return g[e].rounds + 1;
  return 0;
}

// Whether the thread has come back to the local state it is in so often that it will hardly ever end. Looked at now and
// then only: the events are counted one by one.
bool Explorer::goes_round(const Graph& g, ThreadId t) const {
  // Where the axioms judge the whole graph again and again, a long one is beyond hope much sooner.
  const std::uint32_t now_and_then = promises_ != nullptr ? 128 : 1024, often = promises_ != nullptr ? 30 : 300;
  const ThreadState& s = g.threads[t];
  if (s.count == 0 || s.count % now_and_then != 0 || g.settled == g.size()) return false;
  std::uint32_t seen = 0;
  for (EventId e = s.last; e >= g.settled; e = g[e].po_prev) seen += tables_.same(g[e].before) == tables_.same(s.state);
  return seen >= often;
}

// One event of thread t, or the branch over its options with the first taken.
bool Explorer::step(ThreadId t) {
  Graph& g = graph();
  // What several threads did is over, and judged once and for all.
  if (g.ends_phase() && tables_.step(g.threads[t].state).request.kind != core::Kind::Spawn &&
      (g.promises > 0 || !is_execution(g)))
    return false;
  const EventId base = g.size();
  const auto begin = static_cast<std::uint32_t>(options_.size());
  if (pending_ != t && offers_failure(g, t)) {
    return branch(Branch::Choose, t, base, begin, 2, 0);
  }
  const Step& s = tables_.step(g.threads[t].state);
  if (pending_ == t || (s.request.kind == core::Kind::Store && s.loc != none)) return write_step(t);
  if ((s.request.kind == core::Kind::Load || s.request.kind == core::Kind::Rmw) && s.loc != none) {
    const EventId r = begin_read(t);
    consistency_.options(g, r, no_event, options_);
    if (promises_ != nullptr)
      if (const auto* list = promises_->find(g[r]))
        for (const std::uint32_t i : *list) options_.push_back(promise_option + static_cast<EventId>(i));
    if (options_.size() == begin + 1) {
      const EventId w = options_[begin];
      options_.resize(begin);
      return finish_read(r, w);
    }
    return branch(Branch::Read, t, base, begin, added(begin), 0);
  }
  if (s.request.kind == core::Kind::Choose) {
    // Its options are the numbers below n but one, and stand in no list: n may be large.
    const std::uint64_t n = s.request.value.bits;
    const auto skipped = static_cast<std::uint32_t>(repeated_choice(g, t));
    return n != 0 && branch(Branch::Choose, t, base, begin, static_cast<std::uint32_t>(n - (skipped != 0)), skipped);
  }
  return local_step(t);
}

// Pushes the frame of options_[begin …] and takes its first option that works; pops it if there is none.
bool Explorer::branch(Branch kind, ThreadId t, EventId base, std::uint32_t begin, std::uint32_t n,
                      std::uint32_t places) {
  Frame f{kind, t, base, begin, 0, 0, n, places};
  if (random_ != nullptr) {
    frames_.push_back(f);
    if (n == 0) return false;
    const bool follows = followed_ < job_->path.size();
    return take(frames_.back(), follows ? job_->path[followed_++] : n == 1 ? 0 : draw(n));
  }
  if (followed_ < job_->path.size()) {
    f.first = f.next = job_->path[followed_++];
    f.end = followed_ == job_->path.size() ? f.first + job_->width : f.first + 1;
  }
  frames_.push_back(f);
  while (frames_.back().next < frames_.back().end) {
    const std::size_t level = frames_.size();
    const std::uint32_t option = frames_.back().next++;
    if (take(frames_.back(), option)) return true;
    if (stopped_) return false;
    HEDDLE_ASSERT(frames_.size() == level);
  }
  return false;
}

bool Explorer::backtrack() {
  while (!frames_.empty()) {
    Frame& f = frames_.back();
    if (f.next < f.end) {
      const std::uint32_t option = f.next++;
      if (take(f, option)) return true;
      if (stopped_) return true;
      continue;
    }
    if (f.kind == Branch::Revisit) --depth_;
    options_.resize(f.begin);
    frames_.pop_back();
  }
  return false;
}

// Makes the graph what it is after this option; false if that is inconsistent.
bool Explorer::take(Frame& f, std::uint32_t option) {
  Graph& g = graph();
  const EventId choice = f.kind == Branch::Choose ? no_event : options_[f.begin + option];
  pending_ = none;
  switch (f.kind) {
    case Branch::Read: {
      g.truncate(f.base);
      return finish_read(begin_read(f.thread), choice);
    }
    case Branch::Choose: {
      g.truncate(f.base);
      return add_choice(f.thread, option + (f.places != 0 && option >= f.places ? 1 : 0));
    }
    case Branch::Write:
    case Branch::Revisit: {
      // The revisited read is linked when the last piece of the write has its place.
      if (g.revisited != no_event && f.base < g.size() && g.first_piece(f.base) == g.revisitor)
        g.unlink_read(g.revisited);
      g.truncate(f.base);
      if (option >= f.places) {
        const Frame copy = f;
        return revisit(copy, choice);
      }
      if (choice == no_event) return stall(f.thread);
      return place(begin_write(f.thread), choice);
    }
  }
  return false;
}

// What the thread chose the last time that it was in this local state, if all it wrote since then are locks that it has
// given up and taken again (0 if there is none such): a condition wait that returned unasked, and found what it waits
// for still missing. To choose the same once more changes nothing: the round that lies between has read only, every
// other thread sees the lock in the same order without it, and the run without it has fewer constraints. 0 is never
// left out, since revisits need it (see maximal()).
std::uint64_t Explorer::repeated_choice(const Graph& g, ThreadId t) {
  const StateId here = tables_.same(g.threads[t].state);
  std::vector<std::pair<LocId, core::Value>> taken;  // locks taken since, and what they were left with
  const auto restored = [&](EventId from) {
    for (const auto& [loc, value] : taken) {
      EventId p = from;
      while (p != no_event && !(g[p].kind == EventKind::Write && g[p].loc == loc)) p = g[p].po_prev;
      if (p == no_event || !(g[p].value == value)) return false;
    }
    return true;
  };
  std::uint32_t looked = 0;
  for (EventId p = g.threads[t].last; p != no_event && looked++ < longest_look_back; p = g[p].po_prev) {
    const Event& e = g[p];
    if (e.kind == EventKind::Choose && !e.spurious && tables_.same(e.before) == here)
      return restored(e.po_prev) ? e.value.bits : 0;
    if (e.kind == EventKind::Fence || e.kind == EventKind::Choose || (e.kind == EventKind::Read && !e.pending))
      continue;
    const bool lock = e.rmw && tables_.step(e.before).request.waits && e.pieces == 1;
    const auto known = std::ranges::find(taken, e.loc, &decltype(taken)::value_type::first);
    if (e.kind == EventKind::Write && lock && known == taken.end()) taken.emplace_back(e.loc, e.value);
    else if (e.kind == EventKind::Write ? known == taken.end() : !(e.kind == EventKind::Read && lock)) return 0;
  }
  return 0;
}

// Is the thread's next access a weak compare-exchange for which it is still to be chosen whether it fails for no
// reason? Not asked where failing brings the thread back to where it was, without a write since: such a round changes
// nothing, and the run without it is explored, with fewer reads and so fewer constraints.
bool Explorer::offers_failure(const Graph& g, ThreadId t) {
  if (!options_of_run_.spurious_cas) return false;
  const StateId here = g.threads[t].state;
  const core::Request q = tables_.step(here).request;
  if (q.kind != core::Kind::Rmw || q.op != core::RmwOp::Cas || !q.weak || tables_.step(here).loc == none) return false;
  EventId p = g.threads[t].last;
  if (p != no_event && g[p].kind == EventKind::Choose && g[p].spurious) return false;
  const StateId after = tables_.same(tables_.next(here, {q.expected, core::Fault::None, true}));
  if (after == tables_.same(here)) return false;
  for (std::uint32_t looked = 0; p != no_event && looked < longest_look_back; p = g[p].po_prev, ++looked) {
    const Event& e = g[p];
    if (e.kind == EventKind::Fence) continue;
    if ((e.kind != EventKind::Read && e.kind != EventKind::Choose) || e.pending) break;
    if (tables_.same(e.before) == after) return false;
  }
  return true;
}

EventId Explorer::append(Event& e) {
  if (options_of_run_.loop_bound != 0)
    e.rounds = rounds(graph(), graph().threads[e.thread].last, tables_.step(e.before).request.site);
  return graph().append(e, tables_.location_count());
}

EventId Explorer::begin_read(ThreadId t) {
  Graph& g = graph();
  const StateId before = g.threads[t].state;
  const Step& s = tables_.step(before);
  Event e;
  e.thread = t;
  e.kind = EventKind::Read;
  e.before = before;
  if (s.pieces > 1) {
    if (g.unfinished(g.threads[t])) e.piece = static_cast<std::uint8_t>(g[g.threads[t].last].piece + 1);
    e.pieces = static_cast<std::uint8_t>(s.pieces);
  }
  e.loc = tables_.loc_of(s, e.piece);
  e.tag = s.request.tag;
  // What is inside an atomic step is not reordered with anything.
  e.order = s.request.locked ? core::Order::SeqCst : s.request.order;
  if (s.request.kind == core::Kind::Rmw) {
    e.rmw = true;
    const EventId last = g.threads[t].last;
    e.spurious = last != no_event && g[last].kind == EventKind::Choose && g[last].spurious && g[last].value.bits == 1;
    if (s.request.op == core::RmwOp::Cas && consistency_.failure_has_own_order() &&
        s.request.failure != s.request.order && !s.request.locked) {
      e.mixed = true;
      e.order = s.request.failure;
    }
  }
  const EventId id = append(e);
  consistency_.appended(g, id);
  return id;
}

bool Explorer::finish_read(EventId id, EventId w, EventId revisitor) {
  Graph& g = graph();
  const bool promised = w >= promise_option;
  Event& e = g[id];
  if (promised) {
    e.promise = static_cast<std::uint32_t>(w - promise_option);
    const Promise& p = promises_->all[e.promise];
    e.promised = true;
    e.value = p.value;
    ++g.promises;
  } else {
    g.link_read(id, w);
    e.value = w < 0 ? tables_.location(e.loc).initial : g[w].value;
  }
  e.pending = e.stuck = e.waiting = e.asleep = e.tie = false;
  const Step& s = tables_.step(e.before);
  if (e.piece + 1 < e.pieces) {
    if (e.mixed) g.set_order(id, s.request.failure);
    e.after = e.before;
    g.threads[e.thread].state = e.after;
    consistency_.linked(g, id);
    return settle(id) && (promised || consistency_.consistent(g, revisitor == no_event ? id : revisitor,
                                                              revisitor == no_event ? no_event : id));
  }
  const core::Value read = e.pieces == 1 ? e.value : value_read(g, tables_, id);
  bool success = s.request.kind == core::Kind::Rmw && !e.spurious;
  if (e.spurious) {
    // With a reason to fail it does so where the choice was another one.
    e.waiting = !core::cas_succeeds(read, s.request.expected, s.request.loc.size);
  } else if (success && s.request.op == core::RmwOp::Cas) {
    success = core::cas_succeeds(read, s.request.expected, s.request.loc.size);
    e.waiting = s.request.waits && !success;
    if (e.mixed) {
      // The other pieces learn only now which order they have.
      for (EventId p = g.first_piece(id); p < id; ++p)
        if (g[p].thread == e.thread && p != id) {
          g.set_order(p, success ? s.request.order : s.request.failure);
          consistency_.linked(g, p);
        }
      g.set_order(id, success ? s.request.order : s.request.failure);
    }
  } else if (s.request.waits) {
    e.waiting = !core::cas_succeeds(read, s.request.expected, s.request.loc.size);
  }
  if (success && unchanged(s.request, read)) {
    // It would write what was there, and the loop goes round again: a test-and-set lock that is not free.
    const StateId after = tables_.next(e.before, {read, core::Fault::None, false});
    if (futile(g, id, read, after)) {
      success = false;
      e.stuck = true;
      e.after = after;
    }
  }
  if (success) {
    e.pending = true;
    e.after = e.before;
    pending_ = e.thread;
  } else if (e.stuck) {
    // as found above
  } else if (e.waiting) {
    e.after = e.before;
  } else {
    e.after = tables_.next(e.before, {read, core::Fault::None, e.spurious});
    e.stuck = futile(g, id, read, e.after);
  }
  g.threads[e.thread].state = e.after;
  if (promised) {
    consistency_.linked(g, id);
    return settle(id) && !e.stuck && !e.waiting;  // a thread that waits has no use for a promise
  }
  if ((e.stuck || e.waiting) && revisitor == no_event && e.pieces == 1) {
    // One that waits because it saw an old value need not be looked at: it could never be deleted by a revisit, so
    // all that is below has a twin in which it sees the latest.
    if (g.co_next(w) != no_event) return false;
    g.unlink_read(id);
    g.reset_porf(id);
    e.asleep = true;
    consistency_.linked(g, id);
    return settle(id);
  }
  if ((e.stuck || e.waiting) && revisitor != no_event && e.pieces == 1 && came_in_vain(g, id)) return false;
  if (!symmetry_.in_order(g, id)) return false;
  consistency_.linked(g, id);
  if (!settle(id)) return false;
  const auto consistent = [&] {
    return revisitor == no_event ? consistency_.consistent(g, id, no_event) : consistency_.consistent(g, revisitor, id);
  };
  if (!consistent()) {
    // Another write may still revisit the last piece of a cut read (graph/pieces.h), unless it saw an old one.
    if (e.pieces == 1 || (revisitor == no_event && g.co_next(w) != no_event)) return false;
    return stall(g[id].thread) && (revisitor == no_event || consistent());
  }
  tell_of(g, id);
  return true;
}

// Would this read leave its thread waiting if it read this value?
bool Explorer::in_vain(const Graph& g, EventId r, const core::Value& value) {
  const Event& e = g[r];
  const core::Request& q = tables_.step(e.before).request;
  if (q.waits) return !core::cas_succeeds(value, q.expected, q.loc.size);
  if (e.spurious)
    return !core::cas_succeeds(value, q.expected, q.loc.size) ||
           futile(g, r, value, tables_.next(e.before, {value, core::Fault::None, true}));
  const bool writes =
      q.kind == core::Kind::Rmw && (q.op != core::RmwOp::Cas || core::cas_succeeds(value, q.expected, q.loc.size));
  if (writes && !unchanged(q, value)) return false;
  return futile(g, r, value, tables_.next(e.before, {value, core::Fault::None, false}));
}

// Was the latest write in vain when r came? Then there is a twin in which r has been asleep ever since.
bool Explorer::came_in_vain(const Graph& g, EventId r) {
  EventId latest = g.locs[g[r].loc].tail;
  while (latest > r) latest = g[latest].co_prev;
  return in_vain(g, r, written(g, g[r].loc, latest));
}

// Has the thread, since some point without a write in between, come back to where it was; or to where it would be had
// an earlier read of this loop seen the value that this one saw? Then this iteration was for nothing: the run
// without it is explored as well, with fewer reads and so fewer constraints. It is a loop if the thread is at a place
// where it has been since.
bool Explorer::futile(const Graph& g, EventId r, const core::Value& read, StateId after) {
  const Event& last = g[r];
  const StateId here = tables_.same(after);
  const core::Site place = tables_.step(after).request.site;
  std::uint32_t looked = 0;
  bool loop = false;
  for (EventId p = r; p != no_event && looked++ < longest_look_back; p = g[p].po_prev) {
    const Event& e = g[p];
    loop |= tables_.step(e.before).request.site == place;
    if (e.kind == EventKind::Fence) continue;
    if (e.kind != EventKind::Read && e.kind != EventKind::Choose) return false;
    if (e.pending && p != r) return false;  // of several pieces the last one is the first to be met
    if (tables_.same(e.before) == here) return true;
    if (!loop || p == r || e.kind != EventKind::Read || e.loc != last.loc || e.pieces > 1 || last.pieces > 1) continue;
    if (e.order != last.order && e.order > core::Order::Relaxed) continue;
    const core::Request& q = tables_.step(e.before).request;
    if (q.waits || (e.rmw && (!last.rmw || core::cas_succeeds(read, q.expected, q.loc.size)))) continue;
    if (tables_.same(tables_.next(e.before, {read, core::Fault::None, false})) == here) return true;
  }
  return false;
}

bool Explorer::add_choice(ThreadId t, std::uint64_t value) {
  Graph& g = graph();
  Event e;
  e.thread = t;
  e.kind = EventKind::Choose;
  e.before = g.threads[t].state;
  e.value = value;
  e.spurious = tables_.step(e.before).request.kind == core::Kind::Rmw;
  e.after = e.spurious ? e.before : tables_.next(e.before, {e.value, core::Fault::None, false});
  const EventId id = append(e);
  consistency_.appended(g, id);
  consistency_.linked(g, id);
  g.threads[t].state = e.after;
  if (!symmetry_.in_order(g, id)) return false;
  // A loop that does nothing but choose comes back, too.
  for (EventId p = id; p != no_event && g[p].kind == EventKind::Choose && !e.spurious; p = g[p].po_prev)
    if (tables_.same(g[p].before) == tables_.same(e.after)) g[id].stuck = true;
  return settle(id);
}

// Events without options: fences, faults, allocation, threads.
bool Explorer::local_step(ThreadId t) {
  Graph& g = graph();
  const StateId before = g.threads[t].state;
  const Step& s = tables_.step(before);
  Event e;
  e.thread = t;
  e.before = before;
  e.order = core::Order::Plain;
  core::Answer answer;
  answer.fault = s.fault;
  ThreadId child = none;
  switch (s.request.kind) {
    case core::Kind::Fence:
      e.kind = EventKind::Fence;
      e.order = s.request.order;
      e.tag = s.request.tag;
      break;
    case core::Kind::Alloc: {
      e.kind = EventKind::Alloc;
      const core::AllocKind kind = s.request.storage;
      answer.value = core::Value::address(
          names_.allocated(t, g.threads[t].allocs, static_cast<std::uint32_t>(s.request.value.bits), kind,
                           s.request.expected.object()),
          0);
      e.value = answer.value;
      break;
    }
    case core::Kind::Free: {
      e.kind = EventKind::Free;
      e.value = s.request.value;
      const ObjectInfo o = names_.object(e.value.object());
      const bool null = e.value.bits == 0;
      // A local or thread-local variable goes with its frame or thread, not by free().
      const bool foreign = s.request.storage == core::AllocKind::Heap &&
                           o.kind != core::AllocKind::Heap && o.kind != core::AllocKind::Outside;
      if (!null && (!e.value.pointer || e.value.offset() != 0 || o.global || !o.exists() || foreign))
        answer.fault = core::Fault::InvalidFree;
      if (!null && e.value.offset() == 0 && g.freed_by(e.value.object()) != no_event)
        answer.fault = core::Fault::DoubleFree;
      if (null) e.kind = EventKind::Alloc;  // nothing happens: no object that anyone could share
      if (answer.fault != core::Fault::None) {
        e.kind = EventKind::Refused;
        e.fault = answer.fault;
      }
      break;
    }
    case core::Kind::Spawn: {
      e.kind = EventKind::Spawn;
      child = names_.spawned(t, g.threads[t].spawns, s.request.entry);
      answer.value = child;
      e.value = child;
      break;
    }
    case core::Kind::Join:
      e.kind = EventKind::Join;
      e.value = s.request.value;
      break;
    default:  // an access that memory refuses, or a question for the size of an object
      e.kind = s.fault == core::Fault::None ? EventKind::Fence : EventKind::Refused;
      e.fault = s.fault;
      if (s.fault == core::Fault::None) answer.value = names_.object(s.request.loc.object).size;
      break;
  }
  const StateId start = child == none ? none : tables_.start(s.request.entry, s.request.value, child);
  e.after = tables_.next(before, answer);
  if (child != none) make_room(child);
  const EventId id = append(e);
  if (e.kind == EventKind::Join) {
    const ThreadState& joined = g.threads[static_cast<ThreadId>(e.value.bits)];
    const EventId last = joined.last != no_event ? joined.last : joined.created_by;
    if (last != no_event) g.join(g.porf(id), g.porf(last));
  }
  ThreadState& thread = g.threads[t];
  if (e.kind == EventKind::Alloc)
    ++thread.allocs;  // a free of null counts, too: names only have to be the same each time
  if (e.kind == EventKind::Spawn) ++thread.spawns;
  consistency_.appended(g, id);
  consistency_.linked(g, id);
  thread.state = e.after;
  if (child != none) {
    ThreadState& c = g.threads[child];
    c = ThreadState{};
    c.alive = true;
    c.state = start;
    c.created_by = id;
    c.elder = symmetry_.elder_of(g, id);
  }
  symmetry_.in_order(g, id);
  if (!settle(id)) return false;
  tell_of(g, id);
  return true;
}

// Clocks and the table of threads must have a place for this one, in every graph of the stack.
void Explorer::make_room(ThreadId t) {
  if (t >= graph().stride()) {
    const unsigned stride = std::max(4 * (t / 4 + 1), 2 * graph().stride());
    for (std::size_t d = 0; d <= depth_; ++d) graphs_[d]->widen(stride);
  }
  if (t >= graph().threads.size()) graph().threads.resize(t + 1);
}

std::uint64_t Explorer::bytes() const {
  std::uint64_t n = tables_.bytes() + frames_.capacity() * sizeof(Frame) + options_.capacity() * sizeof(EventId);
  for (const auto& g : graphs_)
    n += g->events.capacity() * (sizeof(Event) + 3 * sizeof(Graph::Clock) * g->stride()) +
         g->locs.capacity() * sizeof(LocState);
  return n;
}

std::optional<Explorer::Job> Explorer::give_away() {
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    Frame& f = frames_[i];
    if (f.next >= f.end) continue;
    Job job;
    for (std::size_t j = 0; j < i; ++j) job.path.push_back(frames_[j].next - 1);
    const std::uint32_t n = (f.end - f.next + 1) / 2;
    job.path.push_back(f.end - n);
    job.width = n;
    f.end -= n;
    return job;
  }
  return std::nullopt;
}

}  // namespace heddle::graph
