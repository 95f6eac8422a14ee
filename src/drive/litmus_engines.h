// Litmus tests on the engines for programs: the answers that the enumeration of candidates gives, found another way.
//
// Execution graphs count executions, as candidates do, and visit only consistent ones: large tests end sooner. Explicit
// states know machines, not axioms; they count final states instead of executions and need no bound on loops.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/budget.h"
#include "lang/litmus/run.h"

namespace heddle::drive {

struct LitmusEngine {
  std::string_view name;
  bool explains;           // ModelResult::why and ModelResult::witness can be asked for
  bool own_models;         // a user's own axioms are understood
  bool unrolls;            // loops are bounded by RunOptions::unroll
  bool counts_executions;  // otherwise final states
  std::vector<lang::litmus::ModelResult> (*run)(const lang::litmus::Test&, std::span<const lang::litmus::ModelChoice>,
                                                const lang::litmus::RunOptions&, core::Budget*);
};

// The first is the default.
std::span<const LitmusEngine> litmus_engines();

}  // namespace heddle::drive
