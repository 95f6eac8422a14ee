// The exploration of execution graphs: truly stateless optimal partial order reduction (Kokologiannakis, Marmanis,
// Gladstein, Vafeiadis, POPL 2022, "TruSt").
//
// Events are added one at a time, the threads in a fixed order. A read branches over the writes that it may read from.
// A write w branches over its places in coherence and revisits reads r of its location that are not before it in
// po ∪ rf: r reads from w, and what is younger than r and not before w is deleted. A revisit happens only if r and
// everything deleted was added *maximally*, that is reads from, or is, the coherence-latest write among the events
// older than it and those before w. This makes every execution be reached on exactly one path; nothing is remembered.
//
// A read that leaves its thread waiting (for a lock, or at the end of a futile loop iteration) and that came when the
// value it saw was the latest is *asleep*: it reads from no write in particular, constrains nothing, and means that the
// thread waits whatever the latest write is. Only a write with a value that lets the thread go on revisits it, then or
// ever after: where it would wait again, it has been asleep in another graph. So executions that differ in what a
// waiting thread saw last are one.
//
// Graph changes are undone by truncation; a revisit works on a restricted copy of the graph, one a nesting level.
// Decisions are numbered, so that a path from the root is a list of numbers that another worker can follow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph/consistency.h"
#include "graph/graph.h"
#include "graph/options.h"
#include "graph/promises.h"
#include "graph/symmetry.h"
#include "graph/tables.h"

namespace heddle::graph {

struct Counts {
  std::uint64_t complete = 0, blocked = 0, duplicates = 0, steps = 0;
};

// Told of every maximal graph and of every new event; decides what is a violation.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void event(Graph&, EventId) = 0;          // e was added or now reads another write
  virtual void failed(Graph&, ThreadId) = 0;        // the thread's request is Failed
  virtual bool maximal(Graph&, bool complete) = 0;  // no thread can go on; false: seen before
  virtual bool stop() = 0;                          // asked now and then, and after each of the others
};

class Explorer {
 public:
  // `promises`: for models with load buffering, null for others; kept from run to run.
  Explorer(const core::Program&, Names&, Tables&, Consistency&, const Options&, Watcher&, Promises* promises = nullptr);

  // Explores everything under the decisions `path` (empty: everything), whose last number is the first of the options
  // to take and `width` how many. Returns false if stopped by the watcher.
  struct Job {
    std::vector<std::uint32_t> path;
    std::uint32_t width = 0;
  };
  bool run(const Job&);

  const Counts& counts() const { return counts_; }
  // A branch that is still to be explored, any of them with the same probability, and how many there are.
  std::pair<std::vector<std::uint32_t>, std::uint64_t> pending(std::mt19937_64&) const;
  // One random way down from there: if it ends in an execution, complete or blocked, one over its probability, else 0.
  // On average this is the number of executions below (Knuth, Mathematics of Computation 29, 1975). Most revisits hang
  // from ways on which the first option was always taken, so ways are drawn by several rules, some of which favour it,
  // and weighed by the mean probability of all of these. For an explorer of its own: it ends what run() was at.
  double sample(const std::vector<std::uint32_t>& path, std::mt19937_64&);
  unsigned symmetric_threads() const { return symmetry_.threads(); }
  bool bound_reached() const { return bound_reached_; }
  bool too_long() const { return too_long_; }  // some thread goes on beyond all measure: no use to go on
  void forget_counts() { counts_ = {}; }
  // Is there a run with this graph, under sc, in which `first` comes before `second`, atomic steps taken as one?
  bool may_precede(const Graph&, EventId first, EventId second) const;
  Tables& tables() { return tables_; }
  std::uint64_t bytes() const;
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
  void begin();
  bool advance();
  bool backtrack();
  bool take(Frame&, std::uint32_t option);
  bool branch(Branch, ThreadId, EventId base, std::uint32_t begin, std::uint32_t n, std::uint32_t places);
  std::uint32_t added(std::uint32_t begin) const { return static_cast<std::uint32_t>(options_.size()) - begin; }
  EventId append(Event&);
  std::uint32_t draw(std::uint32_t n);
  ThreadId pick();
  bool ready(const Graph&, ThreadId);
  bool inside_step(const Graph& g, ThreadId t) const {  // of several accesses that are atomic together
    const ThreadState& s = g.threads[t];
    return s.alive && s.last != no_event && tables_.step(s.state).request.joined;
  }
  bool step(ThreadId);

  bool offers_failure(const Graph&, ThreadId);
  std::uint64_t repeated_choice(const Graph&, ThreadId);
  EventId begin_read(ThreadId);
  bool finish_read(EventId r, EventId w, EventId revisitor = no_event);
  EventId begin_write(ThreadId);
  bool write_step(ThreadId);
  bool place(EventId w, EventId after);
  bool local_step(ThreadId);
  bool add_choice(ThreadId, std::uint64_t value);
  bool revisit(const Frame&, EventId r);
  void places_for(EventId w);
  bool has_room(EventId w);
  bool stall(ThreadId);
  void revisits_of(EventId w);
  void find_promises(EventId w);
  bool rests_on(EventId w, std::vector<std::uint32_t>& basis);
  bool settle(EventId e);
  struct Contracted;
  Contracted contract(const Graph&, bool preserved, EventId from) const;
  bool atomic_steps_hold(const Graph&);
  bool steps_as_if_locked(const Graph&, const Contracted&);
  bool whole_accesses_hold(const Graph&);
  // Is the graph, consistent event by event, one of the model's? Atomic steps last: of a graph that is none they say
  // nothing.
  bool is_execution(const Graph& g) {
    return g.stalled == 0 && whole_accesses_hold(g) && (promises_ == nullptr || consistency_.whole(g)) &&
           (!tables_.has_atomic_steps() || atomic_steps_hold(g));
  }
  // Where a graph is known to be an execution only at its end, the watcher is told of its events only then.
  bool tells_late() const { return promises_ != nullptr || tables_.has_pieces() || tables_.has_atomic_steps(); }
  void tell_of(Graph& g, EventId e) {
    if (!tells_late()) watcher_.event(g, e);
  }
  bool maximal(const Graph&, EventId e, const Graph::Clock* prefix);
  bool futile(const Graph&, EventId r, const core::Value& read, StateId after);
  bool in_vain(const Graph&, EventId r, const core::Value&);
  bool came_in_vain(const Graph&, EventId r);
  const core::Value& written(const Graph& g, LocId l, EventId w) const {
    return w < 0 ? tables_.location(l).initial : g[w].value;
  }
  bool over_bound(const Graph&, ThreadId) const;
  bool counts_as_round(const Event&, core::Site) const;
  std::uint32_t rounds(const Graph&, EventId last, core::Site) const;
  bool goes_round(const Graph&, ThreadId) const;
  void make_room(ThreadId);

  const core::Program& program_;
  Names& names_;
  Tables& tables_;
  Consistency& consistency_;
  const Options& options_of_run_;
  Watcher& watcher_;
  Promises* promises_;
  Symmetry symmetry_;

  std::vector<std::unique_ptr<Graph>> graphs_;
  std::size_t depth_ = 0;
  std::vector<Frame> frames_;
  std::vector<EventId> options_;
  ThreadId pending_ = none;  // a thread between the read and the write of a read-modify-write
  bool stopped_ = false;
  bool bound_reached_ = false;
  bool too_long_ = false;
  const Job* job_ = nullptr;
  std::size_t followed_ = 0;
  std::uint32_t until_poll_ = 0;
  std::vector<std::uint8_t> marked_;  // scratch of find_promises and rests_on
  Counts counts_;
  std::mt19937_64* random_ = nullptr;                                      // of a sample
  static constexpr std::array<double, 3> first_likely_ = {0, 0.75, 0.95};  // rules; 0: all options alike
  std::array<double, 3> likely_{};                                         // the way so far, by each of them
  std::size_t rule_ = 0;
  bool found_ = false;  // the sample ended in an execution
};

}  // namespace heddle::graph
