// SPDX-License-Identifier: Apache-2.0
#include "drive/repair.h"

#include <fmt/format.h>

#include <algorithm>

#include "drive/cubes_engine.h"
#include "drive/repair_steps.h"
#include "repair/cubicle_fences.h"

namespace heddle::drive {

namespace {

core::Outcome outcome_of(repair::FenceRepair::Outcome outcome) {
  switch (outcome) {
    case repair::FenceRepair::Outcome::Safe:
    case repair::FenceRepair::Outcome::Repaired: return core::Outcome::Safe;
    case repair::FenceRepair::Outcome::Hopeless: return core::Outcome::Unsafe;
    case repair::FenceRepair::Outcome::Unknown: break;
  }
  return core::Outcome::Unknown;
}

std::string summary_of(const repair::FenceRepair& found) {
  const std::string bound =
      found.last.bounds.empty() ? "" : fmt::format(", up to {}", fmt::join(found.last.bounds, ", "));
  switch (found.outcome) {
    case repair::FenceRepair::Outcome::Safe: return "is safe as it is" + bound;
    case repair::FenceRepair::Outcome::Repaired:
      return fmt::format("safe{} with fence() in {} guard{}, and with no fewer ({} checks)", bound, found.fences.size(),
                         found.fences.size() == 1 ? "" : "s", found.checks);
    case repair::FenceRepair::Outcome::Hopeless: return "no fence helps: " + found.last.violation;
    case repair::FenceRepair::Outcome::Unknown: break;
  }
  return "UNKNOWN: " + found.last.reason.text;
}

std::vector<Repair> repair_cubicle(const cubicle::System& system, const Task& task, core::Budget& budget) {
  const CubesOptions options{static_cast<unsigned>(std::max<std::uint64_t>(1, *task.workers)),
                             static_cast<unsigned>(*task.brab)};
  std::vector<Repair> repairs;
  for (const std::string& model : *task.models) {
    const repair::FenceRepair found = repair::repair_fences(system, [&](const cubicle::System& candidate) {
      return decide_cubes(candidate, *models::find(model), options, budget);
    });
    Repair& repair = repairs.emplace_back(Repair{model, outcome_of(found.outcome), summary_of(found), {}, {}});
    if (repair.outcome != core::Outcome::Safe) continue;
    repair.text = repair::text_with_fences(system, found.fences);
    for (const std::size_t t : found.fences)
      repair.places.push_back(
          fmt::format("{}:{}: {}", system.file, system.transitions[t].place.line, system.transitions[t].name));
  }
  return repairs;
}

}  // namespace

support::Result<std::vector<Repair>> repair(const Language& language, const Task& task, const RepairOptions& options,
                                            core::Budget& budget) {
  if (language.load != nullptr) {
    const auto subject = language.load(task, budget);
    if (!subject) return subject.error();
    if (subject->steps() != nullptr) return repair_steps(*subject, task, options, budget);
    if (subject->arrays() != nullptr) return repair_cubicle(*subject->arrays(), task, budget);
  }
  return support::Diagnostic{"", 0, 0, fmt::format("there is no repair for {}", language.name), "", ""};
}

}  // namespace heddle::drive
