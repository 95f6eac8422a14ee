// The command line of `check`, and of the commands built on it: the question, and what to do with the answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "drive/task.h"

namespace heddle::cli {

using drive::Setting;

// Every Setting, of the task too, is set by one row of the table in options.cpp.
struct CheckRequest : drive::Task {
  Setting<std::uint64_t> max_states;  // 0: none. These three become the Budget
  Setting<double> timeout;            // seconds; 0: none
  Setting<std::uint64_t> memory;      // bytes; 0: none

  Setting<bool> table;  // litmus tests: one line per test, one column per model
  Setting<bool> quiet;
  Setting<bool> trace{true};
  Setting<std::string> json, sarif, html, dot, svg;  // files to write; "-" is standard output
};

}  // namespace heddle::cli
