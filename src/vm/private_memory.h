// Reads and writes of private objects: memory inside the local state, with a mark for each word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

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

// Both require that [offset, offset + bytes) lies within the object and bytes <= 8.
inline Fault private_load(const PrivateView& v, std::uint32_t offset, unsigned bytes, Cell& out) {
  const std::uint32_t w = offset / 8;
  const unsigned b = offset % 8;
  if (bytes == 8 && b == 0) {
    out = {v.data[w], v.marks[w]};
    return Fault::None;
  }
  if (b + bytes <= 8) {
    if (v.marks[w] & any_pointer) return Fault::PointerPart;
    out = {(v.data[w] >> (8 * b)) & mask_of(8 * bytes), static_cast<Mark>((v.marks[w] >> b) & ((1u << bytes) - 1))};
    return Fault::None;
  }
  const unsigned first = 8 - b, rest = bytes - first;
  if ((v.marks[w] | v.marks[w + 1]) & any_pointer) return Fault::PointerPart;
  out.bits = (v.data[w] >> (8 * b)) | ((v.data[w + 1] & mask_of(8 * rest)) << (8 * first));
  out.mark = static_cast<Mark>((v.marks[w] >> b) | ((v.marks[w + 1] & ((1u << rest) - 1)) << first));
  return Fault::None;
}

inline void private_store_part(const PrivateView& v, std::uint32_t w, unsigned b, unsigned bytes, Cell value) {
  // What is left of a pointer that is overwritten in part is nothing one could use.
  if (v.marks[w] & any_pointer) {
    v.data[w] = 0;
    v.marks[w] = undefined_mark;
  }
  const auto mask = mask_of(8 * bytes) << (8 * b);
  v.data[w] = (v.data[w] & ~mask) | ((value.bits << (8 * b)) & mask);
  const auto bytes_mask = static_cast<Mark>(((1u << bytes) - 1) << b);
  v.marks[w] = static_cast<Mark>((v.marks[w] & ~bytes_mask) | ((value.mark << b) & bytes_mask));
}

inline void private_store(const PrivateView& v, std::uint32_t offset, unsigned bytes, Cell value) {
  const std::uint32_t w = offset / 8;
  const unsigned b = offset % 8;
  if (bytes == 8 && b == 0) {
    v.data[w] = value.bits;
    v.marks[w] = value.mark;
    return;
  }
  if (value.mark & any_pointer) value = {0, undefined_mark};  // a pointer at an odd address
  if (b + bytes <= 8) {
    private_store_part(v, w, b, bytes, value);
    return;
  }
  const unsigned first = 8 - b, rest = bytes - first;
  private_store_part(v, w, b, first,
                     {value.bits & mask_of(8 * first), static_cast<Mark>(value.mark & ((1u << first) - 1))});
  private_store_part(v, w + 1, 0, rest, {value.bits >> (8 * first), static_cast<Mark>(value.mark >> first)});
}

}  // namespace heddle::vm
