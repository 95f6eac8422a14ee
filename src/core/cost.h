// How relaxed a step is (docs/models.md, "Relaxation cost"): compared lexicographically, added along a trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace heddle::core {

struct Cost {
  std::uint32_t r = 0;   // a load performed before an older load, or a store before an older load
  std::uint32_t ww = 0;  // a store that reached memory before an older store of its thread
  std::uint32_t wr = 0;  // a load performed while an older store of its thread was pending

  friend constexpr auto operator<=>(const Cost&, const Cost&) = default;
  friend constexpr Cost operator+(Cost a, Cost b) { return {a.r + b.r, a.ww + b.ww, a.wr + b.wr}; }
};

}  // namespace heddle::core
