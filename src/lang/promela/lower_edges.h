// The edges of one process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lang/promela/expressions.h"

namespace heddle::promela {

// Adds the edges of an instance to the program. Throws Mistake.
void lower_edges(ir::Program&, Tables&, std::uint32_t instance);

// The value that a variable of this type holds after `value` was assigned to it.
std::int32_t truncated(std::int32_t value, ir::Type);

}  // namespace heddle::promela
