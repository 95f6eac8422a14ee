// Model → ir::Program (not finished) and the tables of its names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lang/promela/tables.h"

namespace heddle::promela {

// Places for the processes that a `run` inside a loop makes; more is a bound that was reached.
inline constexpr std::uint32_t places_in_loops = 16;

// Throws Mistake. `tables.model` is given, the rest is filled in.
ir::Program lower(Tables& tables);

}  // namespace heddle::promela
