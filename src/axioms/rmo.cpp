// RMO (SPARC V9) as "Herding cats" has it: dependencies are all of program order that is kept, control dependencies
// up to writes only. Dependencies go through memory, too: in the manual's appendix D a load that returns what its own
// thread stored depends on that store, and all that depends on a load comes after it, directly or not. (The order from
// a store on its own is not kept: the chain must begin with a load.) Without this, values could come out of thin air.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/fences.h"
#include "axioms/model_list.h"

namespace heddle::axioms {

template <unsigned W>
Relation<W> rmo_local(const Execution<W>& x) {
  const auto ppo = closure((x.addr | x.data | x.ctrl.to(x.writes)).from(x.reads) | x.rmw | x.rfi).from(x.reads);
  return ppo | fence_pairs(x) | order_pairs(x);
}

template <unsigned W>
bool rmo(const Execution<W>& x, Judge<W>& judge) {
  if (!coherent(x, judge) || !atomic(x, judge)) return false;
  return judge.acyclic("rmo", x.lifted(rmo_local(x) | x.forced | x.rfe | x.co | x.fr));
}

HEDDLE_FOR_ALL_WIDTHS(rmo)
HEDDLE_LOCAL_FOR_ALL_WIDTHS(rmo_local)

}  // namespace heddle::axioms
