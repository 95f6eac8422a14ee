// A short lasso through an accepting component: the shortest way from the initial state to the component, then inside
// it, again and again, the shortest way to something that fulfils a set still missing, and back to where it began.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/ltl.h"
#include "explore/ltl_product.h"

namespace heddle::explore {

// States of the search by number.
struct Numbering {
  std::function<core::State(std::uint32_t)> state;   // valid until the next call of either
  std::function<std::uint32_t(core::State)> number;  // of a successor of a visited state
  std::function<bool(std::uint32_t)> visited;
  std::function<bool(std::uint32_t)> accepting;  // belongs to the accepting component
};

// Requires that the component fulfils all sets, and that it is reached through visited states.
Lasso find_lasso(LtlProduct&, core::State initial, const Numbering&);

// Moves from the initial state to the state of this number, as few as there can be.
std::vector<core::Move> path_to(LtlProduct&, core::State initial, std::uint32_t target, const Numbering&);

}  // namespace heddle::explore
