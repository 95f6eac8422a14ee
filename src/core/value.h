// What registers and memory hold: up to eight bytes, each bit of which may be undefined, or a pointer.
//
// A pointer is its object's name in the upper and the signed offset in the lower 32 bits, with the mark `pointer`; so
// pointer arithmetic is integer arithmetic, and whoever renames objects knows which words to rewrite. Languages
// without addresses use only `bits`. Undefined bits are zero in `bits`, so that equal values are equal members.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace heddle::core {

struct Value {
  std::uint64_t bits = 0;
  std::uint64_t undefined = 0;  // the bits without a defined value
  bool pointer = false;         // all eight bytes are one pointer: object << 32 | offset

  constexpr Value() = default;
  constexpr Value(std::uint64_t b) : bits(b) {}  // NOLINT: implicit on purpose
  static constexpr Value address(std::uint32_t object, std::uint32_t offset) {
    Value v((std::uint64_t{object} << 32) | offset);
    v.pointer = true;
    return v;
  }
  constexpr std::uint32_t object() const { return static_cast<std::uint32_t>(bits >> 32); }
  constexpr std::uint32_t offset() const { return static_cast<std::uint32_t>(bits); }
  friend constexpr bool operator==(const Value&, const Value&) = default;
};

// A byte range of one object. Two locations overlap if they are in the same object and the ranges do.
struct Loc {
  std::uint32_t object = 0;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;

  friend constexpr auto operator<=>(const Loc&, const Loc&) = default;
  constexpr bool overlaps(const Loc& o) const {
    return object == o.object && offset < o.offset + o.size && o.offset < offset + size;
  }
  constexpr bool covers(const Loc& o) const {
    return object == o.object && offset <= o.offset && o.offset + o.size <= offset + size;
  }
};

}  // namespace heddle::core
