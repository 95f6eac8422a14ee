// Sequential consistency (Lamport 1979), as one total order of all accesses.
// SPDX-License-Identifier: Apache-2.0
#include "axioms/model_list.h"

namespace heddle::axioms {

template <unsigned W>
bool sc(const Execution<W>& x, Judge<W>& judge) {
  return coherent(x, judge) && atomic(x, judge) && judge.acyclic("sc", x.lifted(x.po | x.forced | x.rf | x.co | x.fr));
}

HEDDLE_FOR_ALL_WIDTHS(sc)

}  // namespace heddle::axioms
