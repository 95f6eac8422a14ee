// Is a set a cheapest one that has a member of each constraint? Decided by a search of its own: what repair/ says of its
// hitting sets is not believed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "core/reason.h"

namespace heddle::check {

using Members = std::vector<std::uint32_t>;  // ascending

struct CheapestSetClaim {
  std::vector<std::uint64_t> costs;  // by element
  std::vector<Members> constraints;
  Members chosen;
};

struct CheapestSetCheck {
  std::optional<std::size_t> missed;    // the set has no member of this constraint
  std::optional<Members> cheaper;       // a cheaper set has a member of each constraint
  std::optional<core::Reason> stopped;  // a limit ended the search

  bool verified() const { return !missed && !cheaper && !stopped; }
};

// Requires members below costs.size().
CheapestSetCheck check_cheapest(const CheapestSetClaim&, core::Budget&);

}  // namespace heddle::check
