// Litmus tests: a set of final states per test and model rather than a verdict, by the enumeration of candidates.
//
// A test is a question, not a requirement: "No" decides the exit code only with --strict.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/verdict.h"
#include "drive/task.h"
#include "lang/litmus/print.h"
#include "report/drawing.h"
#include "report/json.h"
#include "support/diagnostics.h"

namespace heddle::drive {

struct LitmusAnswer {
  std::string block;     // herd7's format
  std::string mistake;   // rendered input error; then only `unknown` is set beside it
  bool unknown = false;  // the mistake is a limit's
  lang::litmus::TableRow row;
  std::vector<core::Verdict> verdicts;
  std::vector<report::TestAnswer> tests;  // one per verdict
  std::vector<report::Drawing> drawings;
};

struct LitmusRun {
  std::vector<LitmusAnswer> answers;  // in the order of the files
  std::vector<std::string> models;    // columns of a table
};

// All tests of the task, by --workers; `ready` is called with each answer in order. `table`: answers by table are
// wanted, for all models unless some were named.
support::Result<LitmusRun> run_litmus(const Task&, bool table, core::Budget&,
                                      const std::function<void(const LitmusAnswer&)>& ready);

int exit_code(const Task&, const LitmusRun&);

}  // namespace heddle::drive
