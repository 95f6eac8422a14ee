// `repair` for array-based systems: the smallest set of guards that need a fence(), for any number of processes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drive/repair.h"
#include "lang/cubicle/syntax.h"

namespace heddle::drive {

// One per model of the task.
support::Result<std::vector<Repair>> repair_arrays(const Language&, const cubicle::System&, const Task&,
                                                   const RepairOptions&, core::Budget&);

}  // namespace heddle::drive
