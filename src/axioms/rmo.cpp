// RMO (SPARC V9) as "Herding cats" has it: dependencies are all of program order that is kept, control dependencies
// up to writes only.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/fences.h"
#include "axioms/model_list.h"

namespace heddle::axioms {

template <unsigned W>
bool rmo(const Execution<W>& x, Judge<W>& judge) {
  if (!coherent(x, judge) || !atomic(x, judge)) return false;
  const auto ppo = x.addr | x.data | x.ctrl.to(x.writes) | x.rmw;
  return judge.acyclic("rmo", ppo | fence_pairs(x) | order_pairs(x) | x.forced | x.rfe | x.co | x.fr);
}

HEDDLE_FOR_ALL_WIDTHS(rmo)

}  // namespace heddle::axioms
