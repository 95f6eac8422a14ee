// SPDX-License-Identifier: Apache-2.0
#include "ir/memory_sets.h"

#include <algorithm>

#include "ir/footprint.h"

namespace heddle::ir {

MemorySets::MemorySets(const Program& program, const memory::Machine& machine)
    : by_cell_(machine.traits().by_location), first_(1, 0), cells_(program.processes.size()) {
  for (std::uint32_t p = 0; p < program.processes.size(); ++p) {
    WordSet stored(program.variable_words);
    if (machine.has_buffers())
      for (const std::uint32_t e : program.processes[p].edges)
        if (program.edges[e].stores > program.edges[e].atomic_stores)
          stored.add(footprint(program, program.edges[e]).writes);
    stored.for_each([&](std::uint32_t word) {
      if (word < program.shared_cells) cells_[p].push_back(word);
    });
    const auto sets = static_cast<std::uint32_t>(by_cell_ ? cells_[p].size() : cells_[p].empty() ? 0 : 1);
    first_.push_back(first_.back() + sets);
  }
}

std::uint32_t MemorySets::of(std::uint32_t process, std::uint32_t cell) const {
  if (!by_cell_) return first_[process];
  const auto& cells = cells_[process];
  return first_[process] + static_cast<std::uint32_t>(std::ranges::lower_bound(cells, cell) - cells.begin());
}

void MemorySets::clear_waiting(std::uint32_t process, const memory::Buffer& buffer,
                               std::span<std::uint64_t> bits) const {
  for (const memory::Entry& e : buffer) {
    const std::uint32_t set = of(process, e.loc.object);
    bits[set / 64] &= ~(std::uint64_t{1} << (set % 64));
  }
}

}  // namespace heddle::ir
