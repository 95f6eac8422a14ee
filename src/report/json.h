// Verdicts, traces and statistics as JSON, and back again. The schema stands in docs/json.md; reading what was written
// gives the same verdicts, and the moves of a trace are all that a replay needs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/verdict.h"
#include "support/diagnostics.h"

namespace heddle::report {

// What a litmus test has beside its verdict: all its final states.
struct TestAnswer {
  struct State {
    std::vector<std::pair<std::string, std::string>> values;  // register or variable, and what it holds
    std::uint64_t executions = 0;
    bool satisfies = false;  // the condition's formula
  };
  std::string file, name, condition;
  std::string observation;                   // Never, Sometimes or Always; empty if there is no answer
  std::uint64_t positive = 0, negative = 0;  // witnesses: executions that speak for the condition and against it
  std::vector<State> states;
};

// What was checked, for the head of a report.
struct Run {
  std::vector<std::string> files;
  std::vector<core::Verdict> verdicts;
  std::vector<TestAnswer> tests;  // of litmus tests: one a verdict; else empty
};

std::string json(const Run&);

// `file` names the text in diagnostics.
support::Result<Run> read_json(const std::string& text, const std::string& file);

}  // namespace heddle::report
