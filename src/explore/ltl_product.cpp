// SPDX-License-Identifier: Apache-2.0
#include "explore/ltl_product.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace heddle::explore {

LtlProduct::LtlProduct(const core::TransitionSystem& system, const LtlQuery& query)
    : system_(system), query_(query), scratch_(system.make_scratch()) {
  HEDDLE_ASSERT(!query.process_fairness || (system.threads() != 0 && query.reduction == core::Reduction::None));
  const ltl::Automaton* const a = query.violations;
  HEDDLE_ASSERT(a == nullptr || a->atoms.size() == query.propositions.size() +
                                                       (query.memory_atoms ? system.memory_sets() : 0) +
                                                       (query.sections ? 1 : 0));
  by_letter_ = a == nullptr ? 0 : a->sets;
  own_ = by_letter_ + (a == nullptr ? 0 : static_cast<std::uint32_t>(a->recurring.size()));
  // Where every run is accepted, those that stay inside an atomic section for ever are not: the automaton never moves.
  threads_ = own_ + (a == nullptr || (own_ == 0 && system.has_sections()) ? 1 : 0);
  memory_ = threads_ + (query.process_fairness ? system.threads() : 0);
  sets_ = memory_ + (query.memory_fairness ? system.memory_sets() : 0);
  words_ = (sets_ + 63) / 64;
  all_.resize(words_);
  for (std::uint32_t i = 0; i < sets_; ++i) set(all_, i);
  state_marks_.resize(words_);
  arc_marks_.resize(words_);
  enabled_.resize((system.threads() + 63) / 64);
  if (a == nullptr) edges_ = {0};  // one step of nobody
}

std::size_t LtlProduct::fixed_length() const {
  const std::size_t length = system_.fixed_length();
  return length == 0 || query_.violations == nullptr ? length : length + 1;
}

std::vector<std::uint32_t> LtlProduct::initial() {
  std::vector<std::uint32_t> state = system_.initial(*scratch_);
  if (query_.violations != nullptr) state.push_back(query_.violations->initial);
  return state;
}

void LtlProduct::successor(const core::Successor& s) {
  if (s.error != 0) {
    if (query_.errors && !error_) error_ = LtlResult::Error{LtlResult::Error::Kind::Step, s.error, 0, {s.move}};
    return;
  }
  const auto begin = static_cast<std::uint32_t>(slots_.size());
  slots_.insert(slots_.end(), s.state.begin(), s.state.end());
  if (query_.violations != nullptr) slots_.push_back(0);
  steps_.push_back({begin, static_cast<std::uint32_t>(slots_.size()) - begin, s.move, s.memory_set});
  if (!query_.process_fairness || s.move.kind != core::Move::Kind::Step) return;
  for (const std::uint32_t thread : {s.move.thread, s.move.partner})
    if (thread != core::Move::none) set(enabled_, thread);
}

void LtlProduct::withheld(std::uint32_t thread) {
  cut_off_ = true;
  if (query_.process_fairness && thread != core::Move::none) set(enabled_, thread);
}

// Errors of the state, its letter, and the automaton's edges that it allows.
bool LtlProduct::look(core::State state) {
  if (query_.errors && system_.has_state_errors())
    if (const std::uint32_t error = system_.state_error(state, *scratch_); error != 0) {
      error_ = LtlResult::Error{LtlResult::Error::Kind::State, error, 0, {}};
      return false;
    }
  system_.view(state, query_.propositions, *scratch_, view_);
  if (query_.sections) {
    view_.truth.assign(1, view_.held ? 0 : 1);
    view_.held = false;
  }
  if (view_.held) {  // the automaton stays where it is
    edges_ = {0};
    return true;
  }
  if (view_.error != 0 && query_.errors) {
    error_ = LtlResult::Error{LtlResult::Error::Kind::Proposition, view_.error, 0, {}};
    for (const std::uint32_t p : query_.propositions) {  // which one?
      std::uint32_t error = 0;
      system_.holds(p, state, *scratch_, error);
      if (error == 0) continue;
      error_->proposition = p;
      break;
    }
    return false;
  }
  const ltl::Automaton* const a = query_.violations;
  if (a == nullptr) return true;
  if (query_.memory_atoms) add_memory_atoms();
  const auto holds = [&](std::uint32_t atom) { return (view_.truth[atom / 64] >> (atom % 64) & 1) != 0; };
  edges_.clear();
  const auto& leaving = a->edges[automaton_state_];
  for (std::uint32_t i = 0; i < leaving.size(); ++i)
    if (a->letters->contains(leaving[i].label, holds)) edges_.push_back(i);
  for (std::uint32_t i = 0; i < a->recurring.size(); ++i)
    if (a->letters->contains(a->recurring[i], holds)) set(state_marks_, by_letter_ + i);
  return true;
}

void LtlProduct::add_memory_atoms() {
  const std::size_t first = query_.propositions.size();
  view_.truth.resize((first + system_.memory_sets() + 63) / 64);
  for (std::uint32_t i = 0; i < system_.memory_sets(); ++i)
    if ((view_.fair[i / 64] >> (i % 64) & 1) != 0) set(view_.truth, static_cast<std::uint32_t>(first) + i);
}

// Fairness that the state fulfils, once its steps are known.
void LtlProduct::mark_state() {
  if (own_ != threads_ && !view_.held && (query_.violations != nullptr || view_.accepting)) set(state_marks_, own_);
  if (stutters_) {  // nothing can be owed to a run that has ended
    for (std::uint32_t i = threads_; i < sets_; ++i) set(state_marks_, i);
    return;
  }
  if (query_.process_fairness && !view_.held)  // who waits for the end of a section waits still
    for (std::uint32_t t = 0; t < system_.threads(); ++t)
      if ((enabled_[t / 64] >> (t % 64) & 1) == 0) set(state_marks_, threads_ + t);
  for (std::uint32_t i = 0; memory_ + i < sets_; ++i)
    if ((view_.fair[i / 64] >> (i % 64) & 1) != 0) set(state_marks_, memory_ + i);
}

bool LtlProduct::expand(core::State product_state) {
  steps_.clear();
  slots_.clear();
  std::ranges::fill(state_marks_, 0);
  std::ranges::fill(enabled_, 0);
  stutters_ = cut_off_ = false;
  error_.reset();
  core::State state = product_state;
  if (query_.violations != nullptr) {
    automaton_state_ = state.back();
    state = state.first(state.size() - 1);
  }
  if (!look(state)) return false;
  if (edges_.empty()) return true;  // the automaton cannot follow
  system_.successors(state, query_.reduction, *scratch_, *this);
  if (error_) return false;
  // A run that only a bound ends is cut off there; a property process that cannot follow accepts nothing.
  if (steps_.empty() && !cut_off_ && query_.violations != nullptr && !long_step_.over()) {
    stutters_ = true;
    slots_.assign(product_state.begin(), product_state.end());
    steps_.push_back({0, static_cast<std::uint32_t>(slots_.size()), {}, core::Successor::no_set});
  }
  mark_state();
  return true;
}

LtlProduct::Arc LtlProduct::arc(std::uint32_t edge, std::size_t number) {
  const Step& step = steps_[number];
  std::ranges::fill(arc_marks_, 0);
  if (view_.held && query_.violations != nullptr) {
    slots_[step.begin + step.length - 1] = automaton_state_;
  } else if (query_.violations != nullptr) {
    const ltl::Edge& taken = query_.violations->edges[automaton_state_][edge];
    slots_[step.begin + step.length - 1] = taken.target;
    if (by_letter_ != 0) arc_marks_[0] = taken.marks;
  }
  if (query_.process_fairness && !stutters_) {
    if (step.move.thread == core::Move::none && step.move.kind == core::Move::Kind::Step)  // all together
      for (std::uint32_t t = 0; t < system_.threads(); ++t) set(arc_marks_, threads_ + t);
    else if (step.move.kind == core::Move::Kind::Step) set(arc_marks_, threads_ + step.move.thread);
    if (step.move.partner != core::Move::none) set(arc_marks_, threads_ + step.move.partner);
  }
  if (step.memory_set != core::Successor::no_set && query_.memory_fairness) set(arc_marks_, memory_ + step.memory_set);
  return {{slots_.data() + step.begin, step.length}, arc_marks_, step.move, stutters_};
}

}  // namespace heddle::explore
