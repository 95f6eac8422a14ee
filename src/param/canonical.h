// Cubes up to the names of their processes and events.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "array/cube.h"

namespace heddle::param {

// Renames the cube to a representative of its class and says where its processes went. Processes are sorted by an
// invariant (what is said about them, refined by what is said about their neighbours); ties are broken by trying all
// orders. Events are sorted by an invariant alone, and beyond `max_orders` tied orders processes are too: then two
// equal cubes may get different forms, which costs time and never an answer.
std::array<array::Process, 32> canonicalise(array::Cube&, const array::System&);

std::uint64_t hash(const array::Cube&);

}  // namespace heddle::param
