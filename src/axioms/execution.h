// Execution: the events of one run and the relations between them, which a memory model accepts or rejects.
//
// Events: initial writes first (one per location, no thread), then the threads' events, each thread's in program order.
// An atomic read-modify-write is two neighbouring events, a read and a write, linked by `rmw`; so is a successful
// load-linked/store-conditional pair, whose events have `exclusive` set. A failed compare-exchange is a read only, a
// failed store-conditional is no event.
//
// A builder of executions fills in `events`, po, rf, co and (for models with Model::needs_deps) addr, data, ctrl, then
// calls derive_static() once events, po and rmw are known, and derive() whenever rf or co have changed.
//   po    strict order of each thread, transitive; initial writes are outside it
//   rf    from a write to the reads of its value
//   co    strict total order of the writes to each location, transitive; the initial write is first
//   addr, data, ctrl   from reads (and, in RISC-V tests, from store-conditionals through their success register); ctrl
//   goes to every event after the branch
//
// Orders and fences: `order` is C11's; hardware models take Acquire and stronger reads and Release and stronger
// writes as their own annotated accesses (ldar/.aq, stlr/.rl). `tag` says what C11's orders cannot: a fence of a
// machine ("dmb.sy", "lwsync", …) or the weaker acquire "acquire-pc"; axioms/tags.h lists them. A fence without a
// tag is C11's of that order, and a hardware model takes it as the fence that compilers emit for it.
//
// Accesses of different sizes to overlapping bytes: rf, co and fr relate events that do so in some byte, and `slices`
// holds the relations of each group of bytes that no access cuts through; coherence is then judged slice by slice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "axioms/relation.h"
#include "core/program.h"

namespace heddle::axioms {

enum class EventKind : std::uint8_t { Init, Read, Write, Fence, Branch };

struct Event {
  static constexpr std::uint16_t no_thread = 0xffff;
  EventKind kind = EventKind::Fence;
  core::Order order = core::Order::Plain;
  core::Order instruction = core::Order::Plain;  // of a compare-exchange: on success; a failed one's `order` is its own
  core::Tag tag = 0;
  bool exclusive = false;  // half of a load-linked/store-conditional pair
  bool in_rmw = false;     // half of an atomic instruction (also a failed compare-exchange)
  std::uint16_t thread = no_thread;
  std::uint32_t index = 0;  // position among the events of its thread
  core::Loc loc;
  core::Value value;
  core::Site site = core::no_site;

  bool is_read() const { return kind == EventKind::Read; }
  bool is_write() const { return kind == EventKind::Write || kind == EventKind::Init; }
  bool is_access() const { return kind <= EventKind::Write; }
};

template <unsigned W>
struct Execution {
  using Rel = Relation<W>;
  using Set = EventSet<W>;

  std::vector<Event> events;
  Rel po, rf, co, addr, data, ctrl, rmw;
  Rel forced;  // pairs that every model orders: what precedes a thread's creation with the thread, the thread with what
               // follows its join; transitive. Empty in litmus tests.

  // Pairs of different events of one atomic step (a section of several accesses), both ways; of size 0 if there are no
  // steps. A step is one event to all others, as a transaction is in Chong, Sorensen and Wickerson, "The Semantics of
  // Transactions and Weak Memory in x86, Power, ARM, and C++" (PLDI 2018): every model isolates it (atomic() in
  // axioms/models.h) and asks for acyclicity of *lifted* relations; steps that have a location in common are also
  // ordered as critical sections of one lock are (order_steps).
  Rel steps;

  // One group of bytes, where sizes are mixed; empty otherwise.
  struct Slice {
    Rel po_loc, rf, co, fr;
  };
  std::vector<Slice> slices;

  // From derive_static():
  Set all, reads, writes, inits, fences, branches, accesses;  // writes and accesses include the initial ones
  Rel loc;   // accesses to overlapping bytes, an event with itself included
  Rel same;  // events of the same thread, an event with itself included; an initial write only with initial writes
  Rel po_loc;
  // From derive():
  Rel fr, rfe, rfi, coe, coi, fre, fri;

  unsigned size() const { return static_cast<unsigned>(events.size()); }

  // Empty relations for the number of events there is now.
  void reset() {
    po = rf = co = addr = data = ctrl = rmw = forced = Rel(size());
    steps = Rel();
  }
  bool has_steps() const { return steps.size() > 0; }

  void derive_static() {
    const unsigned n = size();
    all = Set::all(n);
    reads = writes = inits = fences = branches = Set{};
    for (EventId e = 0; e < n; ++e) {
      switch (events[e].kind) {
        case EventKind::Init:
          inits.add(e);
          writes.add(e);
          break;
        case EventKind::Read: reads.add(e); break;
        case EventKind::Write: writes.add(e); break;
        case EventKind::Fence: fences.add(e); break;
        case EventKind::Branch: branches.add(e); break;
      }
    }
    accesses = reads | writes;
    loc = same = Rel(n);
    for (EventId a = 0; a < n; ++a) {
      if (a > 0 && events[a - 1].thread == events[a].thread) same[a] = same[a - 1];
      else same[a] = where([&](const Event& e) { return e.thread == events[a].thread; });
    }
    // `members[f]`: the accesses to just the bytes that f accesses, f the first of them.
    Set firsts;
    Rel members(n);
    accesses.each([&](EventId a) {
      EventId first = a;
      firsts.each([&](EventId f) {
        if (events[f].loc == events[a].loc) first = f;
      });
      firsts.add(first);
      members.add(first, a);
    });
    firsts.each([&](EventId f) {
      Set here = members[f];
      firsts.each([&](EventId o) {
        if (o != f && events[o].loc.overlaps(events[f].loc)) here |= members[o];
      });
      members[f].each([&](EventId e) { loc[e] = here; });
    });
    po_loc = po & loc;
  }

  void derive() {
    const unsigned n = size();
    if (slices.empty()) {
      fr = Rel(n);
      writes.each([&](EventId w) { rf[w].each([&](EventId r) { fr[r] |= co[w]; }); });
      fr = fr & loc;  // an initial write may be that of several locations
    } else {
      fr = Rel(n);
      for (const auto& s : slices) fr |= s.fr;
    }
    rfi = rf & same;
    rfe = rf - same;
    coi = co & same;
    coe = co - same;
    fri = fr & same;
    fre = fr - same;
  }

  // Adds to `forced` what a lock around every step orders between threads: a step, with all that precedes it in its
  // thread, comes before a step that is later by rf, co and fr at a common location, with all that follows that one in
  // its thread. Requires derive().
  void order_steps() {
    if (!has_steps()) return;
    const Set within = steps.domain();
    Rel later(size());
    if (slices.empty()) later = closure(rf | co | fr);
    for (const auto& s : slices) later |= closure(s.rf | s.co | s.fr);
    const Rel after = maybe(po);
    forced = closure(forced | seq(after, lifted(later.between(within, within) - same), after));
  }
  // The relation, with steps as one event each: a pair of an event in a step and one outside of it is a pair of all
  // events of the step and the one outside.
  Rel lifted(Rel r) const {
    if (!has_steps()) return r;
    const Rel either = maybe(steps);
    return r | seq(either, r - steps, either);
  }

  // The events that satisfy a condition, as a set: x.where([](const Event& e) { … }).
  template <class F>
  Set where(F&& f) const {
    Set s;
    for (EventId e = 0; e < size(); ++e)
      if (f(events[e])) s.add(e);
    return s;
  }
  Rel id(const Set& s) const { return identity<W>(size(), s); }
  Rel cross(const Set& a, const Set& b) const { return product<W>(size(), a, b); }
  // Pairs of events with one of these fences between them in program order.
  Rel fenced(const Set& fence) const { return seq(po.to(fence), po); }
};

}  // namespace heddle::axioms
