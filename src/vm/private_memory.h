// Reads and writes of private objects: memory inside the local state, with a mark for each word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "vm/layout.h"

namespace heddle::vm {

struct PrivateView {
  std::uint64_t* data = nullptr;
  Mark* marks = nullptr;
  std::uint32_t size = 0;
  std::uint32_t word = 0;  // of data[0] in the local state
};

inline PrivateView private_view(std::byte* local, std::size_t local_words, std::uint64_t pointer) {
  const std::uint32_t at = upper(pointer) & ~private_object;
  if (at + 1 >= local_words) return {};
  auto* w = words(local) + at;
  const auto size = static_cast<std::uint32_t>(*w);
  const std::uint32_t count = (size + 7) / 8;
  if (at + private_words(size) > local_words) return {};
  return {w + 1, marks_at(w + 1 + count), size, at + 1};
}

// Words as bits and undefined bits.
struct LooseWord {
  std::uint64_t bits = 0, undefined = 0;
  bool pointer = false;  // the upper half is an object's name
};
inline LooseWord loose_word(const PrivateView& v, std::uint32_t w) {
  const Cell c{v.data[w], v.marks[w]};
  if (c.mark & any_pointer) return {flat(c), 0, true};
  return {defined_bits(c), undefined_bits(c, 64), false};
}

// All require that the bytes of the access lie within the object. True: a pointer became a number by it.
inline bool private_load(const PrivateView& v, std::uint32_t offset, unsigned width, Cell& out) {
  const std::uint32_t w = offset / 8;
  const unsigned b = offset % 8, bytes = bytes_of(width);
  if (width == 64 && b == 0) {
    out = {v.data[w], v.marks[w]};
    return false;
  }
  if (b + bytes <= 8 && v.marks[w] == 0) {
    out = {(v.data[w] >> (8 * b)) & mask_of(width), 0};
    return false;
  }
  const LooseWord first = loose_word(v, w);
  std::uint64_t bits = first.bits >> (8 * b), undefined = first.undefined >> (8 * b);
  bool named = first.pointer && b + bytes > 4, pointer = first.pointer;
  if (b + bytes > 8) {
    const LooseWord second = loose_word(v, w + 1);
    bits |= second.bits << (64 - 8 * b);
    undefined |= second.undefined << (64 - 8 * b);
    named |= second.pointer && b + bytes > 12;
    pointer |= second.pointer;
  }
  if (named && bytes == 8) undefined = ~std::uint64_t{0};  // across pointers: no value at all
  out = make_cell(bits, undefined, width);
  if (named && out.mark == 0) out.mark = fragment_mark;
  return pointer;
}

// `bytes` bytes from byte b of a word on become those of (bits, undefined). A pointer whose lower half is overwritten has
// another offset; one that loses a byte of its upper half is a number from then on, of which the others are left.
inline bool private_store_part(const PrivateView& v, std::uint32_t w, unsigned b, unsigned bytes, std::uint64_t bits,
                               std::uint64_t undefined) {
  const LooseWord old = loose_word(v, w);
  const auto mask = mask_of(8 * bytes) << (8 * b);
  const bool lost = old.pointer && (b + bytes > 4 || undefined != 0);
  const auto now = (old.bits & ~mask) | ((bits << (8 * b)) & mask);
  Cell c = make_cell(now, (old.undefined & ~mask) | ((undefined << (8 * b)) & mask), 64);
  if (old.pointer && !lost)
    c = {(v.data[w] & 0xffffffff00000000) | lower(now), static_cast<Mark>(v.marks[w] & ~far_mark)};
  v.data[w] = c.bits;
  v.marks[w] = c.mark;
  return lost && (~mask >> 32) != 0;
}

inline bool private_store(const PrivateView& v, std::uint32_t offset, unsigned width, const Cell& value) {
  const std::uint32_t w = offset / 8;
  const unsigned b = offset % 8, bytes = bytes_of(width);
  if (width == 64 && b == 0) {
    v.data[w] = value.bits;
    v.marks[w] = value.mark;
    return false;
  }
  if (b + bytes <= 8 && (value.mark | v.marks[w]) == 0) {
    const auto mask = mask_of(8 * bytes) << (8 * b);
    v.data[w] = (v.data[w] & ~mask) | (value.bits << (8 * b));
    return false;
  }
  bool cut = (value.mark & any_pointer) != 0;  // a pointer at an odd address
  const std::uint64_t bits = cut ? flat(value) : defined_bits(value), undefined = undefined_bits(value, width);
  const unsigned first = std::min(bytes, 8 - b);
  cut |= private_store_part(v, w, b, first, bits, undefined);
  if (first < bytes)
    cut |= private_store_part(v, w + 1, 0, bytes - first, bits >> (8 * first), undefined >> (8 * first));
  return cut;
}

}  // namespace heddle::vm
