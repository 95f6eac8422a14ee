// SPDX-License-Identifier: Apache-2.0
#include "ir/layout.h"

#include <algorithm>
#include <bit>

#include "ir/footprint.h"
#include "ir/ranges.h"

namespace heddle::ir {

namespace {

constexpr unsigned buffer_bits = 8;  // what the number of a buffer's contents counts for, which has 32

struct Width {
  unsigned bits;
  bool is_signed;
};

// 0 bits: there is one value only.
Width width_of(Range r) {
  if (r.low == r.high) return {0, false};
  const auto bits = [](std::int32_t v) {
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint32_t>(v < 0 ? ~v : v)));
  };
  if (r.low >= 0) return {bits(r.high), false};
  return {std::max(bits(r.low), bits(r.high)) + 1, true};
}

Width width_of(const Program& p, const std::vector<Range>& ranges, std::uint32_t word) {
  if (const std::uint32_t v = p.variable_of[word]; v != none) return width_of(ranges[v]);
  if (p.owner[word] != none) {
    const auto last = static_cast<std::uint32_t>(p.processes[p.owner[word]].states.size() - 1);
    return {static_cast<unsigned>(std::bit_width(last)), false};
  }
  for (const Channel& channel : p.channels) {
    if (channel.capacity == 0 || word < channel.base || word > channel.base + channel.capacity * channel.arity())
      continue;
    if (word == channel.base) return {static_cast<unsigned>(std::bit_width(channel.capacity)), false};
    const Type t = channel.types[(word - channel.base - 1) % channel.arity()];
    return {bits_of(t), range_of(t).low < 0};
  }
  return {32, true};
}

}  // namespace

Layout::Layout(const Program& p, bool buffers) : fields_(p.variable_words) {
  const std::vector<Range> ranges = value_ranges(p);
  // Who writes a word, two of them at most; with a third it is `common`.
  constexpr std::uint32_t common = none - 1;
  struct Writers {
    std::uint32_t first = none, second = none;
  };
  std::vector<Writers> writers(p.variable_words);
  for (const Edge& edge : p.edges) {
    const Footprint f = footprint(p, edge);
    f.writes.for_each([&](std::uint32_t w) {
      auto& [first, second] = writers[w];
      if (first == none || first == edge.process) first = edge.process;
      else second = second == none || second == edge.process ? edge.process : common;
    });
  }
  for (const Channel& channel : p.channels) {
    if (channel.capacity == 0) continue;
    for (std::uint32_t w = 1; w <= channel.capacity * channel.arity(); ++w)
      writers[channel.base + w] = writers[channel.base];
  }

  std::vector<std::vector<std::uint32_t>> groups(p.processes.size());
  std::vector<std::uint32_t> shared;
  std::vector<unsigned> bits(p.processes.size());
  const auto add = [&](std::uint32_t process, std::uint32_t w) {
    groups[process].push_back(w);
    bits[process] += width_of(p, ranges, w).bits;
  };
  for (std::uint32_t w = p.shared_cells; w < p.variable_words; ++w) {
    if (p.owner[w] < groups.size() && writers[w].first != none) add(p.owner[w], w);
  }
  for (std::uint32_t w = 0; w < p.variable_words; ++w) {
    const auto [first, second] = writers[w];
    if (first == none || (w >= p.shared_cells && p.owner[w] < groups.size())) continue;
    if (second == common) shared.push_back(w);
    else add(second == none || bits[first] <= bits[second] ? first : second, w);
  }

  // Where the second half begins: where half of the bits lie before it, at a group's border if one is near.
  std::uint64_t total = 0, before = 0;
  for (const unsigned b : bits) total += b + (buffers ? buffer_bits : 0);
  for (const std::uint32_t w : shared) total += width_of(p, ranges, w).bits;
  std::uint32_t middle = none;  // the first word of the second half
  std::uint64_t off = total;
  const auto pass = [&](const std::vector<std::uint32_t>& group, bool inside) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::uint64_t distance = before * 2 > total ? before * 2 - total : total - before * 2;
      if (before != 0 && distance < off && (i == 0 || inside)) {
        off = distance;
        middle = group[i];
      }
      before += width_of(p, ranges, group[i]).bits;
    }
  };
  for (const bool inside : {false, true}) {
    before = 0;
    for (const auto& group : groups) {
      pass(group, inside);
      if (buffers) before += buffer_bits;
    }
    pass(shared, inside);
    if (off <= total / 3) break;
  }

  unsigned used = 32;  // bits of the last slot
  const auto put = [&](const std::vector<std::uint32_t>& group) {
    unsigned size = 0;
    for (const std::uint32_t w : group) size += width_of(p, ranges, w).bits;
    if (size > 32 - used) used = 32;
    for (const std::uint32_t w : group) {
      const Width width = width_of(p, ranges, w);
      if (w == middle) {
        used = 32;
        first_half_ = slots_;
      }
      if (width.bits == 0) continue;
      if (used + width.bits > 32) {
        used = 0;
        ++slots_;
      }
      const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << width.bits) - 1);
      fields_[w] = {slots_ - 1, mask, static_cast<std::uint8_t>(used),
                    static_cast<std::uint8_t>(width.is_signed ? 32 - width.bits : 0)};
      placed_.push_back({fields_[w], w});
      used += width.bits;
    }
  };
  for (const std::vector<std::uint32_t>& group : groups) {
    put(group);
    if (buffers) {
      buffer_slots_.push_back(slots_++);
      used = 32;
    }
  }
  put(shared);
  if (first_half_ >= slots_) first_half_ = 0;
  if (slots_ == 0) slots_ = 1;  // a program that never changes still has a state
}

}  // namespace heddle::ir
