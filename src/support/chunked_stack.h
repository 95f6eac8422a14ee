// A stack that grows and shrinks by chunks: it takes no more room than its elements at their most, where a vector takes
// up to three times as much while it copies itself to a larger place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace heddle::support {

template <class T>
class ChunkedStack {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::size_t per_chunk = (std::size_t{1} << 14) / sizeof(T);

 public:
  bool empty() const { return chunks_.empty(); }
  std::uint64_t size() const { return chunks_.empty() ? 0 : (chunks_.size() - 1) * per_chunk + used_; }
  std::uint64_t bytes() const { return (chunks_.size() + (spare_ == nullptr ? 0 : 1)) * per_chunk * sizeof(T); }

  // The element on top. Requires that there is one.
  const T& top() const { return chunks_.back()[used_ - 1]; }

  // The i-th element from the bottom.
  T& operator[](std::uint64_t i) { return chunks_[i / per_chunk][i % per_chunk]; }

  void push(const T& value) {
    if (used_ == per_chunk || chunks_.empty()) {
      chunks_.push_back(spare_ == nullptr ? std::make_unique_for_overwrite<T[]>(per_chunk) : std::move(spare_));
      used_ = 0;
    }
    chunks_.back()[used_++] = value;
  }

  T pop() {
    const T value = top();
    if (--used_ == 0) {
      spare_ = std::move(chunks_.back());  // a stack that goes up and down here does not allocate each time
      chunks_.pop_back();
      used_ = per_chunk;
    }
    return value;
  }

  // Keeps the lowest ones. Requires that there are so many.
  void cut(std::uint64_t size) {
    chunks_.resize((size + per_chunk - 1) / per_chunk);
    used_ = size == 0 ? per_chunk : (size - 1) % per_chunk + 1;
  }

 private:
  std::vector<std::unique_ptr<T[]>> chunks_;  // all but the last are full; the last is not empty
  std::unique_ptr<T[]> spare_;
  std::size_t used_ = 0;  // of the last chunk
};

}  // namespace heddle::support
