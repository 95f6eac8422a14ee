// Inner nodes of compressed vectors: a set of pairs of 32-bit numbers, numbered 0, 1, 2, … in order of arrival.
//
// Pairs are read by number without a lock, and so is the index when it is asked for a pair that is there, as nearly all
// are: whatever number it names, the pair under that number tells whether it is the right one. Only a pair that was not
// found so locks one of 64 partitions of the index (if one thread alone uses the table there are 8, without locks).
// Each cursor keeps a small cache of its own in front (state_store.cpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "support/bucket_index.h"
#include "support/chunk_arena.h"
#include "support/hash.h"
#include "support/segmented.h"
#include "support/spin_lock.h"

namespace heddle::support {

class NodeTable {
 public:
  NodeTable(ChunkArena& arena, bool shared)
      : arena_(arena),
        shared_(shared),
        partition_count_(shared ? most_partitions : fewest_partitions),
        partitions_(std::make_unique<Partition[]>(partition_count_)) {}

  // h must be the same function of (left, right) at all calls.
  std::uint32_t find_or_add(std::uint64_t pair, std::uint64_t h);

  static constexpr std::uint64_t pair(std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{right} << 32 | left;
  }
  static constexpr std::uint64_t hash(std::uint64_t pair) { return mix(pair); }
  std::uint64_t operator[](std::uint32_t number) const {
    return std::atomic_ref(pairs_[number]).load(std::memory_order_relaxed);
  }

  std::uint32_t size() const { return count_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const {  // without the arena's
    return size() * sizeof(std::uint64_t) + sizeof *this + partition_count_ * sizeof(Partition);
  }

 private:
  struct alignas(64) Partition {
    SpinLock lock;
    BucketIndex index;
  };
  static constexpr unsigned most_partitions = 64;   // if several threads use it, so that they seldom meet
  static constexpr unsigned fewest_partitions = 8;  // else, so that small tables stay small

  ChunkArena& arena_;
  bool shared_;
  std::atomic<std::uint32_t> count_{0};
  Segmented<std::uint64_t> pairs_;
  const unsigned partition_count_;
  std::unique_ptr<Partition[]> partitions_;
};

}  // namespace heddle::support
