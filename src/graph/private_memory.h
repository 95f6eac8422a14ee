// The contents of a thread's private objects (graph/private_objects.h), as bytes that are a part of its local state.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/program.h"

namespace heddle::graph {

class PrivateMemory {
 public:
  static constexpr std::uint32_t largest_object = 256;  // 32 words: a bit each
  static constexpr std::size_t most_bytes = 4096;       // of all objects of a thread, which every local state has

  struct Object {
    std::uint32_t number = 0, size = 0;
    std::uint32_t published = 0;  // words that are not private, a bit each
    core::Site site = core::no_site;
    std::uint32_t kind = 0;  // core::AllocKind
    std::uint32_t unused = 0;
  };

  void assign(std::span<const std::byte> bytes) { bytes_.assign(bytes.begin(), bytes.end()); }
  std::span<const std::byte> bytes() const { return bytes_; }  // a multiple of eight
  bool empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }
  bool has_room(std::uint32_t size) const { return bytes_.size() + length(size) <= most_bytes; }

  // A new object with the initial contents of a global; null: undefined.
  void add(const Object&, const core::GlobalObject* contents);
  void remove(std::uint32_t number);
  // Where the object is; 0: there is none.
  std::size_t find(std::uint32_t number) const;
  Object at(std::size_t place) const;

  // Requires that the bytes lie within the object, and size <= 8. What is written and read is as in explore/objects.h.
  core::Value read(std::size_t place, std::uint32_t offset, std::uint32_t size) const;
  void write(std::size_t place, std::uint32_t offset, std::uint32_t size, const core::Value&);

  void each_object(auto&& callback) const {
    for (std::size_t at = 0; at < bytes_.size(); at += length(object(at).size)) callback(object(at), at + 1);
  }
  void each_pointer(std::size_t place, auto&& callback) const {
    const std::uint32_t size = at(place).size;
    for (std::uint32_t word = 0; word < size / 8; ++word)
      if (bytes_[pointers_of(place - 1, size) + word] != std::byte{0}) callback(read(place, word * 8, 8));
  }

 private:
  // Of an object: its bytes, the undefined bits of each, a byte per word "holds a pointer".
  static std::size_t length(std::uint32_t size) {
    return (sizeof(Object) + 2 * std::size_t{size} + size / 8 + 7) / 8 * 8;
  }
  static std::size_t contents_of(std::size_t at) { return at + sizeof(Object); }
  static std::size_t undefined_of(std::size_t at, std::uint32_t size) { return contents_of(at) + size; }
  static std::size_t pointers_of(std::size_t at, std::uint32_t size) { return contents_of(at) + 2 * std::size_t{size}; }
  Object object(std::size_t at) const;

  std::vector<std::byte> bytes_;
};

}  // namespace heddle::graph
