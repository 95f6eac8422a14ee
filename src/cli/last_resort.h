// How a run ends that cannot go on: a limit was reached in the middle of something that does not poll, or there is no
// memory left. What is known is reported, the rest is UNKNOWN with the reason, and the process ends with exit code 3
// (1 if a violation is known).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>

#include "core/reason.h"

namespace heddle::cli {

// For the whole process: memory that runs out and exceptions that nobody catches, on any thread, and LLVM's own fatal
// errors become one line on standard error and exit code 3.
void survive_failures();

// Ends the process with one line on standard error. Thread-safe; the first caller wins.
[[noreturn]] void give_up(const core::Reason&);

// What give_up does instead, for as long as this lives: it reports and gives the exit code.
class OnGivingUp {
 public:
  explicit OnGivingUp(std::function<int(const core::Reason&)> report);
  ~OnGivingUp();
  OnGivingUp(const OnGivingUp&) = delete;
  OnGivingUp& operator=(const OnGivingUp&) = delete;
};

}  // namespace heddle::cli
