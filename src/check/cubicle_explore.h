// Finite instances explored whole, and single runs replayed on them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "check/cubicle_machine.h"
#include "core/trace.h"

namespace heddle::check {

struct CubicleExploration {
  bool unsafe = false;
  bool complete = false;  // every state of the instance was seen, no buffer was full, no initial value left out
  std::set<CubicleMachine::State> states;
};

// The steps that memory may take by itself, as (process, entry); states that are trusted not to occur are left out.
std::vector<std::pair<std::pair<unsigned, unsigned>, CubicleMachine::State>> flushes(const CubicleMachine&,
                                                                                     const CubicleMachine::State&);

// Breadth first, up to `limit` states or until `stop` says so; stops at the first unsafe state unless `whole`.
CubicleExploration explore(const CubicleMachine&, std::size_t limit, bool whole = false,
                           const std::function<bool()>& stop = {});

// One transition of a run whose steps are only known by process.
struct CubicleStep {
  std::size_t transition = 0;
  std::vector<unsigned> parameters;
};

// Looks for an interleaving of these transitions (in order for each acting process, as a whole where there is none) and
// of flushes that ends in an unsafe state, from any initial state. The trace says what each step read and from which
// write. One step of a run that is known move by move.
struct CubicleMove {
  bool flush = false;
  unsigned process = 0, entry = 0;  // of a flush
  CubicleStep step;
};
struct Followed {
  std::optional<core::Trace> trace;
  std::string why;  // if there is none: where the run ends
};
// The run with exactly these moves, from any initial state, if it ends in an unsafe state.
Followed follow(const CubicleMachine&, const std::vector<CubicleMove>&, std::string_view model);

// Nothing also if `stop` says so.
std::optional<core::Trace> replay(const CubicleMachine&, const std::vector<CubicleStep>&, std::string_view model,
                                  const std::function<bool()>& stop = {});

}  // namespace heddle::check
