// A set of a thread's loads, by number (core/program.h: Deps), as bits. The first 64 need no memory of their own: the
// sets of all registers are copied with every step that a graph takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/program.h"

namespace heddle::core {

class LoadBits {
 public:
  void clear() {
    first_ = 0;
    more_.clear();
  }
  bool empty() const { return first_ == 0 && more_.empty(); }
  void set(std::uint32_t load) {
    if (load < 64) {
      first_ |= std::uint64_t{1} << load;
      return;
    }
    const std::size_t word = load / 64 - 1;
    if (more_.size() <= word) more_.resize(word + 1);
    more_[word] |= std::uint64_t{1} << (load % 64);
  }
  void join(const LoadBits& other) {
    first_ |= other.first_;
    if (other.more_.empty()) return;
    if (more_.size() < other.more_.size()) more_.resize(other.more_.size());
    for (std::size_t i = 0; i < other.more_.size(); ++i) more_[i] |= other.more_[i];
  }
  bool contains(const LoadBits& other) const {
    if ((other.first_ & ~first_) != 0) return false;
    for (std::size_t i = 0; i < other.more_.size(); ++i)
      if ((other.more_[i] & ~(i < more_.size() ? more_[i] : 0)) != 0) return false;
    return true;
  }
  friend bool operator==(const LoadBits&, const LoadBits&) = default;
  void hash_into(std::uint64_t& h) const {
    const auto mix = [&](std::uint64_t bits) {
      h = (h ^ bits) * 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    };
    mix(first_);
    for (const std::uint64_t bits : more_) mix(bits);
  }
  LoadSet list() const { return listed(~std::uint64_t{0}, 1); }

  // Members in pairs, 2k and 2k + 1 (vm/shadow.h): 2k + 1 for either of them, those that are odd, the k of every 2k, and
  // the k of every 2k + 1.
  LoadBits as_odd() const {
    return mapped([](std::uint64_t bits) { return (bits << 1 | bits) & odd_bits; });
  }
  LoadBits odd() const {
    return mapped([](std::uint64_t bits) { return bits & odd_bits; });
  }
  LoadSet even_halves() const { return listed(~odd_bits, 2); }
  LoadSet odd_halves() const { return listed(odd_bits, 2); }

 private:
  static constexpr std::uint64_t odd_bits = 0xaaaaaaaaaaaaaaaa;
  // Those whose bits are in the mask, divided. Sets of a few loads are asked for where loops are watched: one allocation.
  LoadSet listed(std::uint64_t mask, std::uint32_t divisor) const {
    LoadSet out;
    auto count = static_cast<std::size_t>(std::popcount(first_ & mask));
    for (const std::uint64_t bits : more_) count += static_cast<std::size_t>(std::popcount(bits & mask));
    out.reserve(count);
    const auto add = [&](std::uint64_t bits, std::uint32_t base) {
      for (bits &= mask; bits != 0; bits &= bits - 1)
        out.push_back((base + static_cast<std::uint32_t>(std::countr_zero(bits))) / divisor);
    };
    add(first_, 0);
    for (std::size_t i = 0; i < more_.size(); ++i) add(more_[i], static_cast<std::uint32_t>(64 * (i + 1)));
    return out;
  }
  template <class F>
  LoadBits mapped(F&& f) const {
    LoadBits out;
    out.first_ = f(first_);
    for (const std::uint64_t bits : more_) out.more_.push_back(f(bits));
    while (!out.more_.empty() && out.more_.back() == 0) out.more_.pop_back();  // equal sets are equal vectors
    return out;
  }

  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;
};

}  // namespace heddle::core
