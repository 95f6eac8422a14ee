// The steps of a trace as people read them: steps inside the runtime library are left out or shown at the line that
// called it, and what a thread does before others could notice it is folded into one row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/trace.h"

namespace heddle::report {

struct Row {
  std::size_t number = 1;  // from 1; of a folded row the first of its numbers
  std::size_t folded = 0;  // so many rows are folded into this one; 0: it is one itself
  const core::TraceStep* step = nullptr;
  const core::SourcePlace* place = nullptr;
  std::vector<core::Effect> effects;
  bool loop_start = false;  // from here on the trace repeats
};

struct Rows {
  std::vector<Row> rows;
  std::size_t count = 0;               // the folded ones, too
  std::vector<std::size_t> number_of;  // of each step of the trace: its row's number; 0 if it is left out
};

// All rows, and with `fold` those before a thread's first noticeable step as one if there are at least three of them.
Rows rows_of(const core::Trace&, bool fold = true);

}  // namespace heddle::report
