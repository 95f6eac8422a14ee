// power: coherence, atomicity of read-modify-writes, and the axioms of axioms/power.cpp (no thin air, observation,
// propagation, reservations in order), as searches for closed walks through the newest event.
//
// Let F be what fences keep in order, S ⊆ F what full fences do, creation and join of threads included, and
// hb = ppo ∪ F ∪ rfe. Propagation forbids cycles of co ∪ prop with
//     prop = [W] rfe?; F; hb* [W]  ∪  com*; (rfe?; F; hb*)*; S; hb*,      com = rf ∪ co ∪ fr.
// (The axioms have creation and join as a relation of its own in prop. To take it for a full fence adds compositions such
// as rfe; forced, each of which is a sequence of pairs of prop.) Such a cycle is a closed walk of events and states:
//
//     Tail    hb → Tail                      behind a full fence
//             nothing → Com, at a write → Coh
//     Com     com → Com    S → Tail    F → Fenced        in com*
//     Fenced  hb → Fenced  S → Tail                      behind a fence after com*
//     Coh     co → Coh     rfe → Read  F → Weak          at a write, between pairs of co and [W] rfe?; F; hb* [W]
//             nothing → Com
//     Read    F → Weak
//     Weak    hb → Weak    at a write: nothing → Coh
//
// Walks are what (co ∪ prop)⁺ allows, since F; hb*; rfe?; F; hb* ⊆ F; hb*. Conversely, a closed walk that never leaves
// one state is a cycle of hb (no thin air), of com (coherence) or of co ∪ [W] … [W], all forbidden, and any other one
// passes Tail, so it is a cycle of prop. So an execution is consistent iff there is no closed walk, it is coherent and
// atomic, and observation and reservations hold.
//
// An event that was just added is the last of its thread: its only edges out are coherence and from-read, and (if it
// is the write of a revisit) reads-from to a read whose only edges out are from-read. New closed walks thus leave
//   - a read r by fr to some w after its write: from Tail to Com at w, and (w, Com) leads back to (r, Tail);
//   - a write e by co to some w: the best state to be in is Coh (Tail turns into it, Com allows less), so (w, Coh) leads
//     back to (e, Coh).
// The set of w that lead back grows with the edges into the new event, so the options are an upper part of coherence.
//
// Observation, irreflexive fre; prop; hb*: with the second kind of prop it is a closed walk as above. With the first,
// w → r by rfe?; F; hb* for some w that r is before in fr; that a write stands between F and r follows from coherence.
//
// A write that was promised gives old reads edges out; then the axioms judge the graph. So they do for accesses of
// several pieces (graph/axiomatic.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/locally_ordered.h"

namespace heddle::graph {

class Propagation : public LocallyOrdered {
 public:
  // Requires model.strong.
  using LocallyOrdered::LocallyOrdered;

  void options(Graph&, EventId e, EventId revisited, std::vector<EventId>& out) override;
  bool consistent(Graph&, EventId e, EventId revisited) override;
  bool is_ordered(Graph&, EventId a, EventId e) override;

 private:
  // Sets of them are sums.
  enum State : unsigned {
    Tail = 1,
    Com = 2,
    Fenced = 4,
    Coh = 8,
    Read = 16,
    Weak = 32,
    Late = 64,   // of observation: hb* leads to the read
    Seen = 128,  // of observation: rfe?; F; hb* leads to the read
  };

  void begin(const Graph&, EventId settled);
  void push(const Graph&, EventId e, unsigned states);
  void run(const Graph&);
  void expand(const Graph&, EventId e, unsigned states);
  template <class F>
  void each_local(const Graph&, EventId e, std::span<const std::uint32_t> distances, F&& f);
  bool reached(EventId e, unsigned states) const {
    const std::uint32_t m = mark_[static_cast<std::size_t>(e)];
    return m >> 8 == epoch_ && (m & states) != 0;
  }

  // Backward from the new event; what is reached may not come after it in coherence, or after what it reads.
  unsigned search(const Graph&, EventId e);
  bool cycle_through(const Graph&, EventId e);
  bool reservations_out_of_order(const Graph&, EventId w);

  std::vector<std::uint32_t> mark_;  // of each event: the epoch in which it was reached, and the states
  std::vector<std::uint8_t> fresh_;  // of each event: the states that are still to be followed
  // The events that have some, one bit for each. The youngest is followed first: most edges lead to older events, so that
  // an event is mostly followed once, with all its states.
  std::vector<std::uint64_t> waiting_;
  std::size_t last_waiting_ = 0;  // the words of waiting_ from here on are 0
  std::vector<EventId> stack_;    // scratch of reservations_out_of_order
  std::uint32_t epoch_ = 0;
  EventId settled_ = 0;  // what is older precedes everything (graph.h)
};

}  // namespace heddle::graph
