// Explicit-state search: is there a state or a step that the property forbids?
//
// The search knows nothing but core::TransitionSystem. It visits every state once, breadth first (shortest traces),
// depth first, or least relaxed first (the least cost, then the fewest steps). The verdict and, on completed runs, the
// number of states do not depend on the number of workers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/evidence.h"
#include "core/transition_system.h"

namespace heddle::explore {

enum class SearchOrder : std::uint8_t { Breadth, Depth, Cost };

// A state is forbidden when the proposition has this value there.
struct Goal {
  std::uint32_t proposition = 0;
  bool forbidden_when = true;
};

struct SearchOptions {
  SearchOrder order = SearchOrder::Breadth;
  core::Reduction reduction = core::Reduction::None;
  unsigned workers = 1;
  bool parents = false;    // keep parent links: more memory, and traces without a second search
  bool errors = true;      // errors of states and steps are violations
  bool deadlocks = false;  // states without successors that are no proper end are violations
  std::vector<Goal> goals = {};
  core::Drops* drops = nullptr;  // where to note what is left out
};

struct Found {
  enum class Kind : std::uint8_t { StateError, StepError, Goal, GoalError, Deadlock };
  Kind kind = Kind::Goal;
  std::uint32_t detail = 0;       // the error, or the index of the goal (GoalError: whose evaluation went wrong)
  core::Cost cost;                // of the path
  std::vector<core::Move> moves;  // from the initial state; empty if no parent links were kept and it is not initial
  std::uint64_t length = 0;       // steps from the initial state, as far as this search knows
  core::Reduction reduction = core::Reduction::None;  // under which the moves were found: they number its successors
  bool best = true;  // false: a limit ended the search for the shortest or least relaxed trace, and this is another one
};

struct SearchResult {
  std::optional<Found> found;
  std::optional<core::Reason> stopped;  // why the search is incomplete (a limit), if it is
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t levels = 0;  // breadth first: number of levels that have a state
  std::uint64_t bytes = 0;   // of store and system
};

// One search, as the options say.
SearchResult search(const core::TransitionSystem&, const SearchOptions&, core::Budget&);

// Searches, and if something is found, searches again without reduction for a trace: the shortest one, or with order
// Cost the least relaxed one. If the budget ends during that second search, the trace is the one of the first.
// statistics (states …) are those of the first search.
SearchResult search_with_trace(const core::TransitionSystem&, const SearchOptions&, core::Budget&);

}  // namespace heddle::explore
