// What a register or a word of private memory holds: 64 bits and a mark that says what they are.
//
// The mark's low byte has a bit for each byte without a defined value. A pointer is an object's name in the upper and
// a signed offset in the lower half, as in core/value.h; a private pointer names a piece of the thread's own local
// state (an alloca whose address provably stays within the thread) and never leaves it. A pending register waits for
// a load that was put off. Values narrower than 64 bits are kept zero-extended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/value.h"

namespace heddle::vm {

using Mark = std::uint16_t;

inline constexpr Mark undefined_mark = 0x00ff;
inline constexpr Mark pointer_mark = 0x0100;
inline constexpr Mark private_mark = 0x0200;
inline constexpr Mark pending_mark = 0x0400;
inline constexpr Mark any_pointer = pointer_mark | private_mark;

struct Cell {
  std::uint64_t bits = 0;
  Mark mark = 0;
};

// Private objects live in the local state: the "object" of a pointer to one is the word of its header.
inline constexpr std::uint32_t private_object = 0x80000000;

// Functions and blocks have addresses that are plain numbers: they need no renaming, and no object is there.
inline constexpr std::uint64_t function_address = 0x00007f0000000000;
inline constexpr std::uint64_t block_address = 0x00007e0000000000;

constexpr std::uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
constexpr unsigned bytes_of(unsigned width) { return (width + 7) / 8; }
constexpr Mark undefined_of(unsigned width) { return static_cast<Mark>((1u << bytes_of(width)) - 1); }
constexpr std::int64_t sign_extended(std::uint64_t bits, unsigned width) {
  const unsigned shift = 64 - width;
  return static_cast<std::int64_t>(bits << shift) >> shift;
}
constexpr std::uint32_t upper(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); }
constexpr std::uint32_t lower(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }

constexpr core::Value to_value(std::uint64_t bits, Mark mark) {
  core::Value v(bits);
  v.undefined = static_cast<std::uint8_t>(mark & undefined_mark);
  v.pointer = (mark & pointer_mark) != 0;
  return v;
}
constexpr Mark mark_of(const core::Value& v) {
  return static_cast<Mark>(v.undefined | (v.pointer && v.undefined == 0 ? pointer_mark : 0));
}

}  // namespace heddle::vm
