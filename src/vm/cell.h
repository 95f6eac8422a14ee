// What a register or a word of private memory holds: 64 bits and a mark that says what they are.
//
// The mark's low byte has a bit for each byte that has an undefined bit. Where such bytes are undefined as a whole that
// is all; a *partial* cell (a bit-field whose neighbours were never set) has the numbers of two rare words in `bits`,
// the undefined bits in the upper half and the defined value in the lower. Whatever looks at undefined cells therefore
// goes through undefined_bits() and defined_bits(), and makes them by make_cell().
//
// A pointer is an object's name in the upper and a signed offset in the lower half, as in core/value.h; the offset of a
// *far* pointer does not fit there, and the lower half is the number of a rare word. A private pointer names a piece of
// the thread's own local state (an alloca whose address provably stays within the thread) and never leaves it. A
// pending register waits for a load that was put off. Values narrower than 64 bits are kept zero-extended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/value.h"
#include "vm/rare_words.h"

namespace heddle::vm {

using Mark = std::uint16_t;

inline constexpr Mark undefined_mark = 0x00ff;
inline constexpr Mark pointer_mark = 0x0100;
inline constexpr Mark private_mark = 0x0200;
inline constexpr Mark pending_mark = 0x0400;
inline constexpr Mark partial_mark = 0x0800;
inline constexpr Mark far_mark = 0x1000;
// Why a cell is undefined, if not because memory was: an out-of-range conversion, or an operation that has no result.
inline constexpr Mark conversion_mark = 0x2000;
inline constexpr Mark operation_mark = 0x4000;
// Some bytes of a pointer: when they are copied together again it is that pointer. As operands of integer operations they
// are numbers. Objects keep their names from the load of a fragment on.
inline constexpr Mark fragment_mark = 0x8000;
inline constexpr Mark unusable_mark = undefined_mark | fragment_mark;
inline constexpr Mark cause_mark = conversion_mark | operation_mark;
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

// Beyond this, copying what is written to would never end; offsets have 31 bits.
inline constexpr std::uint64_t largest_object = 64 << 20;

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

// The bits of a cell of this width that are undefined, and the others.
inline std::uint64_t undefined_bits(const Cell& c, unsigned width) {
  if (!(c.mark & undefined_mark)) return 0;
  if (c.mark & partial_mark) return rare_word(upper(c.bits)) & mask_of(width);
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (c.mark & (1u << i)) bits |= std::uint64_t{0xff} << (8 * i);
  return bits & mask_of(width);
}
inline std::uint64_t defined_bits(const Cell& c) { return c.mark & partial_mark ? rare_word(lower(c.bits)) : c.bits; }

// The cell of this width in which these bits are undefined; `cause` says why.
inline Cell make_cell(std::uint64_t bits, std::uint64_t undefined, unsigned width, Mark cause = 0) {
  undefined &= mask_of(width);
  bits &= mask_of(width) & ~undefined;
  if (undefined == 0) return {bits, 0};
  Mark mark = cause;
  bool partial = false;
  for (unsigned i = 0; i < bytes_of(width); ++i) {
    const auto here = (undefined >> (8 * i)) & 0xff;
    if (here == 0) continue;
    mark = static_cast<Mark>(mark | 1u << i);
    partial |= here != ((mask_of(width) >> (8 * i)) & 0xff);
  }
  if (!partial) return {bits, mark};
  return {std::uint64_t{rare_number(undefined)} << 32 | rare_number(bits), static_cast<Mark>(mark | partial_mark)};
}

// The offset of a pointer, which may lie far outside of its object.
inline std::int64_t offset_of(const Cell& pointer) {
  return pointer.mark & far_mark ? static_cast<std::int64_t>(rare_word(lower(pointer.bits)))
                                 : static_cast<std::int32_t>(lower(pointer.bits));
}
inline Cell with_offset(const Cell& pointer, std::int64_t offset) {
  const auto object = pointer.bits & 0xffffffff00000000;
  if (offset == static_cast<std::int32_t>(offset))
    return {object | static_cast<std::uint32_t>(offset), static_cast<Mark>(pointer.mark & ~far_mark)};
  return {object | rare_number(static_cast<std::uint64_t>(offset)), static_cast<Mark>(pointer.mark | far_mark)};
}
// A pointer as the number that it is.
inline std::uint64_t flat(const Cell& c) {
  return c.mark & any_pointer ? (c.bits & 0xffffffff00000000) + static_cast<std::uint64_t>(offset_of(c)) : c.bits;
}

// Bytes of a pointer as the number that they are.
inline Cell as_number(const Cell& c) { return {c.bits, static_cast<Mark>(c.mark & ~fragment_mark)}; }

// Requires a cell that is neither pending nor far.
inline core::Value to_value(const Cell& c, unsigned width = 64) {
  core::Value v(defined_bits(c));
  v.undefined = undefined_bits(c, width);
  v.pointer = (c.mark & pointer_mark) != 0;
  return v;
}
// A value of this width from memory.
inline Cell to_cell(const core::Value& v, unsigned width = 64) {
  Cell c = make_cell(v.bits, v.undefined, width);
  if (v.pointer && c.mark == 0) c.mark = width == 64 ? pointer_mark : fragment_mark;
  return c;
}

}  // namespace heddle::vm
