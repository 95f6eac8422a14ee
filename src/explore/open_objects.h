// The objects that the step in work writes to.
//
// Most steps write to an object once, and the same values come to the same contents again and again: what a single write
// makes of a chunk is remembered, so that it costs one look-up instead of a copy and its interning. Hot.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "explore/objects.h"
#include "support/hash.h"

namespace heddle::explore {

class OpenObjects {
 public:
  explicit OpenObjects(Objects& objects) : objects_(objects) {}

  bool is_open(std::uint32_t object) const { return object < places_.size() && places_[object] != 0; }
  // What an open object holds now. Requires is_open(object) and what Objects::read requires.
  core::Value read(std::uint32_t object, std::uint32_t offset, std::uint32_t size) const {
    const Entry& e = entries_[places_[object] - 1];
    return e.copied ? e.copy.read(offset, size) : objects_.read(e.chunk, offset, size);
  }
  // Writes to an object, which was `chunk` before the step. Requires what Objects::Open::write requires.
  void write(std::uint32_t object, std::uint32_t chunk, const core::Loc& loc, const core::Value& value) {
    Entry& e = is_open(object) ? entries_[places_[object] - 1] : add(object, chunk);
    if (e.copied) {
      e.single = false;
    } else {
      e.write = {e.chunk, 0,          loc.offset,     static_cast<std::uint8_t>(loc.size), value.pointer, false,
                 false,   value.bits, value.undefined};
      if (const Write& known = memo_[place(e.write)]; known.same(e.write)) {
        e.chunk = known.to;
        e.pointers_changed |= known.pointers_changed;
        cuts_names_ |= known.cuts_names;
        return;
      }
      e.copy.open(objects_, e.chunk);
      e.copied = e.single = true;
    }
    e.copy.write(loc.offset, loc.size, value);
    cuts_names_ |= e.copy.cuts_names();
  }
  // Has some write since forget() left a part of a dynamic object's name?
  bool cuts_names() const { return cuts_names_; }

  // Calls back with each open object of which some pointer has come, gone or changed.
  bool any_with_changed_pointers(auto&& callback) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (entries_[i].with_changed_pointers() && callback(entries_[i].object)) return true;
    return false;
  }
  // chunks[o] becomes what the open object o has become.
  void close(std::vector<std::uint32_t>& chunks) {
    for (std::size_t i = 0; i < count_; ++i) chunks[entries_[i].object] = close(entries_[i]);
    forget();
  }
  // What was written is of no use: it belongs to a step that came to nothing.
  void forget() {
    for (std::size_t i = 0; i < count_; ++i) places_[entries_[i].object] = 0;
    count_ = 0;
    cuts_names_ = false;
  }

 private:
  // What a write made of the chunk `from`.
  struct Write {
    std::uint32_t from = 0xffffffff, to = 0;
    std::uint32_t offset = 0;
    std::uint8_t size = 0;
    bool pointer = false;
    bool pointers_changed = false;
    bool cuts_names = false;
    std::uint64_t bits = 0, undefined = 0;

    bool same(const Write& w) const {
      return from == w.from && offset == w.offset && size == w.size && pointer == w.pointer && bits == w.bits &&
             undefined == w.undefined;
    }
  };
  struct Entry {
    std::uint32_t object = 0;
    std::uint32_t chunk = 0;  // what it is; if it was copied, what the copy was made of
    bool pointers_changed = false;
    bool copied = false;
    bool single = false;  // `write` is the only one to the copy
    Write write;
    Objects::Open copy;

    bool with_changed_pointers() const { return pointers_changed || (copied && copy.pointers_changed()); }
  };
  static constexpr unsigned memo_bits = 12;

  static std::size_t place(const Write& w) {
    return support::mix((std::uint64_t{w.from} << 32 | w.offset) ^ w.bits * 0x9e3779b97f4a7c15u) >> (64 - memo_bits);
  }
  Entry& add(std::uint32_t object, std::uint32_t chunk) {
    if (entries_.size() == count_) entries_.emplace_back();
    Entry& e = entries_[count_++];
    e.object = object;
    e.chunk = chunk;
    e.pointers_changed = e.copied = false;
    if (places_.size() <= object) places_.resize(object + 1);
    places_[object] = static_cast<std::uint32_t>(count_);
    return e;
  }
  std::uint32_t close(Entry& e) {
    if (!e.copied) return e.chunk;
    const std::uint32_t to = e.copy.close();
    if (e.single) {
      e.write.to = to;
      e.write.pointers_changed = e.copy.pointers_changed();
      e.write.cuts_names = e.copy.cuts_names();
      memo_[place(e.write)] = e.write;
    }
    return to;
  }

  Objects& objects_;
  std::deque<Entry> entries_;  // the first `count_` are open; a deque, since an entry is large
  std::size_t count_ = 0;
  bool cuts_names_ = false;
  std::vector<std::uint32_t> places_;  // by object: 1 + its place in `entries_`, 0 if it is not open
  std::vector<Write> memo_ = std::vector<Write>(std::size_t{1} << memo_bits);  // a newer one takes the place
};

}  // namespace heddle::explore
