// SPDX-License-Identifier: Apache-2.0
#include "graph/observer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/heap_family.h"
#include "graph/pieces.h"
#include "graph/to_execution.h"
#include "graph/witness.h"

namespace heddle::graph {

namespace {
bool is_leak(const Violation& v) { return v.kind == "memory-leak"; }
}  // namespace

Observer::Observer(const core::Program& p, const axioms::Model& model, const Options& o, std::uint64_t most,
                   const Tables& t, Consistency& c, Shared& s)
    : program_(p),
      model_(model),
      options_(o),
      most_(most),
      tables_(t),
      consistency_(c),
      shared_(s),
      steps_(t, model),
      prefix_decides_(c.with_hb()) {}

bool Observer::stops() const {
  return shared_.stop.load(std::memory_order_relaxed) || shared_.decided.load(std::memory_order_relaxed) ||
         shared_.executions.load(std::memory_order_relaxed) >= most_ || tables_.stale() || shared_.drops.any();
}

void Observer::report(const Graph& g, Violation v) {
  // What was seen since may be wrong.
  if (tables_.stale() || tables_.drops().at(core::DropPlace::GraphViolation, tables_.unsupported())) return;
  const std::scoped_lock lock(shared_.mutex);
  // A leak does no harm by itself: whatever else is found takes its place.
  if (shared_.violation && !(is_leak(*shared_.violation) && !is_leak(v))) return;
  shared_.witness = witness(program_, g, tables_, options_.model, consistency_.load_buffering());
  if (shared_.whole_of) shared_.whole = shared_.whole_of(g, tables_);
  if (path_) shared_.path = path_();
  if (!options_.count_all && !is_leak(v)) shared_.decided = true;
  shared_.violation = std::move(v);
}

std::string Observer::place_of(const Graph& g, EventId e) const {
  const core::SourcePlace p = program_.place(tables_.step(g[e].before).request.site);
  if (p.line == 0) return "an unknown place";  // the words that people see are the replay's
  return (p.file.empty() ? "line " : p.file + ":") + std::to_string(p.line);
}

void Observer::failed(Graph& g, ThreadId t) {
  if (!options_.properties.assertions) return;
  const core::Failure f = program_.failure(tables_.local(g.threads[t].state));
  const core::SourcePlace p = f.site == core::no_site ? core::SourcePlace{} : program_.place(f.site);
  report(g, {f.kind, p.line == 0 ? f.message : f.message + " at " + p.file + ":" + std::to_string(p.line), t});
}

void Observer::event(Graph& g, EventId e) {
  if (model_.overtakes_addresses && g[e].kind == EventKind::Read) check_forwarding(g, e);
  if (g[e].kind == EventKind::Free || (g.frees > 0 && (g[e].loc != none || asks_size(g, e)))) check_lifetime(g, e);
  if (options_.properties.races && g[e].loc != none) check_races(g, e);
}

// A read that sees a store of its own thread does so only because of the store's address. If that comes from a read and
// later writes need not wait for it, what they write may depend on itself through the address: with another address the
// read would see something else, and a write that depends on it, which the other address is read from. Promises
// (graph/promises.h) do not find such executions. A read that sleeps stands for one of any write, also of its thread's last.
// (Either may be settled by now: what several threads did is told of at the end.)
void Observer::check_forwarding(const Graph& g, EventId e) {
  const EventId from = g[e].settled;
  EventId w = g[e].rf;
  if (g[e].asleep) {
    w = g[e].po_prev;
    while (w >= from && !(g[w].kind == EventKind::Write && g[w].loc == g[e].loc)) w = g[w].po_prev;
  }
  if (w >= from && g[w].thread == g[e].thread && !tables_.deps(g[w].before).addr.empty())
    shared_.forwarded.store(true, std::memory_order_relaxed);
}

// Does e ask for the size of an object?
bool Observer::asks_size(const Graph& g, EventId e) const {
  return g[e].kind == EventKind::Fence && tables_.step(g[e].before).request.asks_size();
}

// Does the thread that asks for the size of an object fail if that was freed? Who is about to free it asks, too, and
// does not.
bool Observer::fails_if_freed(const Graph& g, EventId question) const {
  const core::ConstLocal local = tables_.local(g[question].before);
  core::Local refused(local.begin(), local.end());
  program_.resume(refused, {.value = {}, .fault = core::Fault::Freed, .spurious = false});
  return program_.request(refused).kind == core::Kind::Failed;
}

// An access, or a question for the size, and a free of the same object must be ordered, the free last.
void Observer::check_lifetime(Graph& g, EventId e) {
  if (!options_.properties.assertions) return;
  const auto asked_for = [&](EventId question) { return tables_.step(g[question].before).request.loc.object; };
  if (g[e].kind != EventKind::Free) {
    if (g[e].piece + 1 < g[e].pieces) return;  // the access is there with its last piece
    const EventId free = g.freed_by(g[e].loc != none ? tables_.location(g[e].loc).loc.object : asked_for(e));
    bool asked = false;
    if (free != no_event && (!g[e].asleep || reads_again(g, e)) && is_late(g, e, free, asked)) report_late(g, e, free);
    return;
  }
  // What was settled when it came is before it, and what comes after its phase looks for itself.
  EventId first = g.size();
  bool asked = false;
  const auto look_at = [&](EventId access) {
    if (access >= g[e].settled && access < first && g[access].settled <= e && is_late(g, access, e, asked))
      first = access;
  };
  for (const LocId l : tables_.locations_of(g[e].value.object())) {
    if (l >= g.locs.size()) continue;
    for (EventId w = g.locs[l].tail;; w = g[w].co_prev) {
      look_at(w);
      for (EventId r = g.readers(w); r != no_event; r = g[r].next_reader) look_at(r);
      if (w < 0) break;
    }
  }
  for (const ThreadState& s : g.threads)
    if (sleeps(g, s) && tables_.location(g[s.last].loc).loc.object == g[e].value.object()) look_at(s.last);
  for (EventId q = g[e].settled; tables_.has_size_questions() && q < g.size(); ++q)
    if (asks_size(g, q) && asked_for(q) == g[e].value.object()) look_at(q);
  if (first < g.size()) report_late(g, first, e);
}

// A blocked thread reads again, whatever the others have done meanwhile, and nothing follows its read. So the read is a
// real access although it has no place among the others. Not so inside an atomic step, which has not come to its end,
// and where a compare-exchange was to fail without a reason and has one.
bool Observer::reads_again(const Graph& g, EventId r) const {
  return g[r].asleep && !g[r].spurious && !tables_.step(g[r].before).request.locked;
}

bool Observer::sleeps(const Graph& g, const ThreadState& s) const {
  return s.alive && s.last != no_event && reads_again(g, s.last);
}

// `asked`: the consistency was asked about this free before, and about nothing else since.
//
// A question for the size is no access: machines order nothing by it, and it is asked where it stands in its thread. If it
// does not precede the free in po ∪ rf, what precedes either of them is an execution in which it comes last; and in some
// graph of that execution no path of po ∪ rf ∪ co ∪ fr leads from it to the free. Languages order it by happens-before.
bool Observer::is_late(Graph& g, EventId access, EventId free, bool& asked) {
  const bool asks = asks_size(g, access), one_thread = g[access].thread == g[free].thread;
  if (one_thread ? g[access].index < g[free].index : consistency_.known_before(g, access, free)) return false;
  if (asks && !fails_if_freed(g, access)) return false;
  if (asks && !one_thread && !model_.language) {
    prefix_decides_ = false;
    return steps_.may_precede(g, free, access);
  }
  if (!one_thread) {
    prefix_decides_ &= !consistency_.load_buffering();
    // What is seen of one piece of an access has happened to all (graph/pieces.h).
    EventId piece = g.first_piece(access);
    for (unsigned left = g[access].pieces; left > 0 && piece != no_event; --left, piece = g[piece].po_next) {
      if (consistency_.known_before(g, piece, free)) return false;
      if (std::exchange(asked, true) ? consistency_.ordered_too(g, piece, free) : consistency_.ordered(g, piece, free))
        return false;
    }
  }
  if (!tables_.step(g[access].before).request.locked) return true;
  // Inside an atomic step the whole step is what is ordered.
  prefix_decides_ = false;
  return steps_.may_precede(g, free, access);
}

void Observer::report_late(Graph& g, EventId access, EventId free) {
  report(g,
         {"use-after-free",
          "the access at " + place_of(g, access) + " is not ordered before the object is freed at " + place_of(g, free),
          g[access].thread});
}

// Under rc11 and ra: two accesses to one location, not both reads, one of them plain, unordered by happens-before.
void Observer::check_races(Graph& g, EventId e) {
  if (g.locs[g[e].loc].plain == 0) return;
  if (g[e].asleep) {
    if (!reads_again(g, e)) return;
    for (EventId w = g.locs[g[e].loc].tail; w >= 0; w = g[w].co_prev)
      if (races_with_sleeper(g, w, e)) return;
    return;
  }
  for (const ThreadState& s : g.threads)
    if (g[e].kind == EventKind::Write && sleeps(g, s) && g[s.last].loc == g[e].loc && races_with_sleeper(g, e, s.last))
      return;
  const auto check = [&](EventId other) {
    if (other < 0 || other == e || g[other].thread == g[e].thread || g[other].asleep) return false;
    if (g[other].kind == EventKind::Read && g[e].kind == EventKind::Read) return false;
    if (g[other].order != core::Order::Plain && g[e].order != core::Order::Plain) return false;
    if (consistency_.ordered(g, other, e) || consistency_.ordered(g, e, other)) return false;
    report(g, {"race", "the accesses at " + place_of(g, other) + " and " + place_of(g, e) + " are a data race",
               g[e].thread});
    return true;
  };
  for (EventId w = g.locs[g[e].loc].tail;; w = g[w].co_prev) {
    if (check(w)) return;
    for (EventId r = g.readers(w); r != no_event; r = g[r].next_reader)
      if (check(r)) return;
    if (w < 0) return;
  }
}

// A blocked thread's read may also have seen the write before w, if the thread has seen none from w on.
bool Observer::races_with_sleeper(Graph& g, EventId w, EventId r) {
  Event& e = g[r];
  if (g[w].thread == e.thread || (g[w].order != core::Order::Plain && e.order != core::Order::Plain)) return false;
  std::vector<EventId> options;
  consistency_.options(g, r, no_event, options);
  if (std::ranges::find(options, g[w].co_prev) == options.end()) return false;
  const core::Value seen = e.value;
  e.asleep = false;
  g.link_read(r, g[w].co_prev);
  e.value = value_of(g, tables_, e.loc, e.rf);
  consistency_.linked(g, r);
  const bool race = consistency_.consistent(g, r, no_event) && !consistency_.ordered(g, w, r);
  prefix_decides_ &= race;  // what is younger may be what makes it inconsistent
  if (race)
    report(g, {"race", "the accesses at " + place_of(g, w) + " and " + place_of(g, r) + " are a data race", e.thread});
  g.unlink_read(r);
  g.reset_porf(r);
  e.asleep = true;
  e.value = seen;
  consistency_.linked(g, r);
  return race;
}

bool Observer::maximal(Graph& g, bool is_complete) {
  if (tables_.stale()) return true;
  if (is_complete) {
    if (!complete(g)) return false;
    if (options_.properties.deadlock) check_lock_cycle(g);
  } else if (options_.properties.deadlock || options_.properties.liveness) {
    check_waiting(g);
  }
  shared_.executions.fetch_add(1, std::memory_order_relaxed);
  return true;
}

// No execution without promised reads comes twice in a round: no graph with a promised read leads to it, since no
// revisit deletes such a read (graph/revisits.h). The others are remembered.
bool Observer::seen_before(const Graph& g) {
  if (!options_.hash_executions)
    if (!consistency_.load_buffering() || std::ranges::none_of(g.events, &Event::promised)) return false;
  const std::scoped_lock lock(shared_.mutex);
  return !shared_.seen.insert(fingerprint(g)).second;
}

// False if the execution was seen before.
bool Observer::complete(Graph& g) {
  if (seen_before(g)) {
    const std::scoped_lock lock(shared_.mutex);
    ++shared_.duplicates;
    return options_.hash_executions && !consistency_.load_buffering();  // debugging counts them all the same
  }
  if (options_.properties.leaks) check_leaks(g);
  if (options_.properties.robust) {
    const auto sequential = accepted_by_phases(g, tables_, axioms::sequential_consistency(), Steps::AsOne);
    if (!tables_.drops().at(core::DropPlace::GraphRobustness, !sequential) && !*sequential)
      report(g, {"robustness", "this execution is not one of sequential consistency", none});
  }
  if (options_.on_complete) tell(g);
  return true;
}

// The last round of the loop that ends in `last`: does it read nothing that is overwritten?
bool Observer::reads_the_latest(const Graph& g, EventId last) const {
  for (EventId e = last; e != no_event; e = g[e].po_prev) {
    if (g[e].kind == EventKind::Read && g[e].rf != no_event && g.co_next(g[e].rf) != no_event) return false;
    if (tables_.same(g[e].before) == tables_.same(g[last].after)) return true;
  }
  return true;
}

// Could the thread take a step, so that only the loop bound keeps it from going on? Requires a maximal graph.
bool Observer::cut_off(const Graph& g, ThreadId t) const {
  const ThreadState& s = g.threads[t];
  const core::Request& request = tables_.step(s.state).request;
  if (request.kind == core::Kind::Ended || request.kind == core::Kind::Exit) return false;
  if (request.kind == core::Kind::Join) {
    const auto child = static_cast<ThreadId>(request.value.bits);
    return child < g.threads.size() && g.threads[child].alive &&
           tables_.step(g.threads[child].state).request.kind == core::Kind::Ended;
  }
  return s.last == no_event || !(g[s.last].waiting || g[s.last].stuck);
}

// A thread that waits for a lock whose holder waits for a lock … that the thread holds: none of them will ever go on,
// whatever the others do. None if there is no such thread.
ThreadId Observer::in_lock_cycle(const Graph& g) const {
  for (ThreadId first = 0; first < g.threads.size(); ++first) {
    ThreadId t = first;
    for (std::size_t steps = 0; steps < g.threads.size(); ++steps) {
      const ThreadState& s = g.threads[t];
      if (!s.alive || s.last == no_event || !g[s.last].waiting || !tables_.step(s.state).request.owned) break;
      const EventId holder = g.locs[g[g.first_piece(s.last)].loc].tail;  // who wrote the lock's word last
      if (holder < 0 || tables_.step(g[holder].before).request.loc != tables_.step(s.state).request.loc) break;
      if ((value_written(g, tables_, holder).bits & 0xffff) != g[holder].thread + 1) break;
      if ((t = g[holder].thread) == first) return first;
    }
  }
  return none;
}

// An assumption of another thread that fails does not excuse it: that thread may have stopped in front of the assumption,
// which no other thread sees, as with a failed assertion. True if there is a cycle.
bool Observer::check_lock_cycle(const Graph& g) {
  const ThreadId t = in_lock_cycle(g);
  if (t == none) return false;
  for (const ThreadState& s : g.threads)
    if (s.alive && tables_.step(s.state).request.kind == core::Kind::Failed) return true;
  report(g, {"deadlock", "threads wait for each other's locks", t});
  return true;
}

// A loop of choices goes round for ever if no choice leads out of it. One that has too many states to tell is left to the
// replay.
bool Observer::only_chooses(const Graph& g, ThreadId t) const {
  constexpr std::size_t most = 10000;
  const core::ConstLocal local = tables_.local(g.threads[t].state);
  std::vector<core::Local> todo{core::Local(local.begin(), local.end())};
  std::set<core::Local> seen(todo.begin(), todo.end());
  while (!todo.empty()) {
    const core::Local from = std::move(todo.back());
    todo.pop_back();
    const core::Request q = program_.request(from);
    if (q.kind == core::Kind::Diverges) continue;
    if (q.kind != core::Kind::Choose) return false;
    for (std::uint64_t c = 0; c < q.value.bits; ++c) {
      core::Local to = from;
      program_.resume(to, {core::Value(c)});
      if (seen.insert(to).second) todo.push_back(std::move(to));
      if (seen.size() > most || c > most) return true;
    }
  }
  return true;
}

// Threads that cannot go on: waiting for a lock, spinning, joining one of those. A failed assumption excuses
// everything but a cycle of locks.
void Observer::check_waiting(const Graph& g) {
  if (options_.properties.deadlock && check_lock_cycle(g)) return;
  bool waits = false, spins = false, idle = false;
  ThreadId who = none;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    const ThreadState& s = g.threads[t];
    if (!s.alive) continue;
    const core::Request& request = tables_.step(s.state).request;
    const core::Kind kind = request.kind;
    if (kind == core::Kind::Diverges) {
      idle = true;
      who = t;
      continue;
    }
    if (kind == core::Kind::Blocked || kind == core::Kind::Failed) return;
    if (cut_off(g, t)) return;  // nobody knows what it would have done
    if (s.last != no_event && g[s.last].stuck && g[s.last].kind == EventKind::Choose) {
      if (!only_chooses(g, t)) return;  // it is up to the thread to leave the loop
      idle = true;
      who = t;
      continue;
    }
    // Who joins itself, or one that joins it, waits as well; who waits for a thread that spins does not.
    waits |= kind == core::Kind::Join;
    if (kind == core::Kind::Join && who == none) who = t;
    if (s.last == no_event) continue;
    waits |= g[s.last].waiting;
    if (g[s.last].stuck && !reads_the_latest(g, s.last)) return;  // it would see something else the next time
    spins |= g[s.last].stuck;
    if (g[s.last].waiting || g[s.last].stuck) who = t;
  }
  if ((spins || idle) && options_.properties.liveness)
    report(g, {"liveness",
               spins ? "a spin loop reads only the latest values and never ends"
                     : "a thread loops for ever without any visible action",
               who});
  else if (waits && !spins && !idle && options_.properties.deadlock)
    report(g, {"deadlock", "every thread that has not ended waits for ever", who});
}

// Is e the allocation of an object that nobody has freed and whose kind is such?
bool Observer::unfreed(const Graph& g, const Event& e, bool (*such)(core::AllocKind)) const {
  return e.kind == EventKind::Alloc && e.value.object() != 0 && such(tables_.step(e.before).request.storage) &&
         g.freed_by(e.value.object()) == no_event;
}

// A heap object is lost when, at the end, no chain of pointers leads to it from a global variable or from what a thread
// that has not ended (by exit(), say) still holds.
void Observer::check_leaks(const Graph& g) {
  if (std::ranges::none_of(g.events, [&](const Event& e) { return unfreed(g, e, core::can_leak); })) return;
  {
    const std::scoped_lock lock(shared_.mutex);
    if (shared_.violation) return;
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> points;
  std::map<EventId, std::uint32_t> name_bytes;  // of each pointer's write: bytes of the upper half that are still there
  for (LocId l = 0; l < g.locs.size(); ++l) {
    const EventId w = g.locs[l].tail;
    if (w < 0) {
      if (tables_.location(l).initial.pointer)
        points[tables_.location(l).loc.object].push_back(tables_.location(l).initial.object());
      continue;
    }
    const core::Value v = value_written(g, tables_, w);
    if (!v.pointer) continue;
    // Of a pointer that was overwritten in part, the upper half holds the object.
    const core::Loc here = tables_.location(l).loc;
    const std::uint32_t name = tables_.step(g[w].before).request.loc.offset + 4;
    auto& intact = name_bytes[g.first_piece(w)];
    for (std::uint32_t at = here.offset; at < here.offset + here.size; ++at) intact += at >= name ? 1 : 0;
    if (intact == 4) points[here.object].push_back(v.object());
  }
  std::vector<std::uint32_t> stack;
  std::set<std::uint32_t> reached;
  const auto globals = program_.globals();
  for (std::uint32_t o = 1; o <= globals.size(); ++o) {
    stack.push_back(o);
    for (const auto at : globals[o - 1].pointers) {
      const core::Loc word{o, at, 8};
      bool written = false;
      for (LocId l = 0; l < g.locs.size(); ++l)
        written |= tables_.location(l).loc.overlaps(word) && g.locs[l].tail >= 0;
      if (!written) points[o].push_back(tables_.initial_value(word).object());
    }
  }
  for (const ThreadState& thread : g.threads) {
    if (!thread.alive) continue;
    const core::ConstLocal local = tables_.local(thread.state);
    if (program_.names_matter(local)) return;  // any number may be a pointer
    core::Local copy(local.begin(), local.end());
    program_.visit_pointers(copy, [&](core::Value& v) { stack.push_back(v.object()); });
  }
  for (const Event& e : g.events)
    if (unfreed(g, e, core::is_kept)) stack.push_back(e.value.object());
  while (!stack.empty()) {
    const std::uint32_t o = stack.back();
    stack.pop_back();
    if (!reached.insert(o).second || g.freed_by(o) != no_event) continue;  // what was freed holds nothing
    for (const std::uint32_t to : points[o]) stack.push_back(to);
  }
  for (EventId a = 0; a < g.size(); ++a) {
    if (unfreed(g, g[a], core::can_leak) && !reached.contains(g[a].value.object())) {
      report(g, {"memory-leak",
                 "what was allocated at " + place_of(g, a) + " is never freed, and nothing points to it any more",
                 g[a].thread});
      return;
    }
  }
}

void Observer::tell(const Graph& g) {
  Completed done;
  for (ThreadId t = 0; t < g.threads.size(); ++t)
    if (g.threads[t].alive) done.threads.emplace_back(t, tables_.local(g.threads[t].state));
  for (LocId l = 0; l < g.locs.size(); ++l) {
    const EventId w = g.locs[l].tail;
    done.memory.emplace_back(tables_.location(l).loc, w < 0 ? tables_.location(l).initial : g[w].value);
  }
  done.witness = witness(program_, g, tables_, options_.model, consistency_.load_buffering());
  const std::scoped_lock lock(shared_.mutex);
  options_.on_complete(done);
}

}  // namespace heddle::graph
