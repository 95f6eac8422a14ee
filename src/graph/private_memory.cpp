// SPDX-License-Identifier: Apache-2.0
#include "graph/private_memory.h"

#include <cstring>

#include "core/rmw.h"

namespace heddle::graph {

PrivateMemory::Object PrivateMemory::object(std::size_t at) const {
  Object o;
  std::memcpy(&o, bytes_.data() + at, sizeof o);
  return o;
}

PrivateMemory::Object PrivateMemory::at(std::size_t place) const { return object(place - 1); }

void PrivateMemory::add(const Object& o, const core::GlobalObject* contents) {
  const std::size_t at = bytes_.size();
  bytes_.resize(at + length(o.size));
  std::memcpy(bytes_.data() + at, &o, sizeof o);
  std::byte* undefined = bytes_.data() + undefined_of(at, o.size);
  if (contents == nullptr) {
    std::memset(undefined, 0xff, o.size);
    return;
  }
  if (!contents->bytes.empty()) std::memcpy(bytes_.data() + contents_of(at), contents->bytes.data(), o.size);
  for (std::uint32_t i = 0; i < o.size && !contents->defined.empty(); ++i)
    if (!contents->defined[i]) undefined[i] = std::byte{0xff};
  for (const std::uint32_t pointer : contents->pointers) bytes_[pointers_of(at, o.size) + pointer / 8] = std::byte{1};
}

void PrivateMemory::remove(std::uint32_t number) {
  const std::size_t place = find(number);
  if (place == 0) return;
  const auto from = bytes_.begin() + static_cast<std::ptrdiff_t>(place - 1);
  bytes_.erase(from, from + static_cast<std::ptrdiff_t>(length(at(place).size)));
}

std::size_t PrivateMemory::find(std::uint32_t number) const {
  for (std::size_t at = 0; at < bytes_.size();) {
    const Object o = object(at);
    if (o.number == number) return at + 1;
    at += length(o.size);
  }
  return 0;
}

core::Value PrivateMemory::read(std::size_t place, std::uint32_t offset, std::uint32_t size) const {
  const std::size_t at = place - 1;
  const std::uint32_t whole = object(at).size;
  core::Value v;
  std::memcpy(&v.bits, bytes_.data() + contents_of(at) + offset, size);
  std::memcpy(&v.undefined, bytes_.data() + undefined_of(at, whole) + offset, size);
  // The upper half of a pointer is its object's name: who has a byte of it has no number.
  bool named = false;
  for (std::uint32_t word = offset / 8; word <= (offset + size - 1) / 8 && word < whole / 8; ++word)
    named |= bytes_[pointers_of(at, whole) + word] != std::byte{0} && offset + size > word * 8 + 4;
  v.pointer = named && (size < 8 || offset % 8 == 0);
  if (named && !v.pointer) v.undefined = core::size_mask(8);
  if (v.pointer) core::settle_pointer(v, size);
  v.bits &= ~v.undefined;
  return v;
}

void PrivateMemory::write(std::size_t place, std::uint32_t offset, std::uint32_t size, const core::Value& value) {
  const std::size_t at = place - 1;
  const std::uint32_t whole = object(at).size;
  const bool pointer = value.pointer && size == 8 && offset % 8 == 0;
  const std::uint64_t bits = value.bits & ~value.undefined;
  std::byte* contents = bytes_.data() + contents_of(at);
  std::byte* undefined = bytes_.data() + undefined_of(at, whole);
  std::memcpy(contents + offset, &bits, size);
  std::memcpy(undefined + offset, &value.undefined, size);
  for (std::uint32_t word = offset / 8; word <= (offset + size - 1) / 8 && word < whole / 8; ++word) {
    std::byte& mark = bytes_[pointers_of(at, whole) + word];
    const bool lost = mark != std::byte{0} && offset + size > word * 8 + 4;
    if (!pointer && !lost) continue;
    mark = pointer ? std::byte{1} : std::byte{0};
    // What is left of a name means nothing.
    for (std::uint32_t k = word * 8 + 4; k < word * 8 + 8 && !pointer; ++k) {
      if (k >= offset && k < offset + size) continue;
      contents[k] = std::byte{0};
      undefined[k] = std::byte{0xff};
    }
  }
}

}  // namespace heddle::graph
