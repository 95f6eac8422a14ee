// NSW, non-speculative writes: of program order only read-write pairs and dependencies are kept, so loads may be
// performed late, but no write overtakes an earlier read. Read-modify-writes and orders as in pso.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/fences.h"
#include "axioms/model_list.h"

namespace heddle::axioms {

template <unsigned W>
bool nsw(const Execution<W>& x, Judge<W>& judge) {
  if (!coherent(x, judge) || !atomic(x, judge)) return false;
  const auto in_rmw = x.rmw.domain() | x.rmw.range() | x.where([](const Event& e) { return e.in_rmw; });
  const auto po = x.po.between(x.accesses, x.accesses);
  const auto ppo = po.between(x.reads, x.writes) | (x.addr | x.data).from(x.reads) | x.ctrl.between(x.reads, x.writes);
  const auto around_rmw = po.from(in_rmw) | (x.po_loc.to(in_rmw));
  const auto around_steps = po.from(x.steps.domain()) | po.to(x.steps.domain());  // they are full fences
  return judge.acyclic("nsw", x.lifted(ppo | around_rmw | around_steps | fence_pairs(x) | order_pairs(x) |
                                       mark_pairs(x, in_rmw) | x.forced | x.rfe | x.co | x.fr));
}

HEDDLE_FOR_ALL_WIDTHS(nsw)

}  // namespace heddle::axioms
