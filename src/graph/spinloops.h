// Reads that block their thread: locks that are not free, and loop iterations that change nothing (compare
// Kokologiannakis, Ren, Vafeiadis, FMCAD 2021, "Dynamic Partial Order Reductions for Spinloops").
//
// A loop iteration is *futile* if it has no write and brings the thread back to a local state that it was in since
// the last write, or that it would be in had an earlier read of the loop seen the value that this read saw. The run
// without that iteration is explored as well, with fewer reads and so fewer constraints. For that the state must
// depend on no loads (core::Shadow) but those that it depends on now: a register that has its value from a load of
// the iteration instead of an earlier one orders less. A loop that carries values of one round into the next would
// never be futile so: there a load may stand for the one that the round before made in the same local state, since
// all between the two can be left out instead, if nothing else depends on it; if something does, the third such round
// is futile. The later load must come after all loads (by addresses, data, own writes that are forwarded to it) after
// which the earlier one comes, and no write may stand between them. A read-modify-write that leaves the value counts as
// no write (a test-and-set lock that is not free), unless its thread may load the location next: under models that
// order loads less after an own write than after another thread's, such a write is kept, once. The read that ends a futile
// iteration is `stuck`: its thread is blocked, as one that is `waiting` for a lock is, until a revisit gives the read
// another value.
//
// A blocking read that saw the co-maximal write when it was added is *asleep*: it reads from no write in particular,
// constrains nothing, and stands for "the thread is blocked by whatever the co-maximal write is". Only a write whose
// value lets the thread go on revisits it. So executions that differ only in what a blocked thread saw last are one.
// A blocking read of an older write is dropped at once: it could never be deleted by a revisit, so everything below it
// has a counterpart in which the read is asleep. For the same reason a revisit that leaves a read blocked is redundant
// if the co-maximal write at the time the read was added blocks it, too.
//
// Two choices are cut likewise. A weak compare-exchange is not offered to fail spuriously where that brings the thread
// back to where it was, without a write since; nor twice in a row in one local state, as a thread does that stores what
// it saw into the node that it is to publish, and tries again. Where races are errors and the thread has only made
// plain writes since it failed, and read them, the second round is the first over again: the same values are written to
// the same places, and without a race no other thread can have seen the first but not the second. So the run without
// it has the same outcome. Elsewhere (another thread may write between two atomic stores of one value) this is an
// assumption, and `assumed` says that it was made. A thread that chooses in a local state in which it chose before, having
// only taken locks since that it gave up again (a condition wait that returned unasked and found what it waits for
// still missing), does not choose the same once more: every other thread sees the locks in the same order without that
// round. The choice 0 is never left out, since revisits need it (graph/revisits.h).
//
// Unless another thread has observed the round: its trylock failed because the lock was held then. So there are as many
// equal rounds as there are observations in any graph, and one. That is enough: in an execution with fewest rounds all
// but the last are observed. If it has n observed ones and only n were allowed, its prefix in po ∪ rf up to the n-th
// observation, without the rounds that nobody has observed by then, has at most n rounds, was explored, and shows n
// observations. Where po ∪ rf has cycles there is no such prefix: one round more is allowed, the rest is an assumption.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "graph/graph.h"

namespace heddle::graph {

// Does this read-modify-write leave the value that it reads? Requires that it writes.
bool leaves_value(const core::Request&, const core::Value& read);

class Spinloops {
 public:
  Spinloops(Names& names, Tables& tables, bool spurious_cas, bool races, bool acyclic)
      : names_(names), tables_(tables), spurious_cas_(spurious_cas), races_(races), acyclic_(acyclic) {}

  // Does read r, which saw the value `read` and takes its thread to the local state `after`, end a futile iteration?
  bool futile(const Graph&, EventId r, const core::Value& read, StateId after);
  // Would this read block its thread if it saw this value?
  bool blocks(const Graph&, EventId r, const core::Value&);
  // Did the co-maximal write at the time r was added block it?
  bool blocked_when_added(const Graph&, EventId r);
  // Is this, the last event of a thread, a blocking read that another write would let go on in the same graph?
  bool could_go_on(const Graph&, EventId last);
  // Is the thread's next access a weak compare-exchange for which it is still to be chosen whether it fails spuriously?
  bool offers_failure(const Graph&, ThreadId);
  // The choice that the thread need not make again; 0: there is none.
  std::uint64_t redundant_choice(const Graph&, ThreadId);
  // Asks for more rounds if in this maximal graph too many have been observed.
  void look_for_observers(const Graph&);
  // Does the choice `id`, the last event of its thread, close a loop of choices alone?
  bool only_chooses(const Graph&, EventId id) const;
  // Was a second failure in a row left out without proof that it is redundant?
  bool assumed() const { return assumed_; }

 private:
  using StandsFor = std::function<bool(std::uint32_t load, std::uint32_t by)>;  // numbers of loads

  // Loads of one round that stand for those of the round before: what is between the earliest two, made in one local
  // state, can be left out, unless something still depends on a load between them.
  struct Shift {
    std::uint32_t from = ~0U, to = ~0U;
    std::vector<std::uint32_t> kept;  // loads that both states depend on
    bool clean() const {
      return std::ranges::none_of(kept, [&](std::uint32_t load) { return load >= from && load < to; });
    }
  };

  // A thread up to event `last`. The load `unsettled`, if there is one, may come to read from another write.
  struct Here {
    const Graph& graph;
    EventId last;
    EventId unsettled = no_event;
  };

  // Are the local states the same, and has the latter, `after`, no dependency less? Loads may stand for others there.
  bool covers(StateId after, StateId before, const StandsFor&, Shift* = nullptr) const;
  void add_sources(const Here&, StateId, core::LoadSet& sources) const;
  void add_sources_of(const Here&, EventId load, core::LoadSet& sources) const;
  // Is each of `mine` among `theirs`, or does one of them stand for it?
  bool stand_for(const Here&, const core::LoadSet& theirs, const core::LoadSet& mine) const;
  // Does the load that is made in state `by` come after all loads after which that of state `load` comes, or after some
  // that stand for them?
  bool comes_after_no_less(const Here&, StateId by, StateId load) const;
  // Can a load, by its number, stand for that of an earlier round, for who depends on it?
  bool of_another_round(const Here&, std::uint32_t load, std::uint32_t by) const;
  // Would r write the value that it read, for a later load of its thread? Not if a read-modify-write comes first, nor
  // if an earlier one, made in the same local state, has written it and comes after no more.
  bool may_forward(const Graph&, EventId r, const core::Value& read, StateId after);
  // Like covers(), with loads for those of another round. The first state whose shift is not clean does not count.
  bool repeats(const Here&, StateId now, StateId before, unsigned& unclean) const;
  bool failed_here(const Graph&, ThreadId);
  bool takes_lock(const Event&) const;
  bool follows_choice(const Graph&, EventId) const;
  bool observes(const Graph&, EventId read);

  Names& names_;
  Tables& tables_;
  const bool spurious_cas_, races_, acyclic_;  // the latter: po ∪ rf is
  bool assumed_ = false;
  bool skipped_ = false;  // some choice was redundant
};

}  // namespace heddle::graph
