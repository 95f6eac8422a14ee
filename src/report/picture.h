// An execution as a picture: one column per thread, events in program order, and between them program order (po),
// reads-from (rf), coherence (co), from-read (fr), dependencies (addr, data, ctrl), creation and end of threads.
// A shortest cycle of po, rf, co and fr is marked: sequential consistency forbids it, so it is what makes the execution
// weak.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/execution_witness.h"
#include "core/program.h"
#include "core/trace.h"

namespace heddle::report {

enum class EdgeKind : std::uint8_t { Po, Rf, Co, Fr, Addr, Data, Ctrl, Thread };

struct Picture {
  struct Event {
    std::size_t column = 0;
    std::size_t row = 0;  // no two events of a column share one
    std::string text;     // "W x=1 rlx"
    std::string place;    // "f.c:12"; may be empty
    bool marked = false;  // on the cycle, or where it goes wrong
  };
  struct Edge {
    std::size_t from = 0, to = 0;
    EdgeKind kind = EdgeKind::Po;
    bool marked = false;  // on the cycle
  };
  std::string title;
  std::string caption;  // what is marked, in one sentence; may be empty
  std::vector<std::string> columns;
  std::vector<Event> events;
  std::vector<Edge> edges;
};

// `replayed` is the witness's replay, which knows names that need a local state; may be null.
Picture execution_picture(const core::ExecutionWitness&, const core::Program&, const core::Trace* replayed,
                          std::string title);

// The steps of a run below each other, as an explicit engine finds them: order in time, no relations.
Picture trace_picture(const core::Trace&, std::string title);

const char* name_of(EdgeKind);

// One digraph; threads are clusters.
std::string dot(const Picture&);

// All pictures below each other in one file. Event boxes never overlap, and no edge crosses a box.
std::string svg(const std::vector<Picture>&);

}  // namespace heddle::report
