// The progress line of a long run, refreshed in place on a terminal and absent elsewhere, and the interrupt key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <mutex>

#include "core/budget.h"

namespace heddle::cli {

class ProgressLine {
 public:
  // Shows itself on standard error if that is a terminal and `wanted`. Sets the budget's progress call-back, which
  // must not be called after this object has gone.
  ProgressLine(core::Budget&, bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void clear();  // before anything else is printed

 private:
  core::Budget& budget_;
  std::mutex mutex_;
  bool shown_ = false;
};

// From the first call on, an interrupt (Ctrl-C) or SIGTERM sets the flag that this returns; a third one ends the
// process in the usual way.
const std::atomic<bool>* watch_interrupts();

// How many have come. The second asks for an end at once (core/watchdog.h).
const std::atomic<int>* interrupt_count();

}  // namespace heddle::cli
