// Symmetry between threads that run the same function with equal arguments: one execution of each class that differs
// only in which of them did what (compare Kokologiannakis, Marmanis, Vafeiadis, PLDI 2024, "SPORE").
//
// Of two threads that the same parent created, the elder comes first. Both take the same steps as long as all that they
// read is the same; where they differ first, an order is prescribed: the elder's write comes first in coherence, the
// elder reads the coherence-earlier write, the elder chooses the greater number. (A read that comes after the other
// thread's in po ∪ rf is the later one whatever coherence says; under sc, tso, pso and nsw the two always agree.) Every
// class has exactly one execution in that order.
//
// The exploration stays as it is, but an option against the order is not taken, and the elder's event counts as before
// its mate when a revisit asks what to keep. So the elder's event is always there first, and the latest write, which is
// what the maximality condition asks for, is always an option. Under ra and rc11 coherence may contradict po ∪ rf over
// several locations; where coherence alone decides between two mates, only three threads of one group are taken as
// symmetric there (a contradiction needs two pairs of them).
//
// With load buffering (graph/promises.h) the exploration visits *annotated* executions: which of their reads are promised
// belongs to them, and a promised read has no edge from its write. Let S be po ∪ rf without these edges, which is acyclic,
// and S' be S with the edges from elder events to their mates. Two promised reads are alike if they have one promise; a
// promised read comes before one that is not, so the younger's read of the latest write is always in order, and nothing
// is said of two different promises. Every class of annotated executions has a member that is visited:
//  - The set of annotated executions is closed under exchanging symmetric threads, since the book of promises is
//    (PromiseBook::close_under). A write is found with its S prefix, which graphs with the threads exchanged have, too, in
//    the same way as they have executions. Where a promise cannot be renamed (`promised`), threads are kept apart.
//  - The exploration finds what is in order and has an acyclic S'. Mates are older than their younger events, as
//    predecessors in program order are; S' is what revisits ask for. A promised read is never deleted nor revisited, so
//    neither is what precedes it in S'; that it is out of order with its mate is final.
//  - Some member is in order and has an acyclic S': let L be a linear extension of S, and sort threads with an equal past
//    by what they do next: promised reads, other reads by L of the write they see, those that do nothing more. In a
//    shortest cycle of S', an edge from an elder event e to its mate is not entered by program order nor by a read that
//    both have in common, for the mate's thread has the same predecessor; so there is a write v that e, or an elder of it
//    alike or in this order, reads at the place of the first difference. With u the write that the last mate in a row
//    reads, L(v) ≤ L(u), and the next such write comes after that mate in S, so after u in L: the cycle does not close.
//  - So reads may be ordered by S of their writes, where coherence agrees (the latest write is always in order), and
//    that is the rule with several groups or more than three threads in one. In one group of three coherence decides as
//    above: a cycle of S' through mates of three threads a, b, c (in this order) enters a at a read of a write that
//    comes after c's next read, or b's, where all their pasts are equal, and a would not be the first.
// An execution may be visited once for each choice of promised reads, each time with other threads exchanged: classes
// with promised reads may come more than once.
//
// That the threads are symmetric is assumed when they are created and watched on every graph that is finished:
//  - the parent does nothing between their creations, nor between their joins, that another thread could notice;
//  - a thread that is told another's number does the same (its number may go through memory as long as only the thread
//    itself looks at it: the owner of a lock). Runs are repeated with the numbers of the others, each run once. It
//    creates no threads of its own;
//  - no thread has used the name of an object as a number.
// If one of these is broken, the threads are kept apart and the exploration begins again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace heddle::graph {

class Symmetry {
 public:
  // Can reads of two mates be ordered by the coherence of the writes they see, without a contradiction to po ∪ rf?
  enum class Coherence : std::uint8_t { Agrees, MayContradict, LoadBuffering };
  Symmetry(const core::Program&, Names&, Tables&, bool on, Coherence);

  // How many threads of the finished graphs were symmetric to another, at most.
  unsigned threads() const { return threads_; }
  // The elder of a thread that `spawn`, an event at the end of its parent, creates; none if it has no twin.
  ThreadId elder_of(const Graph&, EventId spawn);
  // The same for threads that run from the start.
  ThreadId elder_of(const Graph&, ThreadId initial);
  // Where loads are buffered: all that were ever taken as symmetric, each with its elder.
  const std::vector<std::pair<ThreadId, ThreadId>>& twins() const { return twins_; }

  // e has its rf or its value and may not be asleep: is it in order with its mate? Notes whether the two are alike.
  bool in_order(Graph&, EventId e);
  // w, an event at the end of its thread, is promised to other threads from now on.
  void promised(const Graph&, EventId w);
  bool place_in_order(const Graph&, EventId w, EventId after) const;

  // Called on maximal graphs. False: the graph is not the canonical member of its symmetry class and must not be
  // reported.
  bool finished(const Graph&);

 private:
  struct Run {  // of one thread, under the numbers of its whole group
    bool alike = false;
    // Writes whose value depends on the thread's number: its place in the thread, and its values.
    std::vector<std::pair<std::uint32_t, std::vector<core::Value>>> own;
  };
  using Group = std::vector<ThreadId>;  // eldest first

  ThreadId joins(const Graph&, ThreadId, ThreadId elder);  // the elder, or none
  bool equal_records(const Graph&, EventId spawn, std::uint32_t object, std::uint32_t other) const;
  bool own_locations(const Graph&, EventId e, EventId mate) const;
  std::uint32_t record_of(const Graph&, ThreadId) const;
  bool read_in_order(const Graph&, EventId e);
  // Along po ∪ rf, without mates and promises.
  void reach(const Graph& g, EventId from) { mark_prefix(g, from, 0, marked_, stack_); }
  bool precedes(const Graph& g, EventId w, EventId v) {  // two writes of one location, along the same
    reach(g, v);
    return w < 0 || reached(w);
  }
  bool reached(EventId e) const { return e >= 0 && marked_[static_cast<std::size_t>(e)] != 0; }
  std::vector<Group> groups(const Graph&) const;
  bool still_symmetric(const Graph&, const Group&);
  bool nobody_noticed_creation(const Graph&, const Group&) const;
  bool joined_together(const Graph&, const Group&);
  bool same_under_other_numbers(const Graph&, const Group&);
  const Run& run_of(const Graph&, const Group&, ThreadId);
  // Up to the event `last`; no_event: to the end.
  bool repeat(const Graph&, ThreadId, ThreadId as, Run&, EventId last = no_event);
  void break_up(const Group&);

  const core::Program& program_;
  Names& names_;
  Tables& tables_;
  const bool on_;
  const Coherence coherence_;
  std::vector<std::pair<ThreadId, ThreadId>> twins_;
  unsigned threads_ = 0;
  std::vector<std::uint8_t> marked_;
  std::vector<EventId> stack_;
  std::vector<ThreadId> accessor_;  // of each location: the thread that accesses it, or `many`
  std::unordered_map<std::uint64_t, Run> runs_;
};

}  // namespace heddle::graph
