// Guessed invariants (BRAB, search.h): parts of a cube, the smallest first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "array/cube.h"

namespace heddle::param {

// The smallest part of the cube (fewer literals, no order of events, no promises; in canonical form) that `promising`
// accepts, if there is one that is strictly weaker than the cube. Parts of up to three literals are tried.
std::optional<array::Cube> generalise(const array::Cube&, const array::System&,
                                      const std::function<bool(const array::Cube&)>& promising);

}  // namespace heddle::param
