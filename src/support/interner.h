// Gives byte strings ("chunks": local states, buffers, memories) numbers 0, 1, 2, … in order of arrival, equal chunks
// equal numbers, so that a state can hold a whole chunk in one slot.
//
// intern and get may be called from several threads at once. get takes no lock, nor does intern of a known chunk; bytes
// stay where they are as long as the interner lives, and begin on a multiple of eight. Nothing is ever removed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "support/bucket_index.h"
#include "support/chunk_arena.h"
#include "support/segmented.h"
#include "support/spin_lock.h"

namespace heddle::support {

class Interner {
 public:
  Interner() = default;
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;

  std::uint32_t intern(std::span<const std::byte>);
  // Requires a number that intern returned, to this thread or to one that has passed it on.
  std::span<const std::byte> get(std::uint32_t number) const {
    const Header* chunk = std::atomic_ref(chunks_[number]).load(std::memory_order_relaxed);
    return {reinterpret_cast<const std::byte*>(chunk + 1), chunk->size};
  }

  std::uint32_t size() const { return count_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const;

 private:
  struct Header {  // the bytes follow
    std::uint32_t size;
    std::uint32_t hash;  // kept, so that the index can grow without reading long chunks again
  };
  struct alignas(64) Partition {
    SpinLock lock;
    BucketIndex index;
    std::byte* next = nullptr;  // room for chunks
    std::byte* end = nullptr;
    std::size_t room = 0;  // bytes of the last such place: small at first
  };
  static constexpr unsigned partitions = 16;
  Header* store(Partition&, std::span<const std::byte>, std::uint32_t hash);

  std::atomic<std::uint32_t> count_{0};
  ChunkArena arena_;
  Segmented<Header*> chunks_;
  std::array<Partition, partitions> partitions_;
};

}  // namespace heddle::support
