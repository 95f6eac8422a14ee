// SPDX-License-Identifier: Apache-2.0
#include "explore/ltl_states.h"

#include <bit>

namespace heddle::explore {

LtlStates::LtlStates(const core::TransitionSystem& system, const LtlProduct& product, unsigned workers)
    : beside_(product.automaton_states() <= most_beside),
      automaton_(product.has_automaton()),
      bits_(beside_ ? static_cast<unsigned>(std::bit_width(product.automaton_states() - 1)) : 0),
      store_({.fixed_length = beside_ ? system.fixed_length() : product.fixed_length(),
              .workers = workers,
              .flag_bits = 0,
              .starts_small = workers == 1,  // nobody may use the store while it outgrows that
              .first_half = product.first_half()}) {}

LtlReader::LtlReader(LtlStates& states, LtlProduct& product, unsigned worker)
    : states_(states), product_(product), cursor_(states.store_.make_cursor(worker)) {}

LtlReader::Number LtlReader::number_of(core::State state) {
  support::StateStore& store = states_.store_;
  if (!states_.beside_) return store.insert(cursor_, state, support::no_state, 0).number;
  const core::State system = states_.automaton_ ? state.first(state.size() - 1) : state;
  const std::uint32_t automaton = states_.automaton_ ? state.back() : 0;
  return store.insert(cursor_, system, support::no_state, 0).number << states_.bits_ | automaton;
}

core::State LtlReader::state_of(Number number) {
  states_.store_.load(cursor_, number >> states_.bits_);
  const core::State slots = cursor_.slots();
  if (!states_.beside_ || !states_.automaton_) return slots;
  loaded_.assign(slots.begin(), slots.end());
  loaded_.push_back(static_cast<std::uint32_t>(number) & ((1U << states_.bits_) - 1));
  return loaded_;
}

bool LtlReader::expand(Number number) {
  targets_.clear();
  if (!product_.expand(state_of(number))) return false;
  // Inserted together, so that the store can fetch what it needs from memory in the meantime.
  support::StateStore& store = states_.store_;
  prepared_.clear();
  marks_.clear();
  automaton_targets_.clear();
  if (states_.beside_)
    for (std::size_t i = 0; i < product_.steps(); ++i)
      prepared_.push_back(store.prepare(cursor_, product_.step_target(i)));
  product_.each_arc([&](const LtlProduct::Arc& arc) {
    if (!states_.beside_) prepared_.push_back(store.prepare(cursor_, arc.target));
    else automaton_targets_.push_back(states_.automaton_ ? arc.target.back() : 0);
    marks_.insert(marks_.end(), arc.marks.begin(), arc.marks.end());
  });
  inserted_.resize(prepared_.size());
  store.insert(cursor_, prepared_, support::no_state, 0, inserted_);
  const std::size_t arcs = product_.arcs();
  for (std::size_t i = 0; i < arcs; ++i)
    targets_.push_back(states_.beside_ ? inserted_[i % inserted_.size()].number << states_.bits_ | automaton_targets_[i]
                                       : inserted_[i].number);
  return true;
}

}  // namespace heddle::explore
