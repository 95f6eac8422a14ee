// x86-TSO (Owens, Sarkar, Sewell 2009) in the form of "Herding cats" (Alglave, Maranget, Tautschnig 2014, section 4):
// only a write and a later read of the same thread may change places; locked instructions, and the exchange that a
// seq_cst store is compiled to, are full fences; so are atomic steps.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/fences.h"
#include "axioms/model_list.h"

namespace heddle::axioms {

template <unsigned W>
bool tso(const Execution<W>& x, Judge<W>& judge) {
  if (!coherent(x, judge) || !atomic(x, judge)) return false;
  const auto locked = x.rmw.domain() | x.rmw.range() | x.steps.domain() | x.where([](const Event& e) {
    return e.in_rmw || (e.kind == EventKind::Write && e.order == core::Order::SeqCst);
  });
  const auto po = x.po.between(x.accesses, x.accesses);
  const auto ppo = po - x.cross(x.writes, x.reads);
  const auto fence = fence_pairs(x) | po.from(locked) | po.to(locked);
  return judge.acyclic("tso", x.lifted(ppo | fence | x.forced | x.rfe | x.co | x.fr));
}

HEDDLE_FOR_ALL_WIDTHS(tso)

}  // namespace heddle::axioms
