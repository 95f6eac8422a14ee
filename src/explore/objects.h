// Main memory of programs with addresses: a graph of objects, each an interned chunk, so that a state holds one number
// an object and a step touches only the objects that it writes.
//
// Object 0 is null; 1 … globals() are the program's globals, of which constant ones are no part of the state; above
// them are dynamic objects, whose numbers are made canonical by the Product. A freed object keeps its size, so that a
// later access can be told from a wild one, until nothing points to it any more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/program.h"
#include "memory/buffer.h"
#include "support/interner.h"

namespace heddle::explore {

// An object's chunk: header, bytes, one bit a byte "undefined", one bit an aligned word "pointer".
struct ObjectHeader {
  std::uint32_t size = 0;
  core::AllocKind kind = core::AllocKind::Static;
  std::uint8_t freed = 0;
  std::uint8_t constant = 0;
  std::uint8_t outside = 0;  // the memory model (core::AllocKind::Outside)
};

class Objects {
 public:
  explicit Objects(const core::Program&);

  std::uint32_t globals() const { return globals_; }
  std::uint32_t initial(std::uint32_t global) const { return initial_[global - 1]; }  // its chunk at the start
  bool constant(std::uint32_t global) const { return constant_[global - 1]; }

  std::uint32_t make(std::uint32_t size, core::AllocKind);        // all bytes undefined
  std::uint32_t instance(std::uint32_t global, core::AllocKind);  // a new object with the initial contents of a global
  std::uint32_t freed(std::uint32_t chunk);                       // the same object, freed
  ObjectHeader header(std::uint32_t chunk) const;
  std::span<const std::byte> get(std::uint32_t chunk) const { return chunks_.get(chunk); }
  std::uint32_t intern(std::span<const std::byte> bytes) { return chunks_.intern(bytes); }
  std::uint64_t bytes() const { return chunks_.bytes(); }

  // The pointers in an object, as (word index, value).
  static void each_pointer(std::span<const std::byte> chunk, auto&& callback) {
    const ObjectHeader h = header_of(chunk);
    if (h.freed != 0) return;
    for (std::uint32_t word = 0; word < h.size / 8; ++word)
      if (is_pointer(chunk, h.size, word)) callback(word, read(chunk, word * 8, 8));
  }
  static ObjectHeader header_of(std::span<const std::byte> chunk);
  static bool is_pointer(std::span<const std::byte> chunk, std::uint32_t size, std::uint32_t word);
  // Requires offset + size <= header.size, size <= 8.
  static core::Value read(std::span<const std::byte> chunk, std::uint32_t offset, std::uint32_t size);
  static void write(std::span<std::byte> chunk, std::uint32_t offset, std::uint32_t size, const core::Value&);

 private:
  std::uint32_t globals_ = 0;
  std::vector<std::uint32_t> initial_;
  std::vector<bool> constant_;
  support::Interner chunks_;
};

// What is wrong with accessing `loc`, an object of this header.
core::Fault fault_of(const core::Loc&, const ObjectHeader&, bool writes);

}  // namespace heddle::explore
