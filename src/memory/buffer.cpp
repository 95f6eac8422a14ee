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

bool overlaps_store(const Buffer& buffer, const Loc& loc) {
  return std::ranges::any_of(buffer,
                             [&](const Entry& e) { return e.kind == Entry::Kind::Store && e.loc.overlaps(loc); });
}

bool loads_pending(const Buffer& buffer, std::uint32_t object) {
  return std::ranges::any_of(buffer,
                             [&](const Entry& e) { return e.kind == Entry::Kind::Load && e.loc.object == object; });
}

Value extract(const Value& whole, const Loc& base, const Loc& part) {
  if (base == part) return whole;
  const std::uint32_t shift = part.offset - base.offset;
  Value v((whole.bits >> (8 * shift)) & core::size_mask(part.size));
  v.undefined = (whole.undefined >> (8 * shift)) & core::size_mask(part.size);
  v.pointer = whole.pointer && shift + part.size > 4;  // a byte of the object's name, the upper half, is among them
  return v;
}

namespace {

// A value byte by byte, each with the pointer that it is a part of, if it is.
class Bytes {
 public:
  Bytes(const Value& value, std::uint32_t size) : size_(size) {
    for (std::uint32_t i = 0; i < size; ++i) put(i, value, i, size);
  }
  // Byte i becomes byte `from` of a value of `size` bytes.
  void put(std::uint32_t i, const Value& value, std::uint32_t from, std::uint32_t size) {
    const bool whole = value.pointer && size == 8;
    bytes_[i] = {static_cast<std::uint8_t>(value.bits >> (8 * from)),
                 static_cast<std::uint8_t>(value.undefined >> (8 * from)), value.pointer && (!whole || from >= 4),
                 whole ? value.bits : 0, whole ? from : no_place};
  }
  // All of it. It is a pointer if its upper half, the object's name, is one's; of a name that is there in part nothing
  // is left, and a value of fewer than eight bytes is marked if it depends on one.
  Value value() const {
    Value v;
    bool some = false, one = size_ == 8;
    for (std::uint32_t i = 0; i < size_; ++i) {
      const Byte& b = bytes_[i];
      v.bits |= std::uint64_t{b.value} << (8 * i);
      v.undefined |= std::uint64_t{b.undefined} << (8 * i);
      some |= b.pointer;
      if (i >= 4) one = one && b.place == i && b.whole == bytes_[4].whole;
    }
    v.pointer = one || (some && size_ < 8);
    for (std::uint32_t i = 0; i < size_ && !v.pointer; ++i)
      if (bytes_[i].pointer) v.undefined |= std::uint64_t{0xff} << (8 * i);
    if (v.pointer) core::settle_pointer(v, size_);
    v.bits &= ~v.undefined;
    return v;
  }

 private:
  static constexpr std::uint32_t no_place = 8;
  struct Byte {
    std::uint8_t value = 0, undefined = 0;
    bool pointer = false;
    std::uint64_t whole = 0;
    std::uint32_t place = no_place;
  };
  std::uint32_t size_;
  Byte bytes_[8];
};

}  // namespace

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
  Bytes bytes(seen.answer.value, loc.size);
  for (std::size_t i = 0; i <= newest; ++i) {
    const Entry& e = buffer[i];
    if (e.kind != Entry::Kind::Store || !e.loc.overlaps(loc)) continue;
    const std::uint32_t from = std::max(loc.offset, e.loc.offset);
    const std::uint32_t to = std::min(loc.offset + loc.size, e.loc.offset + e.loc.size);
    for (std::uint32_t at = from; at < to; ++at) bytes.put(at - loc.offset, e.value, at - e.loc.offset, e.loc.size);
  }
  seen.answer.value = bytes.value();
  return seen;
}

}  // namespace heddle::memory
