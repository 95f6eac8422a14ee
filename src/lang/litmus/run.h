// Runs a litmus test under memory models: all final states, how many executions lead to each, and the answer to the
// test's condition.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "axioms/models.h"
#include "core/budget.h"
#include "core/execution_witness.h"
#include "lang/litmus/test.h"

namespace heddle::axioms {
class CatModel;
}

namespace heddle::lang::litmus {

// A model to run under: one of the table, or a user's own.
struct ModelChoice {
  std::string name;
  const axioms::Model* built_in = nullptr;
  const axioms::CatModel* own = nullptr;
};

struct RunOptions {
  unsigned unroll = 2;  // backward jumps that a thread may take
  bool store_conditional_may_fail = true;
  bool witness = false;       // keep an execution to be drawn (ModelResult::witness)
  bool spurious_cas = false;  // a weak compare-exchange of C may fail although the values are equal
  bool explain = false;       // why the condition's states are forbidden (ModelResult::why)
};

struct FinalValues {
  std::vector<core::Value> values;  // of Test::shown, in that order; numbers as wide as their types
  std::uint64_t executions = 0;
  bool satisfies = false;  // the condition's formula
};

// An execution that the condition is about, for a drawing. Its sites are those of `program`, which lives as long as
// this.
struct Witness {
  core::ExecutionWitness execution;
  std::shared_ptr<const core::Program> program;
  bool allowed = true;  // false: no execution of this kind is allowed, and this candidate shows what forbids it
};

struct ModelResult {
  std::string model;
  std::vector<FinalValues> states;           // sorted by value
  std::uint64_t positive = 0, negative = 0;  // executions in which the formula holds / does not
  std::uint64_t candidates = 0;              // looked at
  bool racy = false;                         // rc11: a data race in some execution
  std::vector<std::string> flags;            // raised by the user's own model
  bool misaligned = false;                   // some access is not a multiple of its size away from its variable: that
                                             // it is one access is assumed
  bool cut_off = false;                      // some run took more backward jumps than allowed: states may be missing
  core::Reason refusal;                      // if there is one, there is no answer
  core::SourcePlace refused_at;              // where, if that is known
  std::string why;                 // with `explain`, if no execution satisfies the formula: the axiom and its cycle
  std::optional<Witness> witness;  // with `witness`: where the formula holds (of `forall`: where it does not)
  double seconds = 0;

  // Whether the test's condition holds: for `exists` that such a state is reachable, for the others as they say.
  bool condition_holds(const Test&) const;
};

// Whether tests of this dialect make sense under the model, and what is wrong if not; empty if they do.
std::string not_applicable(Dialect, const ModelChoice&);

// One result per model, in order.
std::vector<ModelResult> run_test(const Test&, std::span<const ModelChoice>, const RunOptions&,
                                  core::Budget* = nullptr);

}  // namespace heddle::lang::litmus
