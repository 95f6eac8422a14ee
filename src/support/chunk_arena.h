// Memory in chunks that are never given back before the arena ends: what grows, grows by one more chunk, so that there
// are neither holes nor the peaks of copying to a larger place. Thread-safe. All memory starts zeroed, on a cache line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/spin_lock.h"

namespace heddle::support {

// Zeroed pages from the system that take no room until they are touched. Large blocks may use huge pages.
std::byte* map_pages(std::size_t bytes, bool huge);
void unmap_pages(std::byte*, std::size_t bytes);

class ChunkArena {
 public:
  static constexpr std::size_t usual_chunk = 512;

  // The size of its chunks, a power of two of at least 128.
  explicit ChunkArena(std::size_t chunk_bytes = usual_chunk) : chunk_bytes_(chunk_bytes) {}
  ~ChunkArena();
  ChunkArena(const ChunkArena&) = delete;
  ChunkArena& operator=(const ChunkArena&) = delete;

  std::size_t chunk_bytes() const { return chunk_bytes_; }
  std::byte* chunk() { return allocate(chunk_bytes_); }
  std::byte* allocate(std::size_t bytes);
  std::uint64_t bytes() const { return used_.load(std::memory_order_relaxed); }  // given out so far

 private:
  struct Region {
    std::byte* base;
    std::size_t bytes;
  };
  const std::size_t chunk_bytes_;
  SpinLock lock_;
  std::vector<Region> regions_;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::atomic<std::uint64_t> used_{0};
};

// A growing array of chunks. Readers that come without the owner's lock may look at chunks that were published to them:
// old directories are left where they are.
class ChunkList {
 public:
  std::byte* operator[](std::size_t i) const { return directory_.load(std::memory_order_acquire)[i]; }
  // Appends a chunk to a list of `count` chunks.
  void append(std::size_t count, ChunkArena&);
  // Forgets all chunks. Nobody may look at them meanwhile.
  void clear() { directory_.store(nullptr, std::memory_order_relaxed); }

 private:
  static constexpr std::size_t first_capacity = 8;  // capacities are powers of two from here: no need to store them
  std::atomic<std::byte**> directory_{nullptr};
};

}  // namespace heddle::support
