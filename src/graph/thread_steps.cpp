// SPDX-License-Identifier: Apache-2.0
#include "graph/thread_steps.h"

#include "core/heap_family.h"
#include "core/rmw.h"
#include "graph/pieces.h"

namespace heddle::graph {

namespace {
// What is inside an atomic step is not reordered with anything.
core::Order order_of(const core::Request& q) { return q.locked ? core::Order::SeqCst : q.order; }
}  // namespace

EventId ThreadSteps::append(Graph& g, Event& e) {
  e.joined = tables_.step(e.before).request.joined && g.threads[e.thread].last != no_event &&
             !(e.rmw && e.kind == EventKind::Write) && e.piece == 0;
  if (bound_.on()) e.rounds = bound_.rounds(g, g.threads[e.thread].last, tables_.step(e.before).request.site);
  return g.append(e, tables_.location_count());
}

EventId ThreadSteps::read(Graph& g, ThreadId t) {
  const ThreadState& thread = g.threads[t];
  const Step& s = tables_.step(thread.state);
  Event e;
  e.thread = t;
  e.kind = EventKind::Read;
  e.before = thread.state;
  if (s.pieces > 1) {
    if (g.unfinished(thread)) e.piece = static_cast<std::uint8_t>(g[thread.last].piece + 1);
    e.pieces = static_cast<std::uint8_t>(s.pieces);
  }
  e.loc = tables_.loc_of(s, e.piece);
  e.tag = s.request.tag;
  e.order = order_of(s.request);
  if (s.request.kind == core::Kind::Rmw) {
    e.rmw = true;
    const EventId last = thread.last;
    e.spurious = last != no_event && g[last].kind == EventKind::Choose && g[last].spurious && g[last].value.bits == 1;
    if (s.request.op == core::RmwOp::Cas && consistency_.failure_has_own_order() &&
        s.request.failure != s.request.order && !s.request.locked) {
      e.mixed = true;
      e.order = common_order(s.request);
    }
  }
  const EventId id = append(g, e);
  consistency_.appended(g, id);
  return id;
}

// Does the read-modify-write (if it is one) write, now that it has read this? Learns the order of a compare-exchange
// whose failure has one of its own, and whether the read waits for another value.
bool ThreadSteps::writes(Graph& g, EventId id, const core::Value& read) {
  Event& e = g[id];
  const core::Request& q = tables_.step(e.before).request;
  const auto succeeds = [&] { return core::cas_succeeds(read, q.expected, q.loc.size); };
  const auto learn_order = [&](bool success) {
    if (!e.mixed) return;
    const core::Order order = success ? q.order : q.failure;
    // The other pieces learn only now which order they have.
    for (EventId p = g.first_piece(id); p < id; ++p)
      if (g[p].thread == e.thread) {
        g.set_order(p, order);
        consistency_.linked(g, p);
      }
    g.set_order(id, order);
  };
  if (e.spurious) {
    // With a reason to fail it does so where the choice was another one.
    e.waiting = !succeeds();
    learn_order(false);
    return false;
  }
  if (q.kind != core::Kind::Rmw) {
    e.waiting = q.waits && !core::wait_over(q, read);
    return false;
  }
  e.waiting = q.waits && !core::wait_over(q, read);
  if (q.op != core::RmwOp::Cas) return !e.waiting;
  const bool success = succeeds();
  learn_order(success);
  return success;
}

void ThreadSteps::resolve(Graph& g, EventId id) {
  Event& e = g[id];
  const core::Value read = e.pieces == 1 ? e.value : value_read(g, tables_, id);
  e.pending = writes(g, id, read);
  if (e.pending && leaves_value(tables_.step(e.before).request, read)) {
    // It would write what was there, and the loop goes round again: a test-and-set lock that is not free.
    const StateId after = tables_.next(e.before, {read, core::Fault::None, false});
    if (spinloops_.futile(g, id, read, after)) {
      e.pending = false;
      e.stuck = true;
      e.after = after;
    }
  }
  if (e.pending || (e.waiting && !e.stuck)) {
    e.after = e.before;
  } else if (!e.stuck) {
    e.after = tables_.next(e.before, {read, core::Fault::None, e.spurious});
    e.stuck = spinloops_.futile(g, id, read, e.after);
  }
  g.threads[e.thread].state = e.after;
}

void ThreadSteps::unresolve(Graph& g, EventId r) const {
  g[r].pending = false;
  if (g[r].mixed) g.set_order(r, common_order(tables_.step(g[r].before).request));
}

EventId ThreadSteps::write(Graph& g, ThreadId t) {
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
  e.order = order_of(s.request);
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
  const EventId id = append(g, e);
  // Who reads one piece has the whole write before it.
  g.porf(id)[t] = static_cast<Graph::Clock>(g[id].index - e.piece + e.pieces);
  consistency_.appended(g, id);
  return id;
}

EventId ThreadSteps::choice(Graph& g, ThreadId t, std::uint64_t value) {
  Event e;
  e.thread = t;
  e.kind = EventKind::Choose;
  e.before = g.threads[t].state;
  e.value = value;
  e.spurious = tables_.step(e.before).request.kind == core::Kind::Rmw;
  e.after = e.spurious ? e.before : tables_.next(e.before, {e.value, core::Fault::None, false});
  const EventId id = append(g, e);
  consistency_.appended(g, id);
  consistency_.linked(g, id);
  g.threads[t].state = e.after;
  return id;
}

EventId ThreadSteps::stall(Graph& g, ThreadId t) {
  Event e;
  e.thread = t;
  e.kind = EventKind::Stalled;
  e.before = e.after = g.threads[t].state;
  const EventId id = g.append(e, tables_.location_count());
  consistency_.appended(g, id);
  consistency_.linked(g, id);
  return id;
}

core::Fault ThreadSteps::fault_of_free(const Graph& g, const core::Request& q) const {
  const core::Value& pointer = q.value;
  if (pointer.bits == 0) return core::Fault::None;
  if (pointer.offset() == 0 && g.freed_by(pointer.object()) != no_event) return core::Fault::DoubleFree;
  const ObjectInfo o = names_.object(pointer.object());
  // A local or thread-local variable goes with its frame or thread, not by free().
  const bool foreign =
      q.storage == core::AllocKind::Heap && !core::is_heap(o.kind) && o.kind != core::AllocKind::Outside;
  if (!pointer.pointer || pointer.offset() != 0 || o.global || !o.exists() || foreign) return core::Fault::InvalidFree;
  return core::Fault::None;
}

// Fills in what the step's event has beside its thread and state; returns what the thread is told.
core::Answer ThreadSteps::describe(const Graph& g, LocalStep& step) {
  Event& e = step.event;
  const Step& s = tables_.step(e.before);
  const core::Request& q = s.request;
  core::Answer answer;
  answer.fault = s.fault;
  switch (q.kind) {
    case core::Kind::Fence:
      e.kind = EventKind::Fence;
      e.order = q.order;
      e.tag = q.tag;
      break;
    case core::Kind::Alloc:
      e.kind = EventKind::Alloc;
      e.value = answer.value = core::Value::address(
          names_.allocated(e.thread, g.threads[e.thread].allocs, static_cast<std::uint32_t>(q.value.bits), q.storage,
                           q.expected.object()),
          0);
      break;
    case core::Kind::Free:
      // To free null is to do nothing: no object that anyone could share.
      e.kind = q.value.bits == 0 ? EventKind::Alloc : EventKind::Free;
      e.value = q.value;
      e.fault = answer.fault = fault_of_free(g, q);
      if (e.fault != core::Fault::None) e.kind = EventKind::Refused;
      break;
    case core::Kind::Spawn:
      e.kind = EventKind::Spawn;
      step.child = names_.spawned(e.thread, g.threads[e.thread].spawns, q.entry);
      e.value = answer.value = step.child;
      break;
    case core::Kind::Join:
      e.kind = EventKind::Join;
      e.value = q.value;
      break;
    default:  // an access that memory refuses, or a question for the size of an object
      e.kind = s.fault == core::Fault::None ? EventKind::Fence : EventKind::Refused;
      e.fault = s.fault;
      if (s.fault == core::Fault::None) {
        const ObjectInfo o = names_.object(q.loc.object);
        answer.value = core::object_facts(o.size, o.kind);
      }
      break;
  }
  return answer;
}

LocalStep ThreadSteps::local(const Graph& g, ThreadId t) {
  LocalStep step;
  step.event.thread = t;
  step.event.before = g.threads[t].state;
  step.event.order = core::Order::Plain;
  const core::Answer answer = describe(g, step);
  if (step.child != none) {
    const core::Request q = tables_.step(step.event.before).request;
    step.start = tables_.start(q.entry, q.value, step.child);
  }
  step.event.after = tables_.next(step.event.before, answer);
  return step;
}

EventId ThreadSteps::append(Graph& g, LocalStep& step) {
  Event& e = step.event;
  const EventId id = append(g, e);
  if (e.kind == EventKind::Join) {
    const ThreadState& joined = g.threads[static_cast<ThreadId>(e.value.bits)];
    const EventId last = joined.last != no_event ? joined.last : joined.created_by;
    if (last != no_event) g.join(g.porf(id), g.porf(last));
  }
  ThreadState& thread = g.threads[e.thread];
  if (e.kind == EventKind::Alloc)
    ++thread.allocs;  // a free of null counts, too: names only have to be the same each time
  if (e.kind == EventKind::Spawn) ++thread.spawns;
  consistency_.appended(g, id);
  consistency_.linked(g, id);
  thread.state = e.after;
  return id;
}

}  // namespace heddle::graph
