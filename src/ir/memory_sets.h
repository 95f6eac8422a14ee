// The sets of memory fairness (core/transition_system.h) of a program under a machine with buffers: one per process and
// shared cell that it stores to where stores to different cells leave independently, else one per process that stores.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/program.h"
#include "memory/machine.h"

namespace heddle::ir {

class MemorySets {
 public:
  MemorySets(const Program&, const memory::Machine&);

  std::uint32_t count() const { return first_.back(); }
  // The set of an entry of the process's buffer. Requires that the process stores to the cell.
  std::uint32_t of(std::uint32_t process, std::uint32_t cell) const;
  // Clears the bits of the sets for which something waits in the buffer.
  void clear_waiting(std::uint32_t process, const memory::Buffer&, std::span<std::uint64_t> bits) const;

 private:
  bool by_cell_;
  std::vector<std::uint32_t> first_;               // by process, and one more: its first set
  std::vector<std::vector<std::uint32_t>> cells_;  // by process: ascending; the i-th has set first + i. Only by_cell_
};

}  // namespace heddle::ir
