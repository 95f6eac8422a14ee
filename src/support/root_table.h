// Root nodes of compressed vectors, one per state: a set of triples (left, right, shape) with what a search keeps
// beside each (depth modulo 3, flags, parent), in 4096 partitions with a lock each.
//
// In a partition, nodes lie bit-packed in order of arrival, as wide as the largest left, right, shape and parent in it
// need; a wider one makes the partition pack itself anew, in place. Which partition a node goes to costs it no room:
// with right = high · 4096 + low, it is partition low ⊕ g(left, high, shape), so that `low` need not be stored (Cleary,
// "Compact Hash Tables Using Bidirectional Linear Probing", IEEE ToC 1984, for the idea of storing only what the place
// does not tell). A node of two 17-bit children takes 25 bits that way, and its entry in the partition's index 3.6
// bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "support/bucket_index.h"
#include "support/chunk_arena.h"
#include "support/hash.h"
#include "support/spin_lock.h"

namespace heddle::support {

class RootTable {
 public:
  static constexpr unsigned partition_bits = 12;
  static constexpr unsigned partitions = 1U << partition_bits;

  struct Root {
    std::uint32_t left, right, shape;
  };
  // A root that is going to be searched for.
  struct Key {
    std::uint64_t hash;  // of all but the lowest bits of `right`
    std::uint32_t left, right, shape;
    unsigned partition() const { return static_cast<unsigned>((hash ^ right) % partitions); }
  };
  static Key key(const Root& root) {
    return {hash_pair(root.left, root.right >> partition_bits, root.shape), root.left, root.right, root.shape};
  }
  struct Options {
    bool shared;  // several threads
    bool parents;
    unsigned flag_bits;
  };
  struct Inserted {
    std::uint64_t number;  // i * partitions + partition
    bool fresh;
  };

  RootTable(ChunkArena&, const Options&);

  // Hints that the key will be inserted soon: first that its partition, then, when that has come, that its bucket and
  // then its node will be read.
  void prefetch_partition(const Key& key) const { __builtin_prefetch(&partitions_[key.partition()]); }
  void prefetch_bucket(const Key& key) const { partitions_[key.partition()].index.prefetch(key.hash); }
  void prefetch_node(const Key&) const;
  // … and that a node will be read, whose partition has come.
  void prefetch_partition(std::uint64_t number) const { __builtin_prefetch(&partitions_[number % partitions]); }
  void prefetch_root(std::uint64_t number) const;
  // parent_plus_1: 0 for none.
  Inserted insert(const Key&, std::uint64_t parent_plus_1, unsigned depth_mod_3);
  Root root(std::uint64_t number) const;
  std::uint64_t parent_plus_1(std::uint64_t number) const;
  unsigned extra(std::uint64_t number) const;                                   // depth in bits 0 and 1, then flags
  unsigned exchange_extra(std::uint64_t number, unsigned clear, unsigned set);  // returns the old one

  std::uint32_t partition_size(unsigned partition) const { return partitions_[partition].index.size(); }
  std::uint64_t bytes() const { return partitions * sizeof(Partition); }  // without the arena's

  // Puts everything into another arena; numbers stay. Nobody may use the table meanwhile.
  void move_to(ChunkArena&);

 private:
  // How nodes of a partition are packed: left, right / 4096, shape, extra, parent, from the lowest bit on.
  struct Layout {
    std::uint8_t left = 0, high = 0, shape = 0, extra = 0, parent = 0;
    std::uint16_t per_chunk = 0;
    std::uint64_t reciprocal = 0;  // ⌈2⁴⁰ / per_chunk⌉: divides by multiplying
    unsigned key_bits() const { return left + high + shape; }
    unsigned bits() const { return key_bits() + extra + parent; }
  };
  struct alignas(64) Partition {
    Layout layout;
    mutable SpinLock lock;
    BucketIndex index;
    ChunkList nodes;
  };
  static_assert(sizeof(Partition) == 64);
  struct Node {
    std::uint32_t left, high, shape;
    unsigned extra;
    std::uint64_t parent_plus_1;
  };
  struct Place {
    std::byte* chunk;
    unsigned bit;
  };

  static Place place(const Partition&, const Layout&, std::uint32_t i);
  static Node read(const Partition&, std::uint32_t i);
  static void write(Partition&, const Layout&, std::uint32_t i, const Node&);
  void append(Partition&, const Node&);
  void widen(Partition&, Layout wider);
  void enter(Partition&, std::uint64_t hash, std::uint32_t number);

  ChunkArena* arena_;
  Options options_;
  std::unique_ptr<Partition[]> partitions_;
};

}  // namespace heddle::support
