// SPDX-License-Identifier: Apache-2.0
#include "memory/buffer.h"

#include <algorithm>

#include "core/rmw.h"

namespace heddle::memory {

using core::Loc;
using core::Value;

unsigned count_stores(const Buffer& buffer) {
  return static_cast<unsigned>(std::count_if(buffer.begin(), buffer.end(),
                                             [](const Entry& e) { return e.kind == Entry::Kind::Store && !e.joined; }));
}

bool any_overlap(const Buffer& buffer, const Loc& loc, std::size_t end) {
  for (std::size_t i = 0; i < end; ++i) {
    const Entry& e = buffer[i];
    if ((e.kind == Entry::Kind::Store || e.kind == Entry::Kind::Load) && e.loc.overlaps(loc)) return true;
  }
  return false;
}

Value extract(const Value& whole, const Loc& base, const Loc& part) {
  if (base == part) return whole;
  const std::uint32_t shift = part.offset - base.offset;
  Value v((whole.bits >> (8 * shift)) & core::size_mask(part.size));
  v.undefined = static_cast<std::uint8_t>((whole.undefined >> shift) & ((1u << part.size) - 1));
  return v;
}

void overwrite(Value& whole, const Loc& base, const Value& part, const Loc& at) {
  if (base == at) {
    whole = part;
    return;
  }
  // The bytes that both ranges share, as positions within each.
  const std::uint32_t from = std::max(base.offset, at.offset);
  const std::uint32_t to = std::min(base.offset + base.size, at.offset + at.size);
  const std::uint32_t size = to - from;
  const std::uint32_t in_whole = from - base.offset;
  const std::uint32_t in_part = from - at.offset;
  const std::uint64_t mask = core::size_mask(size);
  const auto flags = static_cast<std::uint8_t>((1u << size) - 1);
  whole.bits = (whole.bits & ~(mask << (8 * in_whole))) | (((part.bits >> (8 * in_part)) & mask) << (8 * in_whole));
  whole.undefined = static_cast<std::uint8_t>((whole.undefined & ~(flags << in_whole)) |
                                              (((part.undefined >> in_part) & flags) << in_whole));
  whole.pointer = false;
}

Seen see(const Buffer& buffer, Cells& memory, const Loc& loc) {
  std::size_t overlapping = 0;
  std::size_t newest = 0;
  for (std::size_t i = buffer.size(); i-- > 0;) {
    if (buffer[i].kind != Entry::Kind::Store || !buffer[i].loc.overlaps(loc)) continue;
    if (overlapping++ == 0) {
      newest = i;
      if (buffer[i].loc.covers(loc)) return {{extract(buffer[i].value, buffer[i].loc, loc)}, true};
    }
  }
  Seen seen{memory.read(loc), overlapping != 0};
  if (overlapping == 0 || seen.answer.fault != core::Fault::None) return seen;
  for (std::size_t i = 0; i <= newest; ++i)
    if (buffer[i].kind == Entry::Kind::Store && buffer[i].loc.overlaps(loc))
      overwrite(seen.answer.value, loc, buffer[i].value, buffer[i].loc);
  return seen;
}

}  // namespace heddle::memory
