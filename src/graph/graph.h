// An execution graph: events in the order in which they were added, reads-from and coherence as links between them.
//
// An EventId ≥ 0 is a position in that order; the initial write of location l is ~l. Events are plain data, so that a
// restricted copy is mostly memcpy, and adding is undone by taking away from the end. Clocks hold, for each thread,
// how many of its first events lie in a prefix (the event itself included): `porf` along po ∪ rf, `hb` along the
// happens-before of the model, `msg` what a reader of this write learns. The mate of an event (the corresponding
// event of the elder of two symmetric threads) belongs to its porf prefix, so a revisit that keeps an event keeps its
// mate. Hot: bench/graph_bench.cpp watches it.
//
// A *serial* event is added while only one thread is there that nobody has joined yet: program order, creation and join
// put everything older before it and everything younger behind it, under every model. So a graph falls into phases, and
// no cycle of any axiom leaves one: what is older than the last serial event (`settled`) is judged once and never
// looked at again. Long sequential programs, and what they do before the first thread is created and after the last one
// is joined, cost time in proportion to their length.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "graph/tables.h"

namespace heddle::graph {

using EventId = std::int32_t;
inline constexpr EventId no_event = std::numeric_limits<EventId>::min();
inline constexpr EventId initial_write(LocId l) { return ~static_cast<EventId>(l); }
inline constexpr bool is_initial(EventId e) { return e < 0; }  // of a write

enum class EventKind : std::uint8_t {
  Read,
  Write,
  Fence,
  Choose,
  Alloc,
  Free,
  Spawn,
  Join,
  Refused,  // by a fault
  Stalled   // the thread goes no further in this graph, which is no execution: see graph/pieces.h
};

struct Event {
  ThreadId thread = 0;
  std::uint32_t index = 0;  // in program order
  // In program order, too, but told by what the thread asks for alone, not by whether a compare-exchange wrote or was
  // offered to fail: even; the write of a read-modify-write has that of its read and one more.
  std::uint32_t place = 0;
  StateId before = none, after = none;  // of the thread; the read of a pending rmw leaves it where it was
  LocId loc = none;
  EventId po_prev = no_event, po_next = no_event;
  EventId mate = no_event;  // the same event of the elder of two symmetric threads, while all before it is alike
  EventId rf = no_event;
  EventId co_prev = no_event, co_next = no_event;
  EventId readers = no_event, next_reader = no_event;
  std::uint32_t ppo_begin = 0;       // preserved program order: ppo[ppo_begin … next event's ppo_begin)
  std::uint32_t loads = 0;           // of its thread, before it
  std::uint32_t rounds = 0;          // with a loop bound: how often its thread has been at its place before
  EventId settled = 0;               // Graph::settled before it came
  EventId release_fence = no_event;  // the last one before it in its thread
  EventId release_head = no_event;   // of a write: the last release write to its location before it in its thread
  core::Value value;                 // read or written; of a spawn or join the thread
  EventKind kind = EventKind::Fence;
  core::Order order = core::Order::Plain;
  bool tie = false;      // alike with its mate
  bool rmw = false;      // half of a read-modify-write; a failed compare-exchange is such a read without a write
  bool pending = false;  // a read whose write comes next
  bool stuck = false;    // the end of a loop iteration that changed nothing: the thread waits for another value
  bool waiting = false;  // a lock or the like that was not free
  bool mixed = false;    // a compare-exchange whose failure has another order than its success
  // A weak compare-exchange that is to fail although the values are equal. Whether it is to is chosen by a Choose event
  // directly before its read, which has this set, too, and leaves the thread where it was.
  bool spurious = false;
  bool asleep = false;  // stuck or waiting from the start: reads from no write in particular (graph/spinloops.h)
  std::uint8_t piece = 0, pieces = 1;  // of an access whose bytes others cut: one event per piece, ascending
  bool promised = false;               // reads from a write that is not there yet (`rf` is no_event until it is)
  bool withheld = false;               // a write that some read is promised, but that cannot give it what it writes
  bool displaced = false;              // Stalled: another read-modify-write took the place (graph/pieces.h)
  bool behind_picked = false;          // may depend on hidden loads that picked a value (graph/hidden_loads.h)
  bool joins = false;                  // the first join of its thread
  bool joined = false;                 // continues the atomic step of the event before it (graph/atomic_steps.h)
  core::Fault fault = core::Fault::None;
  core::Tag tag = 0;
  std::uint32_t promise = none;  // of a promised read
  std::uint32_t local = none;    // what precedes it in its thread (graph/local_order.h), for the models that need it

  // Does it belong to the atomic step, or atomic instruction, of its predecessor in program order?
  bool continues_step() const { return joined || piece > 0 || (rmw && kind == EventKind::Write); }
};

// Is it nothing that a model of memory knows of: a choice, an allocation, a question about an object?
inline bool is_silent(const Event& e) {
  switch (e.kind) {
    case EventKind::Read:
    case EventKind::Write:
    case EventKind::Free:
    case EventKind::Spawn:
    case EventKind::Join: return false;
    case EventKind::Fence: return e.order == core::Order::Plain && e.tag == 0;
    default: return true;
  }
}

// Does this event end a load of its thread, as dependencies count them?
inline bool is_load(const Event& e) { return e.kind == EventKind::Read && e.piece + 1 == e.pieces; }

struct ThreadState {
  bool alive = false;
  std::uint32_t count = 0;
  StateId state = none;
  EventId first = no_event, last = no_event;
  EventId created_by = no_event;
  bool joined = false;
  ThreadId elder = none;  // the thread created before this one that it is symmetric to (graph/symmetry.h)
  std::uint32_t spawns = 0, allocs = 0;
};

struct LocState {
  EventId tail;  // coherence-latest write
  EventId initial_next = no_event, initial_readers = no_event;
  std::uint32_t plain = 0;  // accesses that are not atomic
};

class Graph {
 public:
  std::vector<Event> events;
  std::vector<LocState> locs;
  std::vector<ThreadState> threads;
  std::vector<EventId> ppo;
  std::uint32_t weak_accesses = 0;  // reads and writes that are not seq_cst
  std::uint32_t sc_events = 0;
  std::uint32_t frees = 0;
  std::uint32_t promises = 0;  // reads that still wait for their write
  std::uint32_t pieces = 0;    // events that are only a part of an access
  std::uint32_t stalled = 0;
  std::uint32_t unjoined = 0;    // threads that were created, or there from the start, and that nobody has joined
  EventId settled = 0;           // events older than this one are before all others (see above)
  std::vector<EventId> freed;    // by object: the event that frees it, or no_event
  EventId revisited = no_event;  // the read for whose revisit this graph was made, by the write that begins at …
  EventId revisitor = no_event;

  explicit Graph(bool with_hb = false) : with_hb_(with_hb) {}
  void clear(unsigned stride, unsigned threads);  // the stride is a multiple of 4
  void widen(unsigned stride);                    // room for more threads
  unsigned stride() const { return stride_; }
  EventId size() const { return static_cast<EventId>(events.size()); }

  Event& operator[](EventId e) { return events[static_cast<std::size_t>(e)]; }
  const Event& operator[](EventId e) const { return events[static_cast<std::size_t>(e)]; }

  EventId co_next(EventId w) const { return w < 0 ? locs[static_cast<LocId>(~w)].initial_next : events[w].co_next; }
  EventId readers(EventId w) const { return w < 0 ? locs[static_cast<LocId>(~w)].initial_readers : events[w].readers; }
  // The read that belongs to the write of a read-modify-write: of several pieces, the same one.
  EventId read_of(EventId w) const {
    EventId r = events[w].po_prev;
    for (unsigned i = 1; i < events[w].pieces; ++i) r = events[r].po_prev;
    return r;
  }
  // The first event of the access that e belongs to.
  EventId first_piece(EventId e) const {
    for (unsigned i = events[e].piece; i > 0; --i) e = events[e].po_prev;
    return e;
  }
  // Does the last event of the thread belong to an access whose other events are still to come?
  bool unfinished(const ThreadState& t) const {
    if (t.last == no_event) return false;
    const Event& e = events[t.last];
    return e.piece + 1 < e.pieces || e.pending;
  }
  // The write that an access sees or makes.
  EventId write_of(EventId e) const { return events[e].kind == EventKind::Write ? e : events[e].rf; }

  bool has_twins() const {
    for (const ThreadState& t : threads)
      if (t.elder != none && t.alive) return true;
    return false;
  }
  // Is the next event, if it creates no thread, the first serial one after events of several threads?
  bool ends_phase() const { return unjoined == 1 && settled != size(); }
  EventId freed_by(std::uint32_t object) const { return object < freed.size() ? freed[object] : no_event; }

  using Clock = std::uint32_t;
  Clock* porf(EventId e) { return porf_.data() + static_cast<std::size_t>(e) * stride_; }
  Clock* hb(EventId e) { return hb_.data() + static_cast<std::size_t>(e) * stride_; }
  Clock* msg(EventId e) { return msg_.data() + static_cast<std::size_t>(e) * stride_; }
  const Clock* porf(EventId e) const { return porf_.data() + static_cast<std::size_t>(e) * stride_; }
  const Clock* hb(EventId e) const { return hb_.data() + static_cast<std::size_t>(e) * stride_; }
  bool in(EventId e, const Clock* c) const { return events[e].index < c[events[e].thread]; }
  void join(Clock* into, const Clock* from) const {
    for (unsigned i = 0; i < stride_; i += group) {
      Group a, b;
      std::memcpy(&a, into + i, sizeof a);
      std::memcpy(&b, from + i, sizeof b);
      a = a < b ? b : a;
      std::memcpy(into + i, &a, sizeof a);
    }
  }
  void copy(Clock* to, const Clock* from) const {
    for (unsigned i = 0; i < stride_; i += group) std::memcpy(to + i, from + i, sizeof(Group));
  }

  // Appends an event of thread e.thread to its program order; rf and co come by link_read and link_write.
  EventId append(const Event& e, unsigned location_count);
  // The mate that the next event of the thread would have.
  EventId next_mate(ThreadId t) const { return threads[t].elder == none ? no_event : mate_by_elder(threads[t]); }
  // The clock that an event of the thread would have before it reads anything.
  void base_porf(ThreadId t, Clock* out) const { base_porf(t, next_mate(t), out); }
  // Sets hb(e) to what e has by program order and creation of its thread alone.
  void reset_hb(EventId e);
  void link_read(EventId r, EventId w);  // reads-from and the porf clock; the value is the caller's affair
  void unlink_read(EventId r);           // requires r to be the head of its write's readers
  void link_write(EventId w, EventId after);
  void keep_promise(EventId r, EventId w);  // a promised read has its write; clocks stay as they are
  // The reads that w and the pieces before it were promised to, and no others read them, wait again.
  void take_back(EventId w);
  void reset_porf(EventId e);  // forgets what e learnt by reading
  void set_order(EventId e, core::Order);
  void truncate(EventId size);

  // Becomes the part of g that a revisit of r by a write with this porf clock keeps: what is older than r and the
  // write's prefix. r stays, last of its thread, without rf; the revisiting write is to come next.
  void restrict_from(const Graph& g, EventId r, const Clock* prefix);
  // The same with what is older than the write w, and no read to be revisited.
  void restrict_before(const Graph& g, EventId w, const Clock* prefix);

 private:
  // Clocks are taken four at a time, as one word of the processor. They count events, whose numbers are signed; the
  // oldest x86-64 can compare only signed numbers so.
  static constexpr unsigned group = 4;
  using Group = std::int32_t __attribute__((vector_size(group * sizeof(std::int32_t))));

  std::uint32_t place_of_next(const Event&) const;
  void note_free(EventId);
  static bool is_plain(const Event& e) {
    return e.order == core::Order::Plain && (e.kind == EventKind::Read || e.kind == EventKind::Write);
  }
  void note_join(Event&);
  void unlink_write(EventId w);
  void begin_clock(EventId e, Clock* clocks) const;  // by program order and thread creation alone
  void join_mate(EventId mate, Clock* out) const;
  void base_porf(ThreadId, EventId mate, Clock* out) const;
  EventId mate_by_elder(const ThreadState&) const;  // of the next event of a thread that has an elder
  void add_locations(unsigned count);
  // `last` and what is older stays, beside the prefix.
  void restrict_behind(const Graph& g, EventId last, const Clock* prefix, EventId r);
  // Parts of it. `renamed`: the new name of an event of the old graph, no_event if it is not kept.
  void copy_kept(const Graph&, EventId last, const Clock* prefix);
  bool forget(const Event&);
  template <class Renamed>
  void restrict_coherence(const Graph&, Renamed);
  template <class Renamed>
  void relink(EventId older, Renamed);
  void count_joins();
  template <class Renamed>
  void restrict_ppo(const Graph&, Renamed);
  void make_room(std::size_t count);  // for the clocks of so many events
  EventId& readers_ref(EventId w) { return w < 0 ? locs[static_cast<LocId>(~w)].initial_readers : events[w].readers; }

  bool with_hb_;
  unsigned stride_ = 8;
  unsigned initial_threads_ = 0;
  std::vector<Clock> porf_, hb_, msg_;  // rows of stride_; those behind the last event hold anything
  std::vector<EventId> map_;            // scratch of restrict_behind
};

// Marks e and what precedes it in po ∪ rf, creation and join, down to `oldest`: without mates, and without the writes that
// were promised to their reads.
void mark_prefix(const Graph&, EventId e, EventId oldest, std::vector<std::uint8_t>& marked,
                 std::vector<EventId>& scratch);

// What write w of location l (w may be the initial one) has left there.
inline const core::Value& value_of(const Graph& g, const Tables& tables, LocId l, EventId w) {
  return w < 0 ? tables.location(l).initial : g[w].value;
}

}  // namespace heddle::graph
