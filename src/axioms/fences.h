// What fences order: every fence of every machine, and C11's, as the set of kinds of pairs that it keeps in order. The
// models that are defined by kinds of pairs (sc to rmo) take all fences by this table, so that a test of one
// machine can be asked under another's model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axioms/execution.h"
#include "axioms/tags.h"

namespace heddle::axioms {

inline bool at_least_acquire(core::Order o) {
  return o == core::Order::Acquire || o == core::Order::AcqRel || o == core::Order::SeqCst;
}
inline bool at_least_release(core::Order o) {
  return o == core::Order::Release || o == core::Order::AcqRel || o == core::Order::SeqCst;
}

struct Pairs {
  bool rr = false, rw = false, wr = false, ww = false;
  friend bool operator==(const Pairs&, const Pairs&) = default;
};
inline constexpr Pairs every_pair{true, true, true, true};
inline constexpr Pairs all_but_wr{true, true, false, true};

// Instruction barriers (isb, isync, fence.i) and fences of no effect order no pair by themselves.
inline Pairs ordered_by(const Event& fence) {
  const Tags& t = tags();
  const core::Tag tag = fence.tag;
  if (tag == 0) {
    switch (fence.order) {
      case core::Order::SeqCst: return every_pair;
      case core::Order::AcqRel: return all_but_wr;
      case core::Order::Acquire: return {true, true, false, false};
      case core::Order::Release: return {false, true, false, true};
      default: return {};
    }
  }
  if (tag == t.mfence || tag == t.dmb_sy || tag == t.dsb_sy || tag == t.sync) return every_pair;
  if (tag == t.lwsync || tag == t.fence_tso) return all_but_wr;
  if (tag == t.dmb_ld || tag == t.dsb_ld) return {true, true, false, false};
  if (tag == t.dmb_st || tag == t.eieio || tag == t.sfence) return {false, false, false, true};
  if (tag == t.dsb_st) return {false, false, true, true};
  if (tag == t.lfence) return {true, true, false, false};
  for (int p = 1; p < 4; ++p)
    for (int s = 1; s < 4; ++s)
      if (tag == t.rv_fence[p][s])
        return {(p & 1) && (s & 1), (p & 1) && (s & 2), (p & 2) && (s & 1), (p & 2) && (s & 2)};
  return {};
}

// All pairs of accesses that some fence between them keeps in order.
template <unsigned W>
Relation<W> fence_pairs(const Execution<W>& x) {
  Relation<W> kept(x.size());
  x.fences.each([&](EventId f) {
    const Pairs p = ordered_by(x.events[f]);
    if (p == Pairs{}) return;
    const auto after_reads = (p.rr ? x.reads : EventSet<W>{}) | (p.rw ? x.writes : EventSet<W>{});
    const auto after_writes = (p.wr ? x.reads : EventSet<W>{}) | (p.ww ? x.writes : EventSet<W>{});
    for (EventId e = 0; e < x.size(); ++e) {
      if (!x.po.has(e, f)) continue;
      if (x.reads.has(e)) kept[e] |= x.po[f] & after_reads;
      else if (x.writes.has(e)) kept[e] |= x.po[f] & after_writes;
    }
  });
  return kept;
}

// What acquire reads, release writes and seq_cst writes keep in order by themselves. A compare-exchange that failed
// waits by the order of its instruction.
template <unsigned W>
Relation<W> order_pairs(const Execution<W>& x) {
  const auto acquire = x.where([](const Event& e) { return e.is_read() && at_least_acquire(e.order); });
  const auto full_write =
      x.where([](const Event& e) { return e.kind == EventKind::Write && e.order == core::Order::SeqCst; });
  const auto release = x.where([](const Event& e) {
    return (e.kind == EventKind::Write && at_least_release(e.order)) ||
           (e.is_read() && e.in_rmw && at_least_release(e.instruction));
  });
  return (x.po.from(acquire | full_write) | x.po.to(release)).between(x.accesses, x.accesses);
}

// Marks of pso: a release fence, or the place before a release store, which no earlier write passes on its way to
// memory. They hold back later writes, and read-modify-writes, which wait until no mark is left (docs/models.md,
// "Machines").
template <unsigned W>
Relation<W> mark_pairs(const Execution<W>& x, const EventSet<W>& in_rmw) {
  const auto marks = x.where([](const Event& e) {
    return e.kind == EventKind::Fence ? ordered_by(e).ww : e.kind == EventKind::Write && at_least_release(e.order);
  });
  return seq(x.po.between(x.writes, marks), x.po.to(x.writes | in_rmw));
}

}  // namespace heddle::axioms
