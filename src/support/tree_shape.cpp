// SPDX-License-Identifier: Apache-2.0
#include "support/tree_shape.h"

#include <algorithm>
#include <bit>

#include "support/diagnostics.h"

namespace heddle::support {
namespace {

constexpr std::uint64_t own_table_below =
    16;  // positions are numbered as in a heap: 1 the root, 2 and 3 its children …

std::uint32_t table_of(std::uint64_t position) {
  if (position < own_table_below) return static_cast<std::uint32_t>(position);
  const auto level = static_cast<std::uint32_t>(std::bit_width(position / own_table_below)) - 1;
  return std::min(static_cast<std::uint32_t>(own_table_below) + level, TreeShape::tables - 1);
}

// Builds the subtree over `count` slots from `from` on; returns its place.
std::uint32_t build(TreeShape& shape, std::uint32_t from, std::uint32_t count, std::uint64_t position) {
  if (count == 1) return from;
  const std::uint32_t half = (count + 1) / 2;
  const std::uint32_t left = build(shape, from, half, 2 * position);
  const std::uint32_t right = build(shape, from + half, count - half, 2 * position + 1);
  const auto index = static_cast<std::uint32_t>(shape.inner.size());
  shape.inner.push_back({left, right, table_of(position)});
  shape.above[left] = shape.above[right] = index;
  return shape.length + index;
}

}  // namespace

TreeShape::TreeShape(std::uint32_t the_number, std::size_t the_length, std::size_t first_half)
    : number(the_number), length(static_cast<std::uint32_t>(the_length)) {
  HEDDLE_ASSERT(the_length < (std::size_t{1} << 30));
  above.assign(2 * the_length + 1, none);
  above_bit.assign(2 * the_length + 1, 0);
  HEDDLE_ASSERT(first_half == 0 || first_half < the_length);
  const std::uint32_t half = first_half == 0 ? (length + 1) / 2 : static_cast<std::uint32_t>(first_half);
  if (length == 1) root_right = 0;
  if (length < 2) return;
  root_left = build(*this, 0, half, 2);
  root_right = build(*this, half, length - half, 3);
  find_bits();
}

TreeShape::TreeShape(std::uint32_t the_number, std::size_t the_length, const TreePlan& plan)
    : number(the_number),
      length(static_cast<std::uint32_t>(the_length)),
      inner(plan.inner),
      root_left(plan.root_left),
      root_right(plan.root_right) {
  HEDDLE_ASSERT(inner.size() + 2 == the_length);
  above.assign(2 * the_length + 1, none);
  above_bit.assign(2 * the_length + 1, 0);
  for (std::uint32_t i = 0; i < inner.size(); ++i) {
    HEDDLE_ASSERT(inner[i].left < length + i && inner[i].right < length + i);
    above[inner[i].left] = above[inner[i].right] = i;
  }
  find_bits();
}

void TreeShape::find_bits() {
  if (inner.size() > 64) return;
  for (std::size_t place = 0; place < values(); ++place) {
    if (above[place] != none) above_bit[place] = std::uint64_t{1} << above[place];
  }
}

}  // namespace heddle::support
