// SPDX-License-Identifier: Apache-2.0
#include "support/interner.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "support/diagnostics.h"
#include "support/hash.h"

namespace heddle::support {

std::uint32_t Interner::intern(std::span<const std::byte> bytes) {
  HEDDLE_ASSERT(bytes.size() < std::numeric_limits<std::uint32_t>::max());
  const auto short_hash = static_cast<std::uint32_t>(hash_bytes(bytes));
  const std::uint64_t h = mix(short_hash);
  Partition& partition = partitions_[h % partitions];
  const auto same = [&](const Header* chunk) {
    return chunk->hash == short_hash && chunk->size == bytes.size() &&
           (bytes.empty() || std::memcmp(chunk + 1, bytes.data(), bytes.size()) == 0);
  };
  // Nearly all chunks are there already, and then no lock is needed: whatever number the index names, the chunk tells.
  const std::uint32_t glimpsed = partition.index.glimpse(h, [&](std::uint32_t number) {
    Header** const place = chunks_.find(number);
    const Header* const chunk = place == nullptr ? nullptr : std::atomic_ref(*place).load(std::memory_order_acquire);
    return chunk != nullptr && same(chunk);
  });
  if (glimpsed != BucketIndex::none) return glimpsed;
  const SpinGuard guard(partition.lock, true);
  const std::uint32_t found = partition.index.find(h, [&](std::uint32_t number) { return same(chunks_[number]); });
  if (found != BucketIndex::none) return found;

  Header* chunk = store(partition, bytes, short_hash);
  const std::uint32_t number = count_.fetch_add(1, std::memory_order_relaxed);
  HEDDLE_ASSERT(number < BucketIndex::none - 1);
  chunks_.reserve(number);
  std::atomic_ref(chunks_[number]).store(chunk, std::memory_order_release);
  if (partition.index.full(number)) {
    std::vector<std::uint32_t> all;
    all.reserve(partition.index.size());
    partition.index.collect(all);
    partition.index.grow(number, arena_, [&](const auto& place) {
      for (const std::uint32_t old : all) place(mix(chunks_[old]->hash), old);
    });
  }
  partition.index.add(h, number);
  return number;
}

Interner::Header* Interner::store(Partition& partition, std::span<const std::byte> bytes, std::uint32_t hash) {
  const std::size_t size = (sizeof(Header) + bytes.size() + 7) & ~std::size_t{7};
  std::byte* place;
  if (size > arena_.chunk_bytes() / 2) {
    place = arena_.allocate(size);
  } else {
    if (static_cast<std::size_t>(partition.end - partition.next) < size) {
      constexpr std::size_t first_room = 128;
      partition.room = std::clamp(2 * partition.room, std::max(size, first_room), arena_.chunk_bytes());
      partition.next = arena_.allocate(partition.room);
      partition.end = partition.next + partition.room;
    }
    place = partition.next;
    partition.next += size;
  }
  auto* header = new (place) Header{static_cast<std::uint32_t>(bytes.size()), hash};
  if (!bytes.empty()) std::memcpy(header + 1, bytes.data(), bytes.size());
  return header;
}

std::uint64_t Interner::bytes() const { return arena_.bytes() + size() * sizeof(Header*) + sizeof *this; }

}  // namespace heddle::support
