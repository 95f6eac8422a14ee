// Promises that nothing can keep any more: a graph that has one leads to no execution and is given up at once.
//
// An event is *pinned* if every graph that the exploration makes out of this one has it, reads-from included. Let an
// event stand out if it was not added maximally (graph/revisits.h) whatever is added later: a promised read; a read from,
// or a write before, a write that is older than it and not the coherence-latest (but a write that a promised read sees
// counts as added maximally wherever it stands); a choice other than 0. No revisit deletes it or gives it another
// write, so each keeps it because it is older than the revisited read r or in the prefix
// of the revisiting write w. So its porf prefix stays, too: otherwise some f of it is r or is deleted, and on the way
// from f to the event a read that is not younger than r sees a write v that is younger than r. If that read is r, v is in
// the prefix of w, since r was added maximally, and so is f. If it is another one, v is not deleted, since an older event
// that stays reads from it; so v, and f, is in the prefix of w. By the same argument the porf prefix of a write that an
// older read sees (not by a promise) stays as long as that read does, and a revisit that deletes or changes the read has
// the write in the prefix of w, which an older read sees then. All these prefixes are pinned.
//
// A promise is lost if the place of its write has been passed by, and what comes there follows from pinned events alone:
//   - an event is there that did not keep the promise, or the thread has ended before it;
//   - between the last pinned event of the thread and the place there is nothing that could be another one: no read,
//     choice, join or free, but only what follows from the thread's own state.
// What stands there then is always the same, with the same prefix. Two promised reads of one location in one thread, or a
// promised one and a pinned one, are lost if they see writes of another thread against its program order: coherence
// forbids it.
//
// In both cases the thread must have ended if what stands at its places may depend on values that order nothing
// (shifts_places, in graph/elder_promises.h): it may still make the promised write at another place, behind an object,
// say, whose size comes from a read on which the write does not depend, and which is an event only if it is large. That is
// another promise, which only such a graph leads to. It is seen no later than where the first promise is lost, by what
// stands there instead; then the exploration is repeated, and keeps such graphs. The places of any other thread follow
// from what its writes depend on, since a branch comes before them: what it writes at another place is found where it
// takes the other branch. (Not if the branch depends on hidden loads: graph/hidden_loads.h. Then likewise, all threads.)
//
// Where promises to the elder of two threads are enough, all that the younger one has done is pinned, and a promise is
// lost as soon as its place has been come to without keeping it (graph/elder_promises.h).
//
// Promises are found in graphs that have no lost one. They are found all the same: that a write can overtake a read is
// told by the events it comes from, and where a promised read is among them the promise is kept, since it is in the
// execution that is looked for; all other reads may be without promises. (Therefore promises must not be told apart by
// what the thread of the read has read before: see PromiseBook::Read.)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "graph/promise_book.h"

namespace heddle::graph {

class LostPromises {
 public:
  LostPromises(const Tables& tables, const PromiseBook& book) : tables_(tables), book_(book) {}

  // Has the graph a promise that is lost? Looks at no graph with accesses of several pieces.
  bool any(const Graph&);

 private:
  void find_pinned(const Graph&);
  bool pinned(const Graph& g, EventId e) const { return e < g.settled || g.in(e, pinned_.data()); }
  bool has_ended(const Graph&, ThreadId) const;
  bool passed(const Graph&, const Promise&) const;
  // Requires that the thread has passed the place, or has ended.
  bool place_passed(const Graph&, const Promise&) const;
  bool incoherent(const Graph&, EventId r) const;

  const Tables& tables_;
  const PromiseBook& book_;
  std::vector<Graph::Clock> pinned_;  // of each thread: how many of its first events are
};

}  // namespace heddle::graph
