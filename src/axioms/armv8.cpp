// ARMv8-A, application level (Deacon and Alglave's formulation; Arm ARM section B2.3; Pulte et al., POPL 2018): other
// threads' observations, dependencies, atomics and barriers must agree on one order of events.
// DSB differs from DMB in one respect: DSB ST keeps earlier writes before all later accesses (DSB-ordered-before).
// Shareability domains are not told apart. A C11 fence is `dmb ish`, an acquire one `dmb ishld`.
// Where sizes are mixed, the events are whole accesses: what is observed in one byte orders the whole access.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/fences.h"
#include "axioms/model_list.h"

namespace heddle::axioms {
namespace {

template <unsigned W>
Relation<W> nearest_write_to_read(const Execution<W>& x, const Relation<W>& po_loc) {
  return (po_loc - seq(po_loc.to(x.writes), po_loc)).between(x.writes, x.reads);
}

// What a thread keeps in order, whatever its reads see.
template <unsigned W>
struct ThreadOrder {
  EventSet<W> acquiring;
  Relation<W> value_deps;  // addr, data
  Relation<W> local;       // dob, aob and bob but for what is forwarded

  explicit ThreadOrder(const Execution<W>& x) : value_deps(x.addr | x.data), local(x.size()) {
    const Tags& t = tags();
    const auto fences = [&](auto&& f) {
      return x.where([&](const Event& e) { return e.kind == EventKind::Fence && f(e); });
    };
    const auto acquire_pc = x.where([&](const Event& e) { return e.is_read() && e.tag == t.acquire_pc; });
    const auto no_return = x.where([&](const Event& e) { return e.is_read() && e.tag == t.no_return; });
    const auto acquire = x.where([](const Event& e) { return e.is_read() && at_least_acquire(e.order); }) - acquire_pc;
    const auto release =
        x.where([](const Event& e) { return e.kind == EventKind::Write && at_least_release(e.order); });
    const auto full = fences([&](const Event& e) {
      return e.tag == t.dmb_sy || e.tag == t.dsb_sy ||
             (e.tag == 0 && e.order != core::Order::Acquire && e.order != core::Order::Plain &&
              e.order != core::Order::Relaxed);
    });
    const auto loads = fences([&](const Event& e) {
      return e.tag == t.dmb_ld || e.tag == t.dsb_ld || (e.tag == 0 && e.order == core::Order::Acquire);
    });
    const auto stores = fences([&](const Event& e) { return e.tag == t.dmb_st; });
    const auto stores_done = fences([&](const Event& e) { return e.tag == t.dsb_st; });
    const auto isb = fences([&](const Event& e) { return e.tag == t.isb; });

    const auto addr_po = seq(x.addr, x.po);
    const auto dob =
        value_deps | (x.ctrl | addr_po).to(x.writes) | seq((x.ctrl | addr_po).to(isb), x.po.to(x.accesses));
    // An atomic instruction that is both acquire and release orders like a full barrier after its write.
    const auto both = x.rmw.between(acquire, release).range() & x.where([](const Event& e) { return e.in_rmw; });
    const auto bob = x.fenced(full) | seq(x.po.between(x.reads - no_return, loads), x.po) |
                     seq(x.po.between(x.writes, stores), x.po.to(x.writes)) |
                     seq(x.po.between(x.writes, stores_done), x.po) | x.po.between(release, acquire) |
                     x.po.from(acquire | acquire_pc | both) | x.po.to(release);
    local = dob | x.rmw | bob;
    acquiring = acquire | acquire_pc;
  }

  // The read that a write depends on precedes the read that the write is forwarded to; so does the read of an atomic
  // instruction, if the later one is an acquire.
  Relation<W> forwarded(const Execution<W>& x, const Relation<W>& po_loc) const {
    const auto lrs = nearest_write_to_read(x, po_loc);
    return seq(value_deps, lrs) | seq(x.rmw, lrs.to(acquiring));
  }
};

}  // namespace

template <unsigned W>
Relation<W> armv8_local(const Execution<W>& x) {
  const ThreadOrder<W> order(x);
  return order.local | x.po_loc.to(x.writes) | order.forwarded(x, x.po_loc);
}

template <unsigned W>
bool armv8(const Execution<W>& x, Judge<W>& judge) {
  if (!coherent(x, judge) || !atomic(x, judge)) return false;
  const auto observed = x.rfe | x.coe | x.fre | x.forced;
  if (x.slices.empty()) return judge.acyclic("external", x.lifted(observed | armv8_local(x)));
  // Of a read that takes only some of its bytes from that write, only those bytes come after it: dependencies and
  // barriers follow from the whole read, but later writes, its own thread's or others', only if they write those bytes.
  const ThreadOrder<W> order(x);
  auto ordered = observed | x.po_loc.to(x.writes) | order.local;
  for (const auto& s : x.slices)
    ordered |= seq(order.forwarded(x, s.po_loc), order.local | s.po_loc.to(x.writes) | (s.fr - x.same));
  return judge.acyclic("external", x.lifted(ordered));
}

HEDDLE_FOR_ALL_WIDTHS(armv8)
HEDDLE_LOCAL_FOR_ALL_WIDTHS(armv8_local)

}  // namespace heddle::axioms
