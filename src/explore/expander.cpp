// SPDX-License-Identifier: Apache-2.0
#include "explore/expander.h"

namespace heddle::explore {

bool looks_at_states(const core::TransitionSystem& system, const SearchOptions& options) {
  return (options.errors && system.has_state_errors()) || !options.goals.empty();
}

std::optional<Sighting> look_at(const core::TransitionSystem& system, const SearchOptions& options,
                                support::StateNumber number, core::State state,
                                core::TransitionSystem::Scratch& scratch) {
  if (options.errors && system.has_state_errors())
    if (const std::uint32_t error = system.state_error(state, scratch); error != 0)
      return Sighting{Found::Kind::StateError, error, number, std::nullopt};
  for (std::uint32_t i = 0; i < options.goals.size(); ++i) {
    const Goal& goal = options.goals[i];
    std::uint32_t error = 0;
    const bool holds = system.holds(goal.proposition, state, scratch, error);
    if (error != 0 || holds == goal.forbidden_when)
      return Sighting{error != 0 ? Found::Kind::GoalError : Found::Kind::Goal, i, number, std::nullopt};
  }
  return std::nullopt;
}

Expander::Expander(const core::TransitionSystem& system, support::StateStore& store, const SearchOptions& options,
                   unsigned worker)
    : system_(system),
      store_(store),
      options_(options),
      scratch_(system.make_scratch()),
      cursor_(store.make_cursor(worker)),
      looks_(looks_at_states(system, options)) {}

support::StateNumber Expander::insert_initial() {
  const std::vector<std::uint32_t> initial = system_.initial(*scratch_);
  const auto inserted = store_.insert(cursor_, initial, support::no_state, 0);
  sighting_ = look_at(system_, options_, inserted.number, initial, *scratch_);
  return inserted.number;
}

void Expander::successor(const core::Successor& s) {
  ++emitted_;
  if (s.error != 0) {
    if (options_.errors && !sighting_) sighting_ = Sighting{Found::Kind::StepError, s.error, current_, s.move};
    return;  // an error state is an end, not a state of its own
  }
  ++transitions_;
  if (looks_) {
    ranges_.push_back({static_cast<std::uint32_t>(slots_.size()), static_cast<std::uint32_t>(s.state.size())});
    slots_.insert(slots_.end(), s.state.begin(), s.state.end());
  }
  prepared_.push_back(store_.prepare(cursor_, s.state));
}

void Expander::expand(support::StateNumber number, std::uint64_t depth) {
  prepared_.clear();
  ranges_.clear();
  slots_.clear();
  fresh_.clear();
  emitted_ = 0;
  current_ = number;
  store_.load(cursor_, number);
  system_.successors(cursor_.slots(), options_.reduction, *scratch_, *this);
  if (emitted_ == 0 && !long_step_.over() && options_.deadlocks && !system_.proper_end(cursor_.slots(), *scratch_))
    sighting_ = Sighting{Found::Kind::Deadlock, 0, number, std::nullopt};
  const auto depth_mod_3 = static_cast<unsigned>((depth + 1) % 3);
  inserted_.resize(prepared_.size());
  store_.insert(cursor_, prepared_, number, depth_mod_3, inserted_);
  for (std::size_t i = 0; i < inserted_.size(); ++i) {
    if (!inserted_[i].fresh) continue;
    fresh_.push_back(inserted_[i].number);
    if (looks_ && !sighting_)
      sighting_ = look_at(system_, options_, inserted_[i].number, {slots_.data() + ranges_[i].begin, ranges_[i].length},
                          *scratch_);
  }
}

}  // namespace heddle::explore
