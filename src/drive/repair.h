// `repair`: the smallest change that makes a program safe under a model, for the languages that have one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/budget.h"
#include "core/verdict.h"
#include "drive/languages.h"
#include "drive/task.h"
#include "support/diagnostics.h"

namespace heddle::drive {

struct RepairOptions {
  std::string with;  // what may be added to a model: atomic, fence or both; empty: as its language has it
  bool all = false;  // all smallest sets of them, not only one
};

struct Repair {
  std::string model;
  core::Outcome outcome = core::Outcome::Unknown;  // Safe: as it is, or as repaired. Unsafe: no repair helps
  std::string summary;                             // in one line
  std::vector<std::string> places;                 // where something is added, as "file:line: what"
  std::string text;                                // of the program that is safe
  std::string no_text;                             // why there is none, if so
  std::vector<Words> sets;                         // all smallest sets, if asked for: names of their members
  std::vector<Words> constraints;  // the proof that nothing is smaller: every repair has a member of each
};

// One per model, in order.
support::Result<std::vector<Repair>> repair(const Language&, const Task&, const RepairOptions&, core::Budget&);

}  // namespace heddle::drive
