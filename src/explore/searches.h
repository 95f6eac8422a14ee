// The searches behind search(), one file each, and what they share: making a path from what was seen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explore/expander.h"
#include "explore/search.h"

namespace heddle::explore {

SearchResult breadth_first(const core::TransitionSystem&, const SearchOptions&, core::Budget&);
SearchResult depth_first(const core::TransitionSystem&, const SearchOptions&, core::Budget&);
SearchResult least_cost(const core::TransitionSystem&, const SearchOptions&, core::Budget&);

// The path to what was seen, along parent links if the store has them; without them only kind and detail.
Found found_from(const Sighting&, const core::TransitionSystem&, support::StateStore&, const SearchOptions&);

// The moves along a chain of states, each a successor of the one before (re-expanding them), and their cost.
// Of several moves between two states the cheapest is taken.
std::vector<core::Move> moves_along(const std::vector<std::vector<std::uint32_t>>& states,
                                    const core::TransitionSystem&, core::Reduction, core::Cost&);

}  // namespace heddle::explore
