// The memory orders as a lattice: Plain < Relaxed < Acquire, Release < AcqRel < SeqCst, Acquire and Release unordered.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/program.h"

namespace heddle::core {

inline Order join(Order a, Order b) {
  const auto [low, high] = std::minmax(a, b);
  return low == Order::Acquire && high == Order::Release ? Order::AcqRel : high;
}
inline bool at_most(Order a, Order b) { return join(a, b) == b; }

// "acquire", as memory_order_acquire and __ATOMIC_ACQUIRE have it; "plain".
inline std::string_view order_name(Order order) {
  constexpr std::array<std::string_view, 6> names = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return names[static_cast<std::size_t>(order)];
}

}  // namespace heddle::core
