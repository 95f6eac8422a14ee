// RISC-V's RVWMO (unprivileged specification, chapter on the memory consistency model): thirteen rules of preserved
// program order, in their numbering, and one global memory order.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/fences.h"
#include "axioms/model_list.h"

namespace heddle::axioms {
namespace {

// An AMO is one operation, with one place in the global memory order: what holds of one of its two events holds of the
// other. So a dependency on its result, or a fence that keeps loads in order, holds its write back, too.
template <unsigned W>
Relation<W> amo_as_one(const Execution<W>& x, const Relation<W>& order) {
  const auto in_amo = x.where([](const Event& e) { return e.in_rmw; });
  const auto halves = x.rmw.between(in_amo, in_amo);
  if (halves.empty()) return order;
  const auto both = halves | inverse(halves);
  const auto either = both | identity<W>(x.size(), x.all);
  return seq(seq(either, order), either) - (both | identity<W>(x.size(), x.all));
}

}  // namespace

template <unsigned W>
Relation<W> riscv_local(const Execution<W>& x) {
  const auto acquire = x.where([](const Event& e) { return e.is_access() && at_least_acquire(e.order); });
  const auto release = x.where([](const Event& e) { return e.is_access() && at_least_release(e.order); });
  // Annotations of atomic instructions and lr/sc are RCsc. (Plain loads and stores have none in the ISA; those of
  // litmus tests, as in `lw.aq`, order like acquire and release only.)
  const auto rcsc = (acquire | release) & x.where([](const Event& e) { return e.in_rmw || e.exclusive; });
  const auto atomic_writes =
      x.where([](const Event& e) { return e.kind == EventKind::Write && (e.in_rmw || e.exclusive); });
  const auto po = x.po.between(x.accesses, x.accesses);

  auto ppo = x.po_loc.to(x.writes);  // 1
  const auto no_write_between = x.po_loc - seq(maybe(x.po_loc).to(x.writes), x.po_loc);
  ppo |= no_write_between.between(x.reads, x.reads) - seq(inverse(x.rf), x.rf);  // 2
  ppo |= x.rfi.from(atomic_writes);                                              // 3
  ppo |= fence_pairs(x);                                                         // 4
  ppo |= po.from(acquire);                                                       // 5
  ppo |= po.to(release);                                                         // 6
  ppo |= po.between(rcsc, rcsc);                                                 // 7
  ppo |= x.rmw;                                                                  // 8
  ppo |= x.addr | x.data.to(x.writes) | x.ctrl.to(x.writes);                     // 9, 10, 11
  ppo |= seq((x.addr | x.data).to(x.writes), x.rfi);                             // 12
  ppo |= seq(x.addr.to(x.accesses), x.po.to(x.writes));                          // 13
  return ppo;
}

template <unsigned W>
bool riscv(const Execution<W>& x, Judge<W>& judge) {
  if (!coherent(x, judge) || !atomic(x, judge)) return false;
  return judge.acyclic("rvwmo", x.lifted(amo_as_one(x, riscv_local(x) | x.forced | x.rfe | x.co | x.fr)));
}

HEDDLE_FOR_ALL_WIDTHS(riscv)
HEDDLE_LOCAL_FOR_ALL_WIDTHS(riscv_local)

}  // namespace heddle::axioms
