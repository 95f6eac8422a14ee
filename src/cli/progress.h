// The progress line of a long run, refreshed in place on a terminal and absent elsewhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace heddle::cli
