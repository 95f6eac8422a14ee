// SPDX-License-Identifier: Apache-2.0
#include "ir/layout.h"

#include <algorithm>
#include <bit>

#include "ir/footprint.h"

namespace heddle::ir {

namespace {

struct Width { unsigned bits; bool is_signed; };

Width width_of(const Program& p, std::uint32_t word) {
  if (const std::uint32_t v = p.variable_of[word]; v != none) {
    const Type t = p.variables[v].type;
    return {bits_of(t), range_of(t).low < 0};
  }
  if (p.owner[word] != none) {
    const auto last = static_cast<std::uint32_t>(p.processes[p.owner[word]].states.size() - 1);
    return {static_cast<unsigned>(std::bit_width(last)), false};
  }
  for (const Channel& channel : p.channels) {
    if (channel.capacity == 0 || word < channel.base || word > channel.base + channel.capacity * channel.arity()) continue;
    if (word == channel.base) return {static_cast<unsigned>(std::bit_width(channel.capacity)), false};
    const Type t = channel.types[(word - channel.base - 1) % channel.arity()];
    return {bits_of(t), range_of(t).low < 0};
  }
  return {32, true};
}

}  // namespace

Layout::Layout(const Program& p, bool buffers) : fields_(p.variable_words) {
  // Who writes a word: a process, several (`common`), or nobody.
  constexpr std::uint32_t common = none - 1;
  std::vector<std::uint32_t> writer(p.variable_words, none);
  for (const Edge& edge : p.edges) {
    const Footprint f = footprint(p, edge);
    f.writes.for_each([&](std::uint32_t w) { writer[w] = writer[w] == none || writer[w] == edge.process ? edge.process : common; });
  }
  for (const Channel& channel : p.channels) {
    if (channel.capacity == 0) continue;
    for (std::uint32_t w = 0; w <= channel.capacity * channel.arity(); ++w) writer[channel.base + w] = common;
  }

  unsigned used = 32;  // bits of the last slot
  const auto put = [&](const std::vector<std::uint32_t>& group) {
    unsigned total = 0;
    for (const std::uint32_t w : group) total += width_of(p, w).bits;
    if (total > 32 - used) used = 32;
    for (const std::uint32_t w : group) {
      const Width width = width_of(p, w);
      if (width.bits == 0) continue;
      if (used + width.bits > 32) {
        used = 0;
        ++slots_;
      }
      const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << width.bits) - 1);
      fields_[w] = {slots_ - 1, mask, static_cast<std::uint8_t>(used), static_cast<std::uint8_t>(width.is_signed ? 32 - width.bits : 0)};
      placed_.push_back({fields_[w], w});
      used += width.bits;
    }
  };
  std::vector<std::vector<std::uint32_t>> groups(p.processes.size());
  for (std::uint32_t w = p.shared_cells; w < p.variable_words; ++w) {
    if (p.owner[w] < groups.size() && writer[w] != none) groups[p.owner[w]].push_back(w);
  }
  for (std::uint32_t w = 0; w < p.shared_cells; ++w) {
    if (writer[w] < groups.size()) groups[writer[w]].push_back(w);
  }
  for (const std::vector<std::uint32_t>& group : groups) {
    put(group);
    if (buffers) {
      buffer_slots_.push_back(slots_++);
      used = 32;
    }
  }
  std::vector<std::uint32_t> shared;
  for (std::uint32_t w = 0; w < p.variable_words; ++w) {
    if (writer[w] == common) shared.push_back(w);
  }
  put(shared);
  if (slots_ == 0) slots_ = 1;  // a program that never changes still has a state
}

}  // namespace heddle::ir
