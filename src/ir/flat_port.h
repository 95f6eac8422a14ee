// The Port of sequential consistency: the flat array is the state, shared cells included. Its log of changes undoes
// steps and tells which fields to pack again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/program.h"

namespace heddle::ir {

struct Change {
  std::uint32_t index;
  std::int32_t old;
};

class FlatPort {
 public:
  static constexpr bool direct = true;
  using Mark = std::size_t;

  explicit FlatPort(const Program& program) : words_(program.image), log_(256) {}

  std::int32_t* words() { return words_.data(); }
  const std::int32_t* words() const { return words_.data(); }
  std::int32_t load(std::uint32_t cell) const { return words_[cell]; }
  bool store(std::uint32_t cell, std::int32_t value, bool) {
    set(cell, value);
    return true;
  }
  [[gnu::always_inline]] inline void set(std::uint32_t index, std::int32_t value) {
    if (used_ == log_.size()) [[unlikely]]
      log_.resize(2 * used_);
    log_[used_++] = {index, words_[index]};
    words_[index] = value;
  }

  void act(std::uint32_t) {}
  bool ready(const Edge&) { return true; }
  bool drained() const { return true; }
  bool admit(const Edge&) { return true; }
  Mark mark() const { return used_; }
  void undo(Mark mark) {
    while (used_ > mark) {
      --used_;
      words_[log_[used_].index] = log_[used_].old;
    }
  }
  // Forgets how to undo: the present state is the new starting point.
  void commit() { used_ = 0; }
  // What was written since the mark, oldest first; an index may occur several times.
  std::span<const Change> changes(Mark since) const { return {log_.data() + since, used_ - since}; }

 private:
  std::vector<std::int32_t> words_;
  std::vector<Change> log_;
  std::size_t used_ = 0;
};

}  // namespace heddle::ir
