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
  Symmetry(const core::Program&, Names&, Tables&, bool on, bool coherence_is_global);

  // How many threads of the finished graphs were symmetric to another, at most.
  unsigned threads() const { return threads_; }
  // The elder of a thread that `spawn`, an event at the end of its parent, creates; none if it has no twin.
  ThreadId elder_of(const Graph&, EventId spawn) const;
  // The same for threads that run from the start.
  ThreadId elder_of(const Graph&, ThreadId initial) const;

  // e has its rf or its value and may not be asleep: is it in order with its mate? Notes whether the two are alike.
  bool in_order(Graph&, EventId e);
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

  bool may_join(ThreadId elder, const Graph&) const;
  bool equal_records(const Graph&, EventId spawn, std::uint32_t object, std::uint32_t other) const;
  bool own_locations(const Graph&, EventId e, EventId mate) const;
  std::uint32_t record_of(const Graph&, ThreadId) const;
  bool read_in_order(const Graph&, EventId e);
  void reach(const Graph&, EventId from);  // along po ∪ rf, without mates
  bool reached(EventId e) const { return e >= 0 && marked_[static_cast<std::size_t>(e)] != 0; }
  std::vector<Group> groups(const Graph&) const;
  bool still_symmetric(const Graph&, const Group&);
  bool nobody_noticed_creation(const Graph&, const Group&) const;
  bool joined_together(const Graph&, const Group&);
  bool same_under_other_numbers(const Graph&, const Group&);
  const Run& run_of(const Graph&, const Group&, ThreadId);
  bool repeat(const Graph&, ThreadId, ThreadId as, Run&);
  void break_up(const Group&);

  const core::Program& program_;
  Names& names_;
  Tables& tables_;
  const bool on_, global_;
  unsigned threads_ = 0;
  std::vector<std::uint8_t> marked_;
  std::vector<EventId> stack_;
  std::vector<ThreadId> accessor_;  // of each location: the thread that accesses it, or `many`
  std::unordered_map<std::uint64_t, Run> runs_;
};

}  // namespace heddle::graph
