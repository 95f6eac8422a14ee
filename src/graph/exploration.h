// The exploration of execution graphs: truly stateless optimal partial order reduction (Kokologiannakis, Marmanis,
// Gladstein, Vafeiadis, POPL 2022, "TruSt").
//
// Events are added one at a time, the threads in a fixed order. A read branches over the writes that it may read from.
// A write w branches over its places in coherence and revisits reads r of its location that are not before it in
// po ∪ rf: r reads from w, and what is younger than r and not before w is deleted. The condition on revisits
// (graph/revisits.h) makes every execution be reached on exactly one path; nothing is remembered.
//
// What else decides which events and options there are stands in headers of its own: blocked threads and spin loops
// (spinloops.h), loads that are buffered (promises.h), accesses of several pieces (pieces.h), atomic steps
// (atomic_steps.h), symmetric threads (symmetry.h), the memory model (consistency.h).
//
// Graph changes are undone by truncation; a revisit works on a restricted copy of the graph, one per nesting level.
// Decisions are numbered, so that a path from the root is a list of numbers that another worker can follow. All state is
// in the frames, so that an exploration can pause after any step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "graph/coherence_places.h"
#include "graph/consistency.h"
#include "graph/full_consistency.h"
#include "graph/graph.h"
#include "graph/job.h"
#include "graph/loop_bound.h"
#include "graph/options.h"
#include "graph/promises.h"
#include "graph/revisits.h"
#include "graph/spinloops.h"
#include "graph/symmetry.h"
#include "graph/tables.h"
#include "graph/thread_steps.h"
#include "graph/watcher.h"

namespace heddle::graph {

struct Counts {
  std::uint64_t complete = 0, blocked = 0, duplicates = 0, steps = 0;
};

// Decides for an exploration which one of n > 1 options to take.
class Guide {
 public:
  virtual ~Guide() = default;
  virtual std::uint32_t choose(std::uint32_t n) = 0;
  virtual void stepped() = 0;  // beyond the path that was given
};

class Exploration {
 public:
  // `promises`: for models with load buffering, null for others; kept from round to round.
  Exploration(const core::Program&, Names&, Tables&, Consistency&, const axioms::Model&, const Options&, Watcher&,
              Promises* promises = nullptr);

  // Begins to explore this part of the tree.
  void begin(Job);
  // Goes on for at most so many steps, or until the watcher stops it for good. True: nothing is left to explore.
  bool run(std::uint32_t steps);
  // One way down: the decisions `path`, then what the guide chooses. True if it ends in an execution, complete or
  // blocked. Ends what was begun before.
  bool descend(std::vector<std::uint32_t> path, Guide&);

  const Counts& counts() const { return counts_; }
  void forget_counts() { counts_ = {}; }
  unsigned symmetric_threads() const { return symmetry_.threads(); }
  const std::vector<std::pair<ThreadId, ThreadId>>& twins() const { return symmetry_.twins(); }
  bool bound_reached() const { return bound_reached_; }
  bool exit_left_out() const { return exit_left_out_; }
  bool assumes_single_failures() const { return spinloops_.assumed(); }
  std::uint64_t bytes() const;

  // A branch that is still to be explored, drawn at random, and one over its probability; 0: none is left.
  std::pair<std::vector<std::uint32_t>, double> pending(std::mt19937_64&) const;
  // The decisions that lead to the graph at hand.
  std::vector<std::uint32_t> path() const;
  // Half of the options of the shallowest branch that has some left, taken away from this exploration.
  std::optional<Job> give_away();

 private:
  enum class Branch : std::uint8_t { Read, Write, Choose, Revisit };  // Revisit: a Write, the first of its graph
  struct Frame {
    Branch kind;
    ThreadId thread;
    EventId base;                    // size of the graph before the event
    std::uint32_t begin;             // of its options in options_
    std::uint32_t first, next, end;  // decision numbers: option i is options_[begin + i]
    std::uint32_t places;  // Write: the options before this are places in coherence, the others reads to revisit
                           // Choose: the number that is no option; 0: none
  };

  Graph& graph() { return *graphs_[depth_]; }
  std::uint32_t added(std::uint32_t begin) const { return static_cast<std::uint32_t>(options_.size()) - begin; }

  // The tree.
  bool advance();
  bool backtrack();
  bool branch(Branch, ThreadId, EventId base, std::uint32_t begin, std::uint32_t n, std::uint32_t places);
  std::uint32_t guided(const Frame&);
  bool take(const Frame&, std::uint32_t option);
  bool revisit(const Frame&, EventId r);
  void finish();

  // Which thread comes next, and its event.
  ThreadId pick();
  bool ready(const Graph&, ThreadId);
  bool tell_failure(ThreadId);
  bool step(ThreadId);
  bool read_step(ThreadId);
  bool finish_read(EventId r, EventId w, EventId revisitor = no_event);
  void give_value(EventId r, EventId w);
  bool fall_asleep(EventId r, EventId w);
  bool consistent(EventId r, EventId revisitor);
  bool write_step(ThreadId);
  bool place(EventId w, EventId after);
  bool fulfil_all_pieces(EventId w);
  bool withhold(EventId w);
  bool stall(ThreadId);
  bool add_choice(ThreadId, std::uint64_t value);
  bool local_step(ThreadId);
  void make_room(ThreadId);

  void truncate(EventId size) {
    graph().truncate(size);
    told_[depth_] = std::min(told_[depth_], size);
  }
  void tell_of_all();
  bool fulfil(EventId e) { return promises_ == nullptr || promises_->fulfil(graph(), e); }
  // Where a graph is known to be an execution only at its end, the watcher is told of its events only then: but for reads
  // in vain, which it need not have any more.
  void tell_of(Graph& g, EventId e) {
    if (whole_.needed()) tell_of_vain_reads(g, e);
    else watcher_.event(g, e);
  }
  void tell_of_vain_reads(Graph&, EventId);
  bool read_in_vain(const Graph&, EventId) const;
  bool meets_vain_read(const Graph&, EventId) const;

  const core::Program& program_;
  Tables& tables_;
  Consistency& consistency_;
  Watcher& watcher_;
  Promises* promises_;
  Symmetry symmetry_;
  LoopBound bound_;
  Spinloops spinloops_;
  ThreadSteps steps_;
  CoherencePlaces places_;
  Revisits revisits_;
  FullConsistency whole_;
  const bool asks_of_ends_;  // something is looked for that a complete execution may show and none of its prefixes

  std::vector<std::unique_ptr<Graph>> graphs_;
  std::vector<EventId> told_;  // of each graph: the watcher knows of the events before this one (see tell_of)
  std::size_t depth_ = 0;
  std::vector<Frame> frames_;
  std::vector<EventId> options_;
  std::vector<Graph::Clock> prefix_;  // scratch of revisit
  ThreadId pending_ = none;           // a thread between the events of one access
  Job job_;
  std::size_t followed_ = 0;  // decisions of the job
  bool forward_ = false;      // the last step added an event
  bool stopped_ = false;      // by the watcher
  bool bound_reached_ = false;
  bool exit_left_out_ = false;  // an execution in which a thread exits inside an atomic step
  bool hopeless_ = false;       // some thread goes on beyond all measure: no use to go on
  Counts counts_;
  Guide* guide_ = nullptr;  // of descend()
  bool descended_ = false;  // it ended in an execution
};

}  // namespace heddle::graph
