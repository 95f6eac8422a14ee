// `repair` for C: the cheapest memory orders and fences under which everything that is asked for holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drive/languages.h"
#include "drive/repair.h"

namespace heddle::drive {

support::Result<std::vector<Repair>> repair_orders(const Language&, const Task&, const RepairOptions&, core::Budget&);

}  // namespace heddle::drive
