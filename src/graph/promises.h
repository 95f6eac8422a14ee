// Reads from writes that are not there yet, for the models that allow cycles in po ∪ rf (load buffering).
//
// A promise says: the read at (thread, place) returns what thread t will write at its place i. Promises are found,
// not guessed: when a write w is added that has a read r of its location before it in po ∪ rf, but not by anything the
// model must keep in order (dependencies, fences, acquire and release, external reads-from; coherence of the location),
// w becomes a promise for r. From then on r has one option more. The exploration is repeated until no promise is new. A
// graph at whose end a promise is not kept, by a write that comes after its read in po ∪ rf (any other needs no
// promise), is dropped.
//
// No model makes values out of thin air: what a write depends on never depends on that write. (Where a write need not
// wait for the addresses of earlier stores, it may, through what those stores hide; Observer::check_forwarding notes
// that executions may be missing.) So a promise remembers
// on which other promises it rests, and a write that rests on itself, or on two different contents of one place of a
// thread, is none. Without this a counter that two threads increment would promise ever larger numbers.
//
// An execution with cycles in po ∪ rf is reached once for each set of its reads that are promised something and leave no
// cycle if the edges into them are taken away: with two reads on one cycle, either may be the promised one. Which sets
// there are depends on the dependencies, so no rule that looks at the threads alone may choose one of them. In
// `r = x; if (r == 1) y = 1` beside `s = y; x = 1` only y is promised, since y = 1 is written where x = 1 was seen, and
// never before it in po ∪ rf. Between two threads alone the elder one's reads are enough, if promises are found otherwise,
// too (graph/elder_promises.h): then there is one set for each execution. Else executions with promised reads are
// remembered, and seen again they are duplicates; all others come once (Observer::seen_before).
//
// What is promised to one of several symmetric threads (graph/symmetry.h), or by one, is promised to and by all of them from
// the next round on. Clocks count mates as predecessors; whether a write comes after its read is asked without them, since
// all others need no promise.
//
// A worker that is alone uses a promise from the moment it is found. Several workers follow each other's decisions, so
// the options of a read must not change under their hands: what they find counts from the next round on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/consistency.h"
#include "graph/elder_promises.h"
#include "graph/graph.h"
#include "graph/hidden_loads.h"
#include "graph/lost_promises.h"
#include "graph/promise_book.h"

namespace heddle::graph {

// What one worker does with them.
class Promises {
 public:
  enum class Adds : std::uint8_t { AtOnce, BetweenRounds, Never };
  Promises(Tables& tables, Consistency& consistency, PromiseBook& book, Adds adds)
      : tables_(tables),
        consistency_(consistency),
        book_(book),
        hidden_(tables, book),
        lost_(tables, book),
        elders_(tables, consistency),
        adds_(adds) {
    tables.set_promises(book);
    if (adds == Adds::BetweenRounds && book.elders_only()) book.promise_to_all();
  }

  const Promise& operator[](std::uint32_t number) const { return book_[number]; }
  const std::vector<std::uint32_t>* find(const Event& r) const { return book_.find(read(r)); }
  // Reads before w in po ∪ rf that w may overtake have a promise. True if one of them is new.
  bool discover(const Graph&, EventId w);
  // e was added. If it is a write that was promised, its reads have it now. Anything else at that place is no reason to
  // give up: a revisit may still take it away. False if the graph contradicts itself.
  bool fulfil(Graph&, EventId e);
  // Can a promise of this graph no longer be kept?
  bool lost(const Graph& g) { return lost_.any(g); }
  // Can a write that does not keep its promises be taken away by a revisit?
  bool may_be_withheld() const { return !book_.elders_only(); }
  // Is this round of no use, since promises to elder threads do not suffice?
  bool round_is_void() const { return promise_to_all_; }
  // How often has what was found changed the options of a read in this round?
  std::uint64_t changes() const { return changes_; }
  // Was a write not promised that might be (graph/hidden_loads.h), and is not promised after all?
  bool left_out() const;
  // The round is over, for all workers. True if what this one found in it changes the options of a read.
  bool end_round(const Twins&);

 private:
  static PromiseBook::Read read(const Event& r) { return {r.thread, r.place}; }
  // The promise that write w could keep; what it rests on is left out.
  Promise of(const Graph&, EventId w) const;
  bool keeps(const Graph& g, EventId e, const Promise& p) const {
    return g[e].kind == EventKind::Write && of(g, e).same_contents(p);
  }
  bool add(const Event& r, const Promise&);
  void notice(Graph&, EventId e);
  bool discover_for_elders(const Graph&, EventId w);
  void refuse(const Event& r, const Promise&);
  // Might w overtake r with other values, though not with these? w itself is behind no load that was picked.
  bool may_differ(const Graph&, EventId r, EventId w) const;
  // Is r, which the clock of w has, before w in po ∪ rf alone?
  bool precedes(const Graph&, EventId r, EventId w);
  bool rests_on(const Graph&, EventId w, std::vector<std::uint32_t>& basis);
  void collect_sources(const Graph&, EventId w, std::vector<std::uint32_t>& basis);
  bool contradictory(const Graph&, EventId w, const std::vector<std::uint32_t>& basis) const;

  const Tables& tables_;
  Consistency& consistency_;
  PromiseBook& book_;
  HiddenLoads hidden_;
  LostPromises lost_;
  ElderPromises elders_;
  const Adds adds_;
  bool promise_to_all_ = false;                                 // from the next round on
  std::uint64_t changes_ = 0;                                   // of the book, in this round
  std::vector<std::pair<PromiseBook::Read, Promise>> found_;    // and not in the book yet
  std::vector<std::pair<PromiseBook::Read, Promise>> refused_;  // behind what was picked
  std::vector<ThreadId> shifts_;                                // and not in the book yet
  bool all_shift_ = false;                                      // and not in the book yet
  std::vector<std::uint8_t> preceding_;                         // scratch of discover
  std::vector<std::uint8_t> marked_;                            // scratch of precedes and collect_sources
  EventId prefix_of_ = no_event;                                // `marked_` are the predecessors of this one
  std::vector<EventId> sources_;                                // of the write that is looked at; scratch of precedes
};

}  // namespace heddle::graph
