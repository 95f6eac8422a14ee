// The final states that a test's executions end in, whether candidates, execution graphs or explicit states find them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "core/program.h"
#include "lang/litmus/program.h"
#include "lang/litmus/run.h"

namespace heddle::lang::litmus {

// Equal keys: the same final state.
using EndingKey = std::vector<std::pair<std::uint64_t, bool>>;

struct Ending {
  std::vector<core::Value> values;  // of Test::observed, in that order
  EndingKey key;                    // of Test::shown
  bool satisfies = false;           // the condition's formula
  bool passes_filter = true;

  // Reads the observed registers and variables of an execution that has ended: `local` gives a thread's last state,
  // `memory` what a location holds.
  void observe(const Test&, const LitmusProgram&, const std::function<core::ConstLocal(std::size_t thread)>& local,
               const std::function<core::Value(const core::Loc&)>& memory);
  // Is it one that shows what the condition asks about: of `forall` a state in which the formula does not hold?
  bool asked_for(const Test& test) const { return satisfies != (test.condition.quantifier == Quantifier::Forall); }
};

// The endings of one model, counted.
class Endings {
 public:
  void add(const Ending&);
  void clear();
  void move_to(ModelResult&);

 private:
  std::map<EndingKey, FinalValues> states_;
  std::uint64_t positive_ = 0, negative_ = 0;
};

}  // namespace heddle::lang::litmus
