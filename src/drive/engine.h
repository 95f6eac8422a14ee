// The engines, one row each. An engine refuses up front what it cannot do, and returns a finding, never a verdict: what
// it has found is replayed by drive/referee.h before anybody hears of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/budget.h"
#include "core/finding.h"
#include "drive/subject.h"
#include "drive/task.h"
#include "models/models.h"

namespace heddle::drive {

struct Engine {
  std::string_view name;
  // Why it cannot answer: a clause whose subject is the engine, "has no machine for 'rc11'". Asked before anything runs.
  std::optional<core::Reason> (*refuses)(const Subject&, const models::Model&, const Task&);
  // Requires that it does not refuse.
  core::Finding (*run)(const Subject&, const models::Model&, const Task&, core::Budget&);
  // Its first turn beside others (drive/portfolio.h): states or executions, and steps; 0: no matter how many.
  std::uint64_t first_states = 0, first_steps = 0;
  // It can forecast how long it would take, for the first time after so many steps; 0: it cannot. Null: it never can.
  std::uint64_t (*forecast_after)(const models::Model&, const Task&) = nullptr;
  // It has no bound on buffers: where another engine's SAFE holds up to one, it is asked whether it holds without.
  bool lifts_bounds = false;
  // It says SAFE or nothing: where it has no answer, that says nothing against the program.
  bool only_proves = false;
  // Can it decide this program at all? Asked once the subject is prepared, where others can answer too; null: it can.
  bool (*applies)(const Subject&, const models::Model&) = nullptr;
  // Is this assumption of its SAFE one about its search and not about the world? Others are then asked whether it holds
  // without; null: it makes none.
  bool (*own_assumption)(std::string_view clause) = nullptr;
};

std::span<const Engine> engines();
const Engine* find_engine(std::string_view name);  // null if there is none

// --spurious-cas, which by default is the model's.
inline bool weak_cas_may_fail(const models::Model& model, const Task& task) {
  return task.spurious_cas->empty() ? model.axioms != nullptr && model.axioms->weak_cas_fails
                                    : *task.spurious_cas == "on";
}

inline core::Reason refusal(std::string clause) { return {core::Reason::Kind::Unsupported, std::move(clause)}; }

}  // namespace heddle::drive
