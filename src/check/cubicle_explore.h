// Finite instances explored whole, and single runs replayed on them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "check/cubicle_machine.h"
#include "core/trace.h"

namespace heddle::check {

struct CubicleExploration {
  bool unsafe = false;
  bool complete = false;   // every state of the instance was seen, no buffer was full, no initial value left out
  std::set<CubicleMachine::State> states;
};

// Breadth first, up to `limit` states; stops at the first unsafe state unless `whole`.
CubicleExploration explore(const CubicleMachine&, std::size_t limit, bool whole = false);

// One transition of a run whose steps are only known by process.
struct CubicleStep {
  std::size_t transition = 0;
  std::vector<unsigned> parameters;
};

// Looks for an interleaving of these transitions (in order for each acting process, as a whole where there is none) and of
// flushes that ends in an unsafe state, from any initial state. The trace says what each step read and from which write.
std::optional<core::Trace> replay(const CubicleMachine&, const std::vector<CubicleStep>&, std::string_view model);

}  // namespace heddle::check
