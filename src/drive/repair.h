// `repair`: the smallest change that makes a program safe under a model, for the languages that have one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/budget.h"
#include "drive/languages.h"
#include "drive/task.h"
#include "models/models.h"
#include "repair/synthesis.h"
#include "report/repairs.h"
#include "support/diagnostics.h"

namespace heddle::drive {

struct RepairOptions {
  std::string with;                   // what may be changed: atomic, fence or both; empty: the language chooses
  bool all = false;                   // all smallest sets, not only one
  bool together = false;              // one set for all models
  bool minimise = false;              // C: the cheapest orders that still hold, from the program's own downwards
  bool atomise = false;               // C: plain accesses may become atomic
  std::vector<std::string> variants;  // C: definitions, each "-D NAME=VALUE ..."; all of them must hold
  std::string cost;                   // repair/order_costs.h
  std::string patch;                  // C: file for a unified diff
  std::string certificate;            // file for a proof of the answers
  std::string check_certificate;      // file of a proof that is checked instead of a search
  bool heuristic = false;             // models: by hazard intervals; the set need not be a smallest one
  std::string start;                  // models: file of writes and fences that are part of the set in any case

  bool atomic() const { return with != "fence"; }
  bool fence(bool unless_said) const { return with.empty() ? unless_said : with != "atomic"; }
};

// The options of the command line that set them.
struct RepairFlag {
  const char* name;
  bool RepairOptions::* member;
  const char* help;
};
struct RepairText {
  const char *name, *value;
  std::string RepairOptions::* member;
  const char* help;
};
std::span<const RepairFlag> repair_flags();
const char* repair_takes();  // the options of `check` that it has too, by blanks
std::span<const RepairText> repair_texts();

using report::Repair;
using report::RepairPlace;

// Smallest repairs are proved by monotonicity (repair/synthesis.h), which a model may not have.
std::optional<support::Diagnostic> cannot_repair_under(const models::Model&);

// One per model, in order.
support::Result<std::vector<Repair>> repair(const Language&, const Task&, const RepairOptions&, core::Budget&);
// The answers of a run that a limit ended.
std::vector<Repair> undecided(const Task&, const RepairOptions&, const std::string& why);

// 0 if all are safe, as they are or as repaired; 1 if no repair helps one of them; 3 if one is not known.
int exit_code(const std::vector<Repair>&);

// The bounds within which sets were found safe, each once; in an answer: ", up to buffer 5".
void add_bounds(std::vector<std::string>& bounds, const std::vector<std::string>& more);
std::string up_to(const std::vector<std::string>& bounds);
// What a set that is safe takes for granted (core::Verdict::assumptions), as notes.
void add_assumptions(Repair&, const std::vector<std::string>& assumptions);

// Repaired is what a check of the chosen set has concluded.
core::Outcome outcome_of(repair::Synthesis::Outcome);

}  // namespace heddle::drive
