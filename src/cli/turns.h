// How the time of a run is shared, and how two engines that can both answer a question take turns at it.
//
// With --timeout each model gets an equal share of the time that is left, so that none starves those after it; what it
// does not use goes to the others. Of two engines the first is tried within a small allowance, then the second, then
// both again with a larger one: the answer costs a constant factor more than the better engine alone would have taken.
// Allowances count executions and states first, so that which engine answers depends on the machine's speed only for
// slow programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/budget.h"
#include "core/verdict.h"

namespace heddle::cli {

// A budget for the first of `waiting` equal parts of what `whole` has left. It shares limits of memory and states.
std::unique_ptr<core::Budget> fair_share(const core::Budget& whole, std::size_t waiting);

// One engine's answer under a budget. Unknown means: not decided, `reason` says why.
using Attempt = std::function<core::Verdict(core::Budget&)>;

struct Contender {
  std::string name;  // of the engine
  Attempt attempt;
  std::uint64_t allowance = 0;  // states or executions of its first turn
  std::uint64_t steps = 0;      // of its first turn; 0: no matter how many
};

// Decides by the first contender that can. If it was not the very first one, the verdict's statistics say so under
// "instead of"; an Unknown verdict tells what stood in each one's way.
core::Verdict take_turns(const Contender& first, const Contender& second, core::Budget&);

// A reason without the hint in brackets at its end and without the engine's own name: "a thread goes on for too long".
std::string short_reason(std::string reason);

}  // namespace heddle::cli
