// `repair` for modelling languages: the cheapest set of atomic writes and fences under which everything that is asked
// for holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drive/repair.h"
#include "drive/subject.h"
#include "repair/order_costs.h"

namespace heddle::drive {

// One per model of the task. Requires a subject of steps.
support::Result<std::vector<Repair>> repair_steps(const Language&, const Subject&, const Task&, const RepairOptions&,
                                                  const repair::StepCosts&, core::Budget&);

}  // namespace heddle::drive
