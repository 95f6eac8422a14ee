// SPDX-License-Identifier: Apache-2.0
#include "drive/repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "drive/repair_arrays.h"
#include "drive/repair_orders.h"
#include "drive/repair_steps.h"
#include "repair/order_costs.h"
#include "repair/synthesis.h"

namespace heddle::drive {

namespace {

constexpr RepairFlag flags[] = {
    {"--heuristic", &RepairOptions::heuristic,
     "by hazard intervals: fewer checks, but not always a smallest set (models)"},
    {"--all", &RepairOptions::all, "all smallest sets, not only one"},
    {"--together", &RepairOptions::together, "one set for all memory models, not one for each (not .cub)"},
    {"--minimise", &RepairOptions::minimise, "weaken: the cheapest orders that still hold (C)"},
    {"--atomise", &RepairOptions::atomise, "plain accesses may become atomic (C)"},
};

constexpr RepairText texts[] = {
    {"--with", "atomic|fence|both", &RepairOptions::with,
     "what may be changed: models: atomic (locked) writes, fences (.pml, .rmm: behind stores); C: orders, fences"},
    {"--cost", "WHAT=N,...", &RepairOptions::cost,
     "what changes cost: store.seq_cst=5,fence.release=2 or count (C), atomic=1,fence=3 (models)"},
    {"--start", "FILE", &RepairOptions::start, "writes and fences to begin with, which are part of the set (DVE)"},
    {"--patch", "FILE", &RepairOptions::patch, "write the changes as a unified diff (C)"},
    {"--certificate", "FILE", &RepairOptions::certificate, "write what proves that nothing cheaper is enough"},
    {"--check-certificate", "FILE", &RepairOptions::check_certificate,
     "check a certificate that was written before instead of looking for a repair"},
};

// An option that would change nothing.
std::optional<support::Diagnostic> refuse(const Language& language, const Task& task, const RepairOptions& options) {
  if (!options.with.empty() && options.with != "atomic" && options.with != "fence" && options.with != "both")
    return support::Diagnostic{"", 0, 0, fmt::format("--with takes atomic, fence or both, not '{}'", options.with),
                               "", ""};
  for (const auto& [given, name] : {std::pair{options.minimise, "--minimise"},
                                    {options.atomise, "--atomise"},
                                    {!options.variants.empty(), "--variant"},
                                    {!options.patch.empty(), "--patch"}})
    if (given && !language.repairs_orders)
      return support::Diagnostic{"", 0, 0, fmt::format("{} is about C programs, not {}", name, language.name), "", ""};
  if (options.heuristic) {
    if (language.repairs_orders)
      return support::Diagnostic{"", 0, 0, "--heuristic is about models with atomic writes", "", ""};
    for (const auto& [given, name] : {std::pair{!options.certificate.empty(), "--certificate"}, {options.all, "--all"}})
      if (given)
        return support::Diagnostic{"", 0, 0, fmt::format("--heuristic proves nothing smallest: {} has no effect", name),
                                   "", ""};
    if (options.with == "fence")
      return support::Diagnostic{"", 0, 0, "--heuristic makes writes atomic: --with fence leaves it nothing", "", ""};
  }
  if (const Words honoured = split(language.options, ' ');
      !options.start.empty() && std::ranges::find(honoured, "--atomic") == honoured.end())
    return support::Diagnostic{"", 0, 0, fmt::format("--start does not apply to {}", language.name), "", ""};
  if (!options.start.empty() && task.atomic_file.given)
    return support::Diagnostic{"", 0,
                               0,  "--start and --atomic both say what to begin with",
                               "", "--atomic is part of the model, --start part of the repair"};
  if (!options.check_certificate.empty())
    for (const auto& [given, name] : {std::pair{!options.certificate.empty(), "--certificate"},
                                      {!options.patch.empty(), "--patch"},
                                      {options.all, "--all"}})
      if (given)
        return support::Diagnostic{
            "", 0, 0, fmt::format("--check-certificate looks for no repair: {} has no effect", name), "", ""};
  return std::nullopt;
}

}  // namespace

void add_bounds(std::vector<std::string>& bounds, const std::vector<std::string>& more) {
  for (const std::string& bound : more)
    if (std::ranges::find(bounds, bound) == bounds.end()) bounds.push_back(bound);
}

std::string up_to(const std::vector<std::string>& bounds) {
  return bounds.empty() ? "" : fmt::format(", up to {}", fmt::join(bounds, ", "));
}

void add_assumptions(Repair& repair, const std::vector<std::string>& assumptions) {
  for (const std::string& assumption : assumptions) repair.notes.push_back("assumes that " + assumption);
}

core::Outcome outcome_of(repair::Synthesis::Outcome outcome) {
  switch (outcome) {
    case repair::Synthesis::Outcome::Repaired: return core::Outcome::Safe;
    case repair::Synthesis::Outcome::Hopeless: return core::Outcome::Unsafe;
    case repair::Synthesis::Outcome::Unknown: break;
  }
  return core::Outcome::Unknown;
}

std::optional<support::Diagnostic> cannot_repair_under(const models::Model& model) {
  if (model.monotone) return std::nullopt;
  return support::Diagnostic{
      "",
      0,
      0,
      fmt::format("there is no repair under '{0}': under '{0}' a stronger order or a fence may add executions",
                  model.name),
      "",
      "`heddle check` decides whether a change is enough"};
}

std::span<const RepairFlag> repair_flags() { return flags; }

const char* repair_takes() {
  return "--model --property --invariant --reach --ltl --automaton --fair --memory-fairness --buffer --timeout "
         "--memory "
         "--max-states --workers --brab --define --atomic --loop-bound --spurious-cas --malloc-may-fail "
         "--spurious-wakeups --uncaught --nondet --include --optimise --std --cflag --json --quiet";
}

std::span<const RepairText> repair_texts() { return texts; }

int exit_code(const std::vector<Repair>& repairs) {
  int code = exit_safe;
  for (const Repair& repair : repairs) {
    if (repair.outcome == core::Outcome::Unsafe) return exit_unsafe;
    if (repair.outcome == core::Outcome::Unknown) code = exit_unknown;
  }
  return code;
}

namespace {

support::Result<std::vector<Repair>> answers(const Language& language, const Task& task, const RepairOptions& options,
                                             core::Budget& budget) {
  if (const auto refused = refuse(language, task, options)) return *refused;
  for (const std::string& name : *task.models)
    if (const auto refused = cannot_repair_under(*models::find(name))) return *refused;
  if (language.repairs_orders) return repair_orders(language, task, options, budget);
  if (language.load != nullptr) {
    const auto subject = language.load(task, budget);
    if (!subject) return subject.error();
    if (subject->steps() != nullptr) {
      const auto costs = repair::StepCosts::parse(options.cost);
      if (!costs) return costs.error();
      return repair_steps(language, *subject, task, options, *costs, budget);
    }
    if (subject->arrays() != nullptr) return repair_arrays(language, *subject->arrays(), task, options, budget);
  }
  return support::Diagnostic{"", 0, 0, fmt::format("there is no repair for {}", language.name), "", ""};
}

}  // namespace

support::Result<std::vector<Repair>> repair(const Language& language, const Task& task, const RepairOptions& options,
                                            core::Budget& budget) {
  auto found = answers(language, task, options, budget);
  if (found || !found.error().limit) return found;
  return undecided(task, options, found.error().message);
}

std::vector<Repair> undecided(const Task& task, const RepairOptions& options, const std::string& why) {
  const Words parts = options.together ? Words{fmt::format("{}", fmt::join(*task.models, ","))} : *task.models;
  std::vector<Repair> unknown(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    unknown[i].model = parts[i];
    unknown[i].summary = "UNKNOWN: " + why;
  }
  return unknown;
}

}  // namespace heddle::drive
