// Reads from writes that are not there yet, for the models that allow cycles in po ∪ rf (load buffering).
//
// A promise says: the read at (thread, index), reached in this local state, returns what thread t will write as its
// i-th event. Promises are found, not guessed: when a write w is added that has a read r of its location before it in
// po ∪ rf, but not by anything the model must keep in order (dependencies, fences, acquire and release, external
// reads-from; coherence of the location), w becomes a promise for r. From then on r has one option more. The
// exploration is repeated until no promise is new. A graph at whose end a promise is not kept, by a write that comes
// after its read in po ∪ rf (any other needs no promise), is dropped.
//
// No model makes values out of thin air: what a write depends on never depends on that write. (Where a write need not
// wait for the addresses of earlier stores, it may, through what those stores hide; Observer::check_forwarding notes
// that executions may be missing.) So a promise remembers
// on which other promises it rests, and a write that rests on itself, or on two different contents of one place of a
// thread, is none. Without this a counter that two threads increment would promise ever larger numbers.
//
// A worker that is alone uses a promise from the moment it is found. Several workers follow each other's decisions, so
// the options of a read must not change under their hands: what they find counts from the next round on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/consistency.h"
#include "graph/graph.h"

namespace heddle::graph {

struct Promise {
  ThreadId thread = 0;  // of the write
  std::uint32_t index = 0;
  core::Loc loc;
  core::Value value;
  // Numbers of promises, ascending: what every way in which it was found rests on, directly or not.
  std::vector<std::uint32_t> basis;

  bool same_place(const Promise& p) const { return thread == p.thread && index == p.index; }
};

// The promises of one exploration, by numbers that all its workers know.
class PromiseBook {
 public:
  // Thread and index of a read, and its local state (Tables::identity).
  using Read = std::tuple<ThreadId, std::uint32_t, std::uint64_t>;

  const Promise& operator[](std::uint32_t number) const { return all_[number]; }
  // Numbers of the promises for this read; null if there is none.
  const std::vector<std::uint32_t>* find(const Read& r) const {
    const auto it = by_read_.find(r);
    return it == by_read_.end() ? nullptr : &it->second;
  }
  // True if this is new, or rests on less than was known.
  bool add(const Read&, const Promise&);
  bool knows(const Read&, const Promise&) const;

 private:
  using Name = std::tuple<ThreadId, std::uint32_t, core::Loc, std::uint64_t, std::uint64_t, bool>;
  static Name name(const Promise& p) {
    return {p.thread, p.index, p.loc, p.value.bits, p.value.undefined, p.value.pointer};
  }

  std::vector<Promise> all_;
  std::map<Read, std::vector<std::uint32_t>> by_read_;
  std::map<Name, std::uint32_t> numbers_;
};

// What one worker does with them.
class Promises {
 public:
  enum class Adds : std::uint8_t { AtOnce, BetweenRounds, Never };
  Promises(const Tables& tables, Consistency& consistency, PromiseBook& book, Adds adds)
      : tables_(tables), consistency_(consistency), book_(book), adds_(adds) {}

  const Promise& operator[](std::uint32_t number) const { return book_[number]; }
  const std::vector<std::uint32_t>* find(const Event& r) const { return book_.find(read(r)); }
  // Reads before w in po ∪ rf that w may overtake have a new promise.
  void discover(const Graph&, EventId w);
  // e was added. If it is a write that was promised, its reads have it now. Anything else at that place is no reason to
  // give up: a revisit may still take it away. False if the graph contradicts itself.
  bool fulfil(Graph&, EventId e) const;
  // The round is over, for all workers. True if what this one found in it changes the options of a read.
  bool end_round();

 private:
  PromiseBook::Read read(const Event& r) const { return {r.thread, r.index, tables_.identity(r.before)}; }
  bool is_at(const Event& e, const core::Loc& l) const { return e.loc != none && tables_.location(e.loc).loc == l; }
  void add(const Event& r, const Promise&);
  bool rests_on(const Graph&, EventId w, std::vector<std::uint32_t>& basis);
  void collect_sources(const Graph&, EventId w, std::vector<std::uint32_t>& basis);
  bool contradictory(const Graph&, EventId w, const std::vector<std::uint32_t>& basis) const;

  const Tables& tables_;
  Consistency& consistency_;
  PromiseBook& book_;
  const Adds adds_;
  bool changed_ = false;                                      // the book, in this round
  std::vector<std::pair<PromiseBook::Read, Promise>> found_;  // and not in the book yet
  std::vector<std::uint8_t> preceding_;                       // scratch of discover
  std::vector<std::uint8_t> marked_;                          // scratch of collect_sources
  std::vector<EventId> sources_;                              // of the write that is looked at
};

}  // namespace heddle::graph
