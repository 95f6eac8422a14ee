// Main memory of programs with addresses: a graph of objects, each an interned chunk, so that a state holds one number
// per object and a step touches only the objects that it writes.
//
// Object 0 is null; 1 … globals() are the program's globals, of which constant ones are no part of the state; above
// them are dynamic objects, whose numbers are made canonical by the Product. A freed object keeps its size, so that a
// later access can be told from a wild one, until nothing points to it any more.
//
// A chunk is a header and the contents; of an object larger than a page the contents are the numbers of its pages,
// which are interned by themselves, so that objects that differ in few places share most of their memory. Pages of large
// objects are larger: the numbers of all pages are stored for each value of the object. While a step
// writes to an object it is *open*: pages are copied when they are first written to, and interned once, at the end of
// the step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/heap_family.h"
#include "core/program.h"
#include "support/interner.h"

namespace heddle::explore {

struct ObjectHeader {
  std::uint32_t size = 0;
  core::AllocKind kind = core::AllocKind::Static;
  std::uint8_t freed = 0;
  std::uint8_t constant = 0;
  std::uint8_t outside = 0;  // the memory model (core::AllocKind::Outside)
};

class Objects {
 public:
  // The size of the pages of an object of this size, a power of two.
  static constexpr std::uint32_t page_size(std::uint32_t size) { return size <= 4096 ? 128 : 1024; }

  explicit Objects(const core::Program&);

  std::uint32_t globals() const { return globals_; }
  // The chunks of null and the globals at the start, by object.
  std::span<const std::uint32_t> initial() const { return initial_; }
  bool constant(std::uint32_t global) const { return constant_[global - 1]; }
  std::span<const std::uint32_t> variables() const { return variables_; }  // the globals that are not constant

  std::uint32_t make(std::uint32_t size, core::AllocKind);        // all bytes undefined
  std::uint32_t instance(std::uint32_t global, core::AllocKind);  // a new object with the initial contents of a global
  std::uint32_t freed(std::uint32_t chunk);                       // the same object, freed
  ObjectHeader header(std::uint32_t chunk) const;
  // Of the object `o` among `objects`: is it freed, or none of them? Then a store that reaches it is an error, though no
  // other thread may have a pointer to it.
  bool is_gone(std::span<const std::uint32_t> objects, std::uint32_t o) const {
    return o >= objects.size() || (o > globals_ && header(objects[o]).freed != 0);
  }
  bool is_kept(std::span<const std::uint32_t> objects, std::uint32_t o) const {
    return o < objects.size() && core::is_kept(header(objects[o]).kind);
  }
  std::uint64_t bytes() const { return chunks_.bytes() + pages_.bytes(); }

  // Requires offset + size <= header.size, size <= 8.
  core::Value read(std::uint32_t chunk, std::uint32_t offset, std::uint32_t size) const;

  // Is something left of a name of which some bytes were overwritten?
  bool has_remains(std::uint32_t chunk) const;

  // The pointers in an object, as (offset, value).
  void each_pointer(std::uint32_t chunk, auto&& callback) const {
    const ObjectHeader h = header(chunk);
    if (h.freed != 0) return;
    const std::uint32_t full = page_size(h.size);
    for (std::uint32_t from = 0; from < h.size; from += full) {
      const auto page = page_of(chunk, from / full);
      if (!has_pointers(page)) continue;
      const std::uint32_t bytes = std::min(full, h.size - from);
      for (std::uint32_t word = 0; word < bytes / 8; ++word)
        if (is_pointer(page, bytes, word)) callback(from + word * 8, read(chunk, from + word * 8, 8));
    }
  }

  // An object that is being written to. To be opened, written and read, and closed; may then be opened again.
  class Open {
   public:
    void open(Objects&, std::uint32_t chunk);
    // As above. A pointer whose lower half is overwritten has another offset; one that loses a byte of its upper half,
    // its object's name, is lost. What is left of the name keeps its value: fewer than eight bytes of it are marked as
    // those of a pointer are, and among eight they are undefined.
    void write(std::uint32_t offset, std::uint32_t size, const core::Value&);
    core::Value read(std::uint32_t offset, std::uint32_t size) const;
    // Has any pointer come, gone or changed since it was opened?
    bool pointers_changed() const { return pointers_changed_; }
    // Was something left of a dynamic object's name, which can get no other name any more?
    bool cuts_names() const { return cuts_names_; }
    std::uint32_t close();  // the chunk of what it has become

   private:
    std::span<std::byte> writable(std::uint32_t page);
    bool take_remains(std::uint32_t page);
    void set_remains(std::uint32_t bytes, std::uint32_t i);
    void put_remains(std::uint32_t page, std::uint32_t at, std::uint32_t size);
    std::uint32_t bytes_in(std::uint32_t page) const { return std::min(page_size_, header_.size - page * page_size_); }

    Objects* objects_ = nullptr;
    std::uint32_t chunk_ = 0;
    ObjectHeader header_;
    std::uint32_t page_size_ = 0;
    std::vector<std::uint32_t> copy_;             // by page: 1 + index of its copy, 0 if there is none
    std::vector<std::vector<std::byte>> copies_;  // the first `used_` are in use
    std::vector<std::uint32_t> copied_;           // pages, in the order of copies_
    std::vector<std::byte> whole_;
    std::vector<std::byte> remains_;  // of the page that is being written to; empty: there are none
    std::size_t used_ = 0;
    bool pointers_changed_ = false;
    bool cuts_names_ = false;
  };

 private:
  std::span<const std::byte> page_of(std::uint32_t chunk, std::uint32_t page) const;
  std::uint32_t put_together(const ObjectHeader&, auto&& page);
  static bool has_pointers(std::span<const std::byte> page);
  static bool is_pointer(std::span<const std::byte> page, std::uint32_t bytes, std::uint32_t word);

  std::uint32_t globals_ = 0;
  std::vector<std::uint32_t> initial_;
  std::vector<bool> constant_;
  std::vector<std::uint32_t> variables_;
  support::Interner chunks_, pages_;
};

// What is wrong with accessing `loc`, an object of this header.
core::Fault fault_of(const core::Loc&, const ObjectHeader&, bool writes);

}  // namespace heddle::explore
