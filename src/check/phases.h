// The phases of an execution: what several threads do at once, between events that all others come before or after.
//
// Program order, creation and join of threads order events under every model. A *serial* event is one that these order
// with every other event. What stands between two serial events is a phase; no axiom has a cycle that leaves one, and
// whoever compares all pairs of events needs to do so within a phase only. Found by clocks, in time proportional to
// the length of the execution (graph/ knows phases too, as it builds a graph; none of its code is used here).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/execution_witness.h"

namespace heddle::check {

struct Phase {
  std::size_t begin, end;  // numbers of events in the witness; end excluded
  bool serial;             // a stretch of serial events
};

// All events, in order. Requires the witness to have a thread's events in program order, its creation before it and
// its last event before a join of it.
std::vector<Phase> phases_of(const core::ExecutionWitness&);

// Why coherence or reads-from do not keep to the order of the phases, or to that of serial events; empty if they do.
std::string out_of_phase(const core::ExecutionWitness&, const std::vector<Phase>&);

// Events by thread and index; `none` where there is no such event.
class EventIndex {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  explicit EventIndex(const core::ExecutionWitness&);
  std::size_t at(core::Tid thread, std::uint64_t index) const {
    return thread < events_.size() && index < events_[thread].size() ? events_[thread][index] : none;
  }
  // The first piece of the read that the write of a read-modify-write belongs to, or that an access begins with.
  std::size_t read_of(const core::WitnessEvent& write) const {
    return write.index < write.pieces ? none : at(write.thread, write.index - write.pieces);
  }

 private:
  std::vector<std::vector<std::size_t>> events_;
};

}  // namespace heddle::check
