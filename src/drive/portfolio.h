// How the time of a run is shared, and how engines that can all answer a question take turns at it.
//
// With --timeout each model gets an equal share of the time that is left, so that none starves those after it; what it
// does not use goes to the others. Of several engines the first is tried within a small allowance, then the next, then
// all again with a larger one: the answer costs a constant factor more than the best engine alone would have taken.
// Allowances count executions and states first, so that which engine answers depends on the machine's speed only for
// slow programs. An answer that holds up to a bound is not the last word where an engine without bounds takes part: it
// then has a turn within its first allowance. Nor is SAFE under an assumption about the search of the engine that says it:
// each of the others then has such a turn.
//
// An engine that can forecast how long it would take needs no allowance and never begins anew: while it waits, the
// others have turns whose length is a small part of the forecast. If one of them can do it in so little time, little
// was lost; if none can, the first has lost no more than that part, and where it is nearly done they get none. A
// search that is twice as long as it was forecast to be may go on for ever: then the others have most of the time. The
// others forecast, too. A turn that is cut off is lost, and the next one is longer; so one that would end within eight
// times its length, and before the engine that waits, is not cut off. Where a violation may be found at any moment a
// turn is used up; who only proves gives it up early if it would need a much longer one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/budget.h"
#include "core/verdict.h"

namespace heddle::drive {

// A budget for the first of `waiting` equal parts of what `whole` has left. It shares limits of memory and states.
std::unique_ptr<core::Budget> fair_share(const core::Budget& whole, std::size_t waiting);

struct Contender {
  std::string_view name;                                // of the engine
  std::function<core::Verdict(core::Budget&)> attempt;  // Unknown: not decided, its reason says why
  std::uint64_t states = 0;                             // or executions, of its first turn; 0: no matter how many
  std::uint64_t steps = 0;                              // … and steps
  std::uint64_t forecast_after = 0;                     // steps, see core::Budget; 0: it makes no forecasts
  bool lifts_bounds = false;                            // its answers hold up to no bound
  bool only_lifts = false;                              // … and beside others it is asked for nothing else
  bool only_proves = false;                             // it cannot find a violation
  bool (*own_assumption)(std::string_view) = nullptr;   // of its SAFE, and others may do without it; null: it has none
};

// Decides by the first contender that can. If it was not the very first one, the verdict's statistics say so under
// "instead of"; an Unknown verdict tells what stood in each one's way. Requires at least one.
core::Verdict take_turns(const std::vector<Contender>&, core::Budget&);

}  // namespace heddle::drive
