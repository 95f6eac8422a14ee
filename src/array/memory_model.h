// Memory models of array-based systems, as rows of a table: which pairs of program order the global order keeps.
//
// Following Conchon, Declerck and Zaïdi (EPTCS 271, 2018), weak reads and writes are events, and an execution is valid
// if the global happens-before relation ghb = ppo ∪ fence ∪ co ∪ rfe ∪ fr has no cycle. All reads of a transition are
// one event, all its writes are one event, and a transition that does both is a single event: a locked instruction,
// whether or not the values it reads matter later. Under every model here
//   - a read stays before all later events of its process (R→R, R→W),
//   - a locked event and a fence stay in order with everything of their process, before and after,
//   - writes to the same cell stay in order (coherence), and a process sees its own writes at once (rfi is not in ghb).
// What differs is W→R and W→W to different cells: the two flags of a row. `fence()` restores both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace heddle::array {

struct MemoryModel {
  const char* name;
  bool write_read;   // a write stays before later reads of its process
  bool write_write;  // a write stays before later writes of its process to other cells
};

std::span<const MemoryModel> memory_models();

// The row of that name, or null.
const MemoryModel* memory_model(std::string_view name);

}  // namespace heddle::array
