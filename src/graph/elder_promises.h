// Two threads alone: promises (graph/promises.h) to the elder one are enough.
//
// Let T < U be the only threads that access memory in a phase (graph.h), and both of them read. (Threads older than T may
// write, if all these writes are older than what T and U access, in every graph: as the thread that creates both writes to
// what it hands them. Only creations and such writes come before them in po ∪ rf, since these threads read nothing, so
// they are on no cycle; and they revisit nothing, and no revisit of a read of T deletes them. What follows does not ask
// whether a write that T or U sees is one of them or older than the phase.) It is U where the
// exploration takes a step only when T cannot go on: T goes on again because the last event of U revisits a read, or it
// has joined U. Then no write revisits a read of U, and no event of U is ever deleted. (A third thread that joins U and
// then writes what T reads would close a cycle through the join: `r = x; y = 1` beside a thread that waits for y and one
// that joins that and writes x. A third thread whose end T waits for, while U has its turn, lets T go on behind it.)
//
// A cycle of po ∪ rf passes from T to U and back by reads-from: creation and join of threads, which are in every model's
// order, lead nowhere else, since no other thread accesses memory, nor back, from the end of one to the other's past.
// Let r be its first read in T and s its first read in U. The write w' that s sees comes behind r, and the write w that r
// sees behind s: r → w' → s → w → r is a cycle, too, a *short* one. So without the edges into those reads of T that are on
// short cycles there is no cycle left, and every execution is reached with these reads promised. With no other set of
// promises: a read on a short cycle precedes w by w' and s, whatever is promised to T. Let r be on none, and yet precede
// the write w that it sees, by a path without edges into reads on short cycles. It leaves T the first time by a write w'
// behind r to a read s of U, which is behind w, else r → w' → s → w → r. It comes into U the last time by a write w'' of T
// to a read s2 in front of w, so it has come back to T, in front of w'', from a write behind s, and thus behind s2, to a
// read r2: which is on a short cycle by w'' and s2, against what the path may contain. So r precedes w only by promised
// edges: an ordinary revisit finds w for it, and no promise. Promises to U are not needed, and no execution comes twice.
// In particular
//   - a read that is promised a write is on no path to an execution once U has an event at the write's place that does
//     not give it what was promised, or a later one, or has ended: what U has done it keeps;
//   - no write need be kept without its promises for a revisit that deletes it (Exploration::withhold).
// A graph of which this is known is given up at once. (Promises for writes that come at other places after all must not be
// lost by it: graph/lost_promises.h. If that is possible in T or U, all threads are promised to; also if they are
// symmetric, since promises are found in one of two graphs that differ in T and U alone, and if one of the conditions
// above turns out not to hold. All are looked at where they can fail first, in every graph.)
//
// A promise is to be found where U's write w comes, although T's read r may precede it in po ∪ rf only by what other
// promises to U would bring: in `r = x; if (r == 1) y = 1` beside `s = y; x = 1` nothing leads from r to x = 1 while r
// sees 0. On a short cycle w' and s are of one location, which is another one than r's (coherence). The model keeps at
// most one of (r, w') and (s, w) in order; what w comes from does not contain s, or what w' comes from does not contain
// r. So r is promised w, where it does not precede w either, if U has read before w a location that T writes, in
// whatever graph, behind r, and either this read is not kept before w or such a write was seen that is not kept after
// r. What was seen is remembered; if it comes to more after some promise was refused for want of it, the exploration is
// repeated. In the graph in which w was added with what it comes from in the execution, T's other reads not being
// promised anything, s is there, since U's reads before w are the same in all graphs in which w comes from the same
// events. (Not behind a wait weaker than acquire, which lets its thread go on only once it has seen something: with one
// of these, all threads are promised to.) And r is at the same place: a branch in front of it is one in front of w', too,
// so that w' comes from what was branched on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "core/address_deps.h"
#include "graph/consistency.h"
#include "graph/graph.h"

namespace heddle::graph {

// What one worker has seen.
class ElderPromises {
 public:
  ElderPromises(const Tables& tables, Consistency& consistency) : tables_(tables), consistency_(consistency) {}

  // e was added: is it still so that promises to the elder thread are enough?
  bool suffice(const Graph&, EventId e) const;
  // Remembers the write w, which was added. True if some promise was refused that may not be now.
  bool note(const Graph&, EventId w);
  // May there be a cycle through r → w → r? r is a read of an elder thread that does not precede w, the write noted last.
  bool cycle_possible(const Graph&, EventId r, EventId w);

 private:
  bool fits(const Graph&) const;
  bool take_turns(const Graph&, EventId e, bool& first) const;
  bool has_read(const Graph&, EventId e) const;
  void find_ordered(const Graph&, EventId w);
  bool ordered(EventId e) const { return ordered_[static_cast<std::size_t>(e)] != 0; }

  const Tables& tables_;
  Consistency& consistency_;
  std::vector<std::vector<std::uint32_t>> last_write_;              // by thread and location: 1 + its last place
  std::set<std::tuple<ThreadId, std::uint32_t, LocId>> unordered_;  // reads by thread and place, what is written behind
  std::vector<std::vector<std::uint32_t>> noted_;  // by thread and node (Event::local) of a write: 1 + its place
  std::vector<std::uint8_t> ordered_;              // is kept before the event `ordered_before_`
  EventId ordered_before_ = no_event;
  bool refused_ = false;
};

// Can what is at a place of the thread behind this event depend on values that order nothing? The size of an object
// decides whether its allocation and its accesses are events (graph/private_objects.h). Which object is freed, or asked for
// its size, decides whether that is an event, and what later accesses are. But if the pointer comes from loads that the
// thread has branched on, as free() and delete do, this is as good as a branch: all that is written behind it depends on them.
inline bool shifts_places(const Tables& tables, const Event& e) {
  if (e.kind == EventKind::Choose || (e.kind != EventKind::Free && !is_silent(e))) return false;
  if (e.kind != EventKind::Free && e.kind != EventKind::Fence) return true;
  const core::Deps& d = tables.deps(e.before);
  const auto branched_on = [&](const core::LoadSet& loads) { return std::ranges::includes(d.ctrl, loads); };
  return core::has_mark(d, core::hides) || !branched_on(d.addr) || !branched_on(d.data);
}

}  // namespace heddle::graph
