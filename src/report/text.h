// Verdicts and traces for people at a terminal.
//
// Lines are stable: model, verdict, what was found, statistics; scripts should read the JSON report all the same.
// Colours are escape codes of ANSI terminals and only there when asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/verdict.h"

namespace heddle::report {

struct TextStyle {
  bool colours = false;
  std::size_t model_width = 0;  // least width of the column of models
  bool engines = false;         // name the engine of each verdict: the language has several
};

// "SAFE", "SAFE up to buffer 5", "UNSAFE" or "UNKNOWN".
std::string verdict_name(const core::Verdict&);

// One line without its newline: "tso    UNSAFE   assertion: both in the critical section   (1,204 states, 0.02 s)".
std::string verdict_line(const core::Verdict&, const TextStyle&);

// "SAFE under tso assumes that time stands still".
std::string assumption_text(const core::Verdict&, const std::string& assumption);

// What verdicts of one program assume, one line per assumption, with the models where they differ; ends with a newline.
std::string assumptions_text(const std::vector<core::Verdict>&);

// The trace of a verdict, one block per step, then what went wrong and which stores came too late (report/hazards.h); ends
// with a newline.
std::string trace_text(const core::Trace&, const TextStyle&);

// 1234567 -> "1,234,567".
std::string grouped(std::uint64_t);

// 1536 -> "1.5 KB".
std::string size_text(std::uint64_t bytes);

}  // namespace heddle::report
