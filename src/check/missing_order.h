// Why a weak execution could happen: the accesses that lack order.
//
// A cycle of program order, reads-from, coherence and from-read (Shasha and Snir 1988) is what sequential consistency
// forbids. Of its steps in program order those are named that the model does not keep: with a full fence between each
// two of them its axioms forbid the execution, and without any one of these fences they do not. So it is said exactly,
// and for every model alike.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "check/graph_claims.h"

namespace heddle::check {

struct MissingOrder {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // events of one thread each; none: the execution is one of
                                                           // sc, or too large to say
  bool fenced = false;  // something that orders other accesses stands between two of them
  // The same is forbidden if these accesses have these orders instead of fences; empty if that does not do.
  std::vector<std::pair<std::size_t, core::Order>> enough;
};

// Requires the witness to be linearised (check/linearise.h).
MissingOrder missing_order(const RunGraph&);

}  // namespace heddle::check
