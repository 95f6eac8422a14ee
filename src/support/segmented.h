// An array that grows without moving: segment k has first << k places. Places keep their address, and whoever was told
// an index may read its place without a lock. Segments take no room before they are touched.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <type_traits>

#include "support/chunk_arena.h"

namespace heddle::support {

template <class T>
class Segmented {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 4096);
  static constexpr std::uint64_t first = std::bit_floor(4096 / sizeof(T));  // about a page
  static constexpr unsigned first_bits = std::bit_width(first) - 1;
  static constexpr std::size_t huge_from = std::size_t{4} << 20;

 public:
  Segmented() = default;
  ~Segmented() {
    for (unsigned k = 0; k < segments_.size(); ++k) {
      if (T* segment = segments_[k].load())
        unmap_pages(reinterpret_cast<std::byte*>(segment), (first << k) * sizeof(T));
    }
  }
  Segmented(const Segmented&) = delete;
  Segmented& operator=(const Segmented&) = delete;

  // Requires that reserve(i) has returned before, in this thread or one that told this one of i.
  T& operator[](std::uint32_t i) const {
    const std::uint64_t place = i + first;
    const auto k = static_cast<unsigned>(std::bit_width(place)) - 1 - first_bits;
    return segments_[k].load(std::memory_order_relaxed)[place - (first << k)];
  }

  // The same for any i whatever: null if there is no such place yet.
  T* find(std::uint32_t i) const {
    const std::uint64_t place = i + first;
    const auto k = static_cast<unsigned>(std::bit_width(place)) - 1 - first_bits;
    T* const segment = segments_[k].load(std::memory_order_acquire);
    return segment == nullptr ? nullptr : segment + (place - (first << k));
  }

  // Makes place i exist.
  void reserve(std::uint32_t i) {
    const auto k = static_cast<unsigned>(std::bit_width(i + first)) - 1 - first_bits;
    if (segments_[k].load(std::memory_order_acquire) != nullptr) return;
    const std::lock_guard guard(growing_);
    if (segments_[k].load(std::memory_order_relaxed) != nullptr) return;
    const std::size_t bytes = (first << k) * sizeof(T);
    segments_[k].store(reinterpret_cast<T*>(map_pages(bytes, bytes >= huge_from)), std::memory_order_release);
  }

 private:
  std::array<std::atomic<T*>, 33 - first_bits> segments_{};
  std::mutex growing_;
};

}  // namespace heddle::support
