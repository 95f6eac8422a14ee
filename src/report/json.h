// Verdicts, traces and statistics as JSON, and back again. The schema stands in docs/json.md; reading what was written
// gives the same verdicts, and the moves of a trace are all that a replay needs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/verdict.h"
#include "support/diagnostics.h"

namespace heddle::report {

// What was checked, for the head of a report.
struct Run {
  std::vector<std::string> files;
  std::vector<core::Verdict> verdicts;
};

std::string json(const Run&);

// `file` names the text in diagnostics.
support::Result<Run> read_json(const std::string& text, const std::string& file);

}  // namespace heddle::report
