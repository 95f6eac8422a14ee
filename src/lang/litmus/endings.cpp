// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/endings.h"

#include "core/rmw.h"
#include "lang/litmus/condition.h"

namespace heddle::lang::litmus {

void Ending::observe(const Test& test, const LitmusProgram& program,
                     const std::function<core::ConstLocal(std::size_t thread)>& local,
                     const std::function<core::Value(const core::Loc&)>& memory) {
  values.clear();
  for (const Observed& o : test.observed) {
    if (o.thread >= 0) {
      values.push_back(program.register_value(local(static_cast<std::size_t>(o.thread)), o.reg));
    } else {
      const std::uint32_t size = test.variables[o.variable].type.size;
      values.push_back(memory({o.variable + 1, o.element * size, size}));
    }
  }
  key.clear();
  for (const std::uint32_t i : test.shown)
    key.emplace_back(values[i].pointer ? values[i].bits : values[i].bits & core::size_mask(test.observed[i].type.size),
                     values[i].pointer);
  satisfies = holds(test.condition.formula, values, test);
  passes_filter = !test.has_filter || holds(test.filter, values, test);
}

void Endings::add(const Ending& end) {
  FinalValues& state = states_[end.key];
  if (state.executions++ == 0) {
    for (const auto& [bits, pointer] : end.key) {
      state.values.emplace_back(bits);
      state.values.back().pointer = pointer;
    }
    state.satisfies = end.satisfies;
  }
  ++(end.satisfies ? positive_ : negative_);
}

void Endings::clear() {
  states_.clear();
  positive_ = negative_ = 0;
}

void Endings::move_to(ModelResult& result) {
  for (auto& [key, values] : states_) result.states.push_back(std::move(values));
  result.positive = positive_;
  result.negative = negative_;
  clear();
}

}  // namespace heddle::lang::litmus
