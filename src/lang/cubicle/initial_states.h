// The initial states of an instance: all ways to give cells values such that conditions hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "ir/program.h"

namespace heddle::cubicle {

struct Cell {
  std::uint32_t variable = 0;
  std::uint32_t index = 0;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

struct OpenCell {
  Cell cell;
  std::vector<std::int32_t> domain;
  bool unbounded = false;  // the domain is only a part of its type
};

struct InitialStates {
  std::vector<std::vector<std::int32_t>> states;  // values in the order of the cells
  bool too_many = false;                          // more than `limit`
  bool chosen = false;                            // a cell whose domain is only a part is not fixed by an equality
};

// Backtracking; a condition is evaluated as soon as it can be false. Expressions read the cells only. `poll` is called now
// and then, and may throw.
InitialStates initial_states(const ir::Program&, const std::vector<OpenCell>&,
                             const std::vector<ir::ExprId>& conditions, std::size_t limit,
                             const std::function<void()>& poll);

}  // namespace heddle::cubicle
