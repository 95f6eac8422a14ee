// PSO (SPARC V8): beside a write and a later read, two writes to different locations may change places too. Release
// fences and release stores mark a place in the buffer that no write passes; a read-modify-write acts on memory at
// once.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/fences.h"
#include "axioms/model_list.h"

namespace heddle::axioms {

template <unsigned W>
bool pso(const Execution<W>& x, Judge<W>& judge) {
  if (!coherent(x, judge) || !atomic(x, judge)) return false;
  const auto in_rmw = x.rmw.domain() | x.rmw.range() | x.where([](const Event& e) { return e.in_rmw; });
  const auto po = x.po.between(x.accesses, x.accesses);
  const auto ppo = po.from(x.reads);
  const auto around_rmw = po.from(in_rmw) | (x.po_loc.to(in_rmw));
  const auto around_steps = po.from(x.steps.domain()) | po.to(x.steps.domain());  // they are full fences
  return judge.acyclic("pso", x.lifted(ppo | around_rmw | around_steps | fence_pairs(x) | order_pairs(x) |
                                       mark_pairs(x, in_rmw) | x.forced | x.rfe | x.co | x.fr));
}

HEDDLE_FOR_ALL_WIDTHS(pso)

}  // namespace heddle::axioms
