// SPDX-License-Identifier: Apache-2.0
#include "explore/search.h"

#include <algorithm>

#include "explore/searches.h"
#include "support/diagnostics.h"

namespace heddle::explore {
namespace {

// Finds the cheapest move to one given state.
class MoveTo final : public core::SuccessorSink {
 public:
  explicit MoveTo(core::State target) : target_(target) {}
  void successor(const core::Successor& s) override {
    if (s.error != 0 || !std::ranges::equal(s.state, target_)) return;
    if (!move || s.cost < cost) {
      move = s.move;
      cost = s.cost;
    }
  }
  std::optional<core::Move> move;
  core::Cost cost;

 private:
  core::State target_;
};

}  // namespace

std::vector<core::Move> moves_along(const std::vector<std::vector<std::uint32_t>>& states,
                                    const core::TransitionSystem& system, core::Reduction reduction, core::Cost& cost) {
  std::vector<core::Move> moves;
  const auto scratch = system.make_scratch();
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    MoveTo next(states[i + 1]);
    system.successors(states[i], reduction, *scratch, next);
    HEDDLE_ASSERT(next.move.has_value());
    moves.push_back(*next.move);
    cost = cost + next.cost;
  }
  return moves;
}

Found found_from(const Sighting& sighting, const core::TransitionSystem& system, support::StateStore& store,
                 const SearchOptions& options) {
  Found found;
  found.kind = sighting.kind;
  found.detail = sighting.detail;
  found.reduction = options.reduction;
  if (!store.options().parents) return found;
  std::vector<std::vector<std::uint32_t>> states;
  auto cursor = store.make_cursor(0);
  for (auto at = sighting.state; at != support::no_state; at = store.parent(at)) {
    store.load(cursor, at);
    states.emplace_back(cursor.slots().begin(), cursor.slots().end());
  }
  std::ranges::reverse(states);
  found.moves = moves_along(states, system, options.reduction, found.cost);
  if (sighting.move) found.moves.push_back(*sighting.move);
  found.length = found.moves.size();
  return found;
}

SearchResult search(const core::TransitionSystem& system, const SearchOptions& options, core::Budget& budget) {
  SearchResult result;
  switch (options.order) {
    case SearchOrder::Breadth: result = breadth_first(system, options, budget); break;
    case SearchOrder::Depth: result = depth_first(system, options, budget); break;
    case SearchOrder::Cost: result = least_cost(system, options, budget); break;
  }
  if (options.drops != nullptr && !result.found) options.drops->stopped(core::DropPlace::SearchLimit, result.stopped);
  return result;
}

SearchResult search_with_trace(const core::TransitionSystem& system, const SearchOptions& options,
                               core::Budget& budget) {
  // Is there a violation at all? Least relaxed first is for explaining one, not for finding it.
  SearchOptions finding = options;
  if (options.order == SearchOrder::Cost) finding.order = SearchOrder::Breadth;
  const double begun = budget.elapsed();
  SearchResult first = search(system, finding, budget);
  const double found_after = budget.elapsed() - begun;
  const bool own_trace = options.order == SearchOrder::Depth ||
                         (options.order == SearchOrder::Breadth && options.reduction == core::Reduction::None);
  if (!first.found || (own_trace && options.parents)) return first;

  SearchOptions explaining = options;
  explaining.parents = true;
  if (options.order != SearchOrder::Depth) explaining.reduction = core::Reduction::None;
  // The best trace is worth waiting for, but not many times as long as the verdict.
  constexpr std::uint64_t states_at_any_rate = 250'000, times_as_many = 50;
  const std::uint64_t most = budget.max_states;
  budget.max_states = std::min(most, states_at_any_rate + times_as_many * first.states);
  SearchResult second = search(system, explaining, budget);
  budget.max_states = most;
  if (!second.found) {
    // That ended before the search without reduction did: the first search has a trace too. It takes as long as before,
    // and a violation that is known is worth that much: the same time and memory again, and a third of it more.
    finding.parents = true;
    core::Budget grace;
    grace.seconds = 1 + found_after * 4 / 3;
    if (budget.overtime != nullptr) budget.overtime->store(budget.overtime->load() + *grace.seconds);
    second = search(system, finding, grace);
    if (!second.found) {
      first.stopped = second.stopped.value_or(core::internal_error("the search"));
      first.stopped->text += " while a trace of the violation that was found was made";
      first.found.reset();
      return first;
    }
    second.found->best = false;
  }
  first.found = std::move(second.found);
  return first;
}

}  // namespace heddle::explore
