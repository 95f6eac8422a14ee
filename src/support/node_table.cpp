// SPDX-License-Identifier: Apache-2.0
#include "support/node_table.h"

#include <vector>

#include "support/diagnostics.h"

namespace heddle::support {

std::uint32_t NodeTable::find_or_add(std::uint64_t pair, std::uint64_t h) {
  Partition& partition = partitions_[h & (partition_count_ - 1)];
  if (shared_ && pair != 0) {  // a place that is not filled yet looks like pair 0
    const std::uint32_t glimpsed = partition.index.glimpse(h, [&](std::uint32_t number) {
      std::uint64_t* const place = pairs_.find(number);
      return place != nullptr && std::atomic_ref(*place).load(std::memory_order_relaxed) == pair;
    });
    if (glimpsed != BucketIndex::none) return glimpsed;
  }
  const SpinGuard guard(partition.lock, shared_);
  const std::uint32_t found = partition.index.find(h, [&](std::uint32_t number) { return pairs_[number] == pair; });
  if (found != BucketIndex::none) return found;

  const std::uint32_t number = count_.fetch_add(1, std::memory_order_relaxed);
  HEDDLE_ASSERT(number < BucketIndex::none - 1);
  pairs_.reserve(number);
  std::atomic_ref(pairs_[number]).store(pair, std::memory_order_relaxed);
  if (partition.index.full(number)) {
    std::vector<std::uint32_t> all;
    all.reserve(partition.index.size());
    partition.index.collect(all);
    partition.index.grow(number, arena_, [&](const auto& place) {
      constexpr std::size_t ahead = 8;  // hides the latency of reading pairs all over the table
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i + ahead < all.size()) __builtin_prefetch(&pairs_[all[i + ahead]]);
        place(hash(pairs_[all[i]]), all[i]);
      }
    });
  }
  partition.index.add(h, number);
  return number;
}

}  // namespace heddle::support
