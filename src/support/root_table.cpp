// SPDX-License-Identifier: Apache-2.0
#include "support/root_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "support/diagnostics.h"

namespace heddle::support {
namespace {

// Fields are read and written through the eight bytes around them, so they have at most 57 bits, and the last eight
// bytes of a chunk begin no field.
constexpr unsigned widest = 57;
constexpr unsigned reciprocal_bits = 40;

constexpr std::uint64_t low_mask(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

std::uint64_t get(const std::byte* chunk, unsigned bit, unsigned bits) {
  std::uint64_t word;
  std::memcpy(&word, chunk + bit / 8, 8);
  return word >> (bit % 8) & low_mask(bits);
}

void put(std::byte* chunk, unsigned bit, unsigned bits, std::uint64_t value) {
  std::uint64_t word;
  std::memcpy(&word, chunk + bit / 8, 8);
  word = (word & ~(low_mask(bits) << (bit % 8))) | value << (bit % 8);
  std::memcpy(chunk + bit / 8, &word, 8);
}

std::uint8_t width(std::uint64_t value) { return static_cast<std::uint8_t>(std::bit_width(value)); }

}  // namespace

RootTable::RootTable(ChunkArena& arena, const Options& options)
    : arena_(&arena), options_(options), partitions_(std::make_unique<Partition[]>(partitions)) {
  HEDDLE_ASSERT(options.flag_bits <= 8);
}

inline RootTable::Place RootTable::place(const Partition& partition, const Layout& layout, std::uint32_t i) {
  const std::uint64_t chunk = i * layout.reciprocal >> reciprocal_bits;
  return {partition.nodes[chunk], (i - static_cast<std::uint32_t>(chunk) * layout.per_chunk) * layout.bits()};
}

inline RootTable::Node RootTable::read(const Partition& partition, std::uint32_t i) {
  const Layout& layout = partition.layout;
  Place at = place(partition, layout, i);
  Node node;
  if (layout.bits() <= widest) {  // nearly always, without parents
    std::uint64_t word = get(at.chunk, at.bit, layout.bits());
    const auto cut = [&word](unsigned bits) {
      const std::uint64_t value = word & low_mask(bits);
      word >>= bits;
      return value;
    };
    node.left = static_cast<std::uint32_t>(cut(layout.left));
    node.high = static_cast<std::uint32_t>(cut(layout.high));
    node.shape = static_cast<std::uint32_t>(cut(layout.shape));
    node.extra = static_cast<unsigned>(cut(layout.extra));
    node.parent_plus_1 = word;
    return node;
  }
  const auto next = [&at](unsigned bits) {
    const std::uint64_t value = get(at.chunk, at.bit, bits);
    at.bit += bits;
    return value;
  };
  node.left = static_cast<std::uint32_t>(next(layout.left));
  node.high = static_cast<std::uint32_t>(next(layout.high));
  node.shape = static_cast<std::uint32_t>(next(layout.shape));
  node.extra = static_cast<unsigned>(next(layout.extra));
  node.parent_plus_1 = next(layout.parent);
  return node;
}

inline void RootTable::write(Partition& partition, const Layout& layout, std::uint32_t i, const Node& node) {
  Place at = place(partition, layout, i);
  if (layout.bits() <= widest) {
    std::uint64_t word = node.parent_plus_1;
    word = word << layout.extra | node.extra;
    word = word << layout.shape | node.shape;
    word = word << layout.high | node.high;
    word = word << layout.left | node.left;
    put(at.chunk, at.bit, layout.bits(), word);
    return;
  }
  const auto next = [&at](unsigned bits, std::uint64_t value) {
    put(at.chunk, at.bit, bits, value);
    at.bit += bits;
  };
  next(layout.left, node.left);
  next(layout.high, node.high);
  next(layout.shape, node.shape);
  next(layout.extra, node.extra);
  next(layout.parent, node.parent_plus_1);
}

void RootTable::widen(Partition& partition, Layout wider) {
  const std::uint32_t count = partition.index.size();
  const auto chunks_for = [&](unsigned per_chunk) { return per_chunk == 0 ? 0 : (count + per_chunk - 1) / per_chunk; };
  wider.per_chunk = static_cast<std::uint16_t>((arena_->chunk_bytes() - 8) * 8 / wider.bits());
  wider.reciprocal = ((std::uint64_t{1} << reciprocal_bits) + wider.per_chunk - 1) / wider.per_chunk;
  for (std::uint32_t chunks = chunks_for(partition.layout.per_chunk); chunks < chunks_for(wider.per_chunk); ++chunks) {
    partition.nodes.append(chunks, *arena_);
  }
  // From the last node to the first, in place: a node's new place is never before its old one.
  for (std::uint32_t i = count; i-- > 0;) write(partition, wider, i, read(partition, i));
  partition.layout = wider;
}

inline void RootTable::append(Partition& partition, const Node& node) {
  const Layout& old = partition.layout;
  const Layout needed{std::max(old.left, width(node.left)),
                      std::max(old.high, width(node.high)),
                      std::max(old.shape, width(node.shape)),
                      static_cast<std::uint8_t>(2 + options_.flag_bits),
                      std::max(old.parent, width(node.parent_plus_1)),
                      0,
                      0};
  if (needed.bits() != old.bits()) widen(partition, needed);
  const std::uint32_t i = partition.index.size();
  HEDDLE_ASSERT(i < (1U << 28));  // 10¹² states: the reciprocal is exact so far
  if (i % partition.layout.per_chunk == 0) partition.nodes.append(i / partition.layout.per_chunk, *arena_);
  write(partition, partition.layout, i, node);
}

void RootTable::prefetch_node(const Key& key) const {
  if (options_.shared) return;  // a hint is not worth a lock
  const Partition& partition = partitions_[key.partition()];
  std::uint32_t i = partition.index.candidate(key.hash);
  const bool fresh = i == BucketIndex::none;
  if (fresh) i = partition.index.size();  // the node will be appended there
  const Layout& layout = partition.layout;
  if (layout.per_chunk == 0 || (fresh && i % layout.per_chunk == 0)) return;  // in a chunk that is not there yet
  const Place at = place(partition, layout, i);
  __builtin_prefetch(at.chunk + at.bit / 8);
}

void RootTable::prefetch_root(std::uint64_t number) const {
  if (options_.shared) return;
  const Partition& partition = partitions_[number % partitions];
  const Place at = place(partition, partition.layout, static_cast<std::uint32_t>(number >> partition_bits));
  __builtin_prefetch(at.chunk + at.bit / 8);
}

RootTable::Inserted RootTable::insert(const Key& key, std::uint64_t parent_plus_1, unsigned depth_mod_3) {
  const unsigned partition_number = key.partition();
  Partition& partition = partitions_[partition_number];
  const std::uint32_t high = key.right >> partition_bits;
  const SpinGuard guard(partition.lock, options_.shared);
  const Layout& layout = partition.layout;
  const bool fits = (std::uint64_t{key.left} >> layout.left | std::uint64_t{high} >> layout.high |
                     std::uint64_t{key.shape} >> layout.shape) == 0;
  if (fits) {
    const unsigned rest_bits = layout.high + layout.shape;
    const std::uint64_t rest = high | std::uint64_t{key.shape} << layout.high;
    const std::uint64_t whole = key.left | rest << layout.left;
    const std::uint32_t found = partition.index.find(key.hash, [&](std::uint32_t i) {
      const auto [chunk, bit] = place(partition, layout, i);
      if (layout.left + rest_bits <= widest) return get(chunk, bit, layout.left + rest_bits) == whole;
      return get(chunk, bit, layout.left) == key.left && get(chunk, bit + layout.left, rest_bits) == rest;
    });
    if (found != BucketIndex::none) return {std::uint64_t{found} << partition_bits | partition_number, false};
  }
  const std::uint32_t number = partition.index.size();
  append(partition, {key.left, high, key.shape, depth_mod_3, options_.parents ? parent_plus_1 : 0});
  enter(partition, key.hash, number);
  return {std::uint64_t{number} << partition_bits | partition_number, true};
}

// Puts the node that was appended last into the index.
inline void RootTable::enter(Partition& partition, std::uint64_t hash, std::uint32_t number) {
  if (partition.index.full(number)) {
    partition.index.grow(number, *arena_, [&](const auto& put) {
      for (std::uint32_t i = 0; i < number; ++i) {
        const Node node = read(partition, i);
        put(hash_pair(node.left, node.high, node.shape), i);
      }
    });
  }
  partition.index.add(hash, number);
}

void RootTable::move_to(ChunkArena& arena) {
  arena_ = &arena;
  std::vector<Node> all;
  for (unsigned p = 0; p < partitions; ++p) {
    Partition& partition = partitions_[p];
    all.clear();
    for (std::uint32_t i = 0; i < partition.index.size(); ++i) all.push_back(read(partition, i));
    partition.layout = {};
    partition.nodes.clear();
    partition.index.clear();
    for (const Node& node : all) {
      append(partition, node);
      enter(partition, hash_pair(node.left, node.high, node.shape), partition.index.size());
    }
  }
}

RootTable::Root RootTable::root(std::uint64_t number) const {
  const auto partition_number = static_cast<unsigned>(number % partitions);
  const Partition& partition = partitions_[partition_number];
  Node node;
  {
    const SpinGuard guard(partition.lock, options_.shared);
    node = read(partition, static_cast<std::uint32_t>(number >> partition_bits));
  }
  const auto low =
      static_cast<std::uint32_t>((hash_pair(node.left, node.high, node.shape) ^ partition_number) % partitions);
  return {node.left, node.high << partition_bits | low, node.shape};
}

std::uint64_t RootTable::parent_plus_1(std::uint64_t number) const {
  const Partition& partition = partitions_[number % partitions];
  const SpinGuard guard(partition.lock, options_.shared);
  return read(partition, static_cast<std::uint32_t>(number >> partition_bits)).parent_plus_1;
}

unsigned RootTable::extra(std::uint64_t number) const {
  const Partition& partition = partitions_[number % partitions];
  const SpinGuard guard(partition.lock, options_.shared);
  const auto [chunk, bit] = place(partition, partition.layout, static_cast<std::uint32_t>(number >> partition_bits));
  return static_cast<unsigned>(get(chunk, bit + partition.layout.key_bits(), partition.layout.extra));
}

unsigned RootTable::exchange_extra(std::uint64_t number, unsigned clear, unsigned set) {
  Partition& partition = partitions_[number % partitions];
  const SpinGuard guard(partition.lock, options_.shared);
  const auto [chunk, bit] = place(partition, partition.layout, static_cast<std::uint32_t>(number >> partition_bits));
  const unsigned at = bit + partition.layout.key_bits();
  const auto old = static_cast<unsigned>(get(chunk, at, partition.layout.extra));
  put(chunk, at, partition.layout.extra, (old & ~clear) | set);
  return old;
}

}  // namespace heddle::support
