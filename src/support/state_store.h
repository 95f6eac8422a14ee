// The state store: a lossless set of states, where a state is a vector of 32-bit slots of any length, and a number.
//
// Vectors are kept as trees (recursive tree compression: Laarman, van de Pol, Weber, "Parallel Recursive State
// Compression for Free", SPIN 2011): halve the vector until two slots remain, give each pair a number, pair the
// numbers, and so on up to the root. Equal halves are stored once. There is one table of pairs for each place in the
// tree, so that the numbers stay small, and the roots, one per state, lie bit-packed in 4096 partitions
// (root_table.h).
//
// Rules:
//  - insert, load and everything const may be called from several threads at once; each thread has its own Cursor. Two
//    threads that insert equal vectors get the same number, and exactly one of them is told `fresh`.
//  - Or each worker owns a share of the partitions (options.owned): only the owner inserts and loads states there, and
//    whoever prepared a state of another's share tells the owner, and whoever wants one is given its root. Then no
//    state costs a lock, and each worker's share stays in its own cache. At moments when all but one are at rest, that
//    one may do everything.
//  - A number stays valid, and means the same state, as long as the store lives, but for options.learns. Numbers are
//    not consecutive: the i-th state of partition p has the number number(p, i), and below number_limit() there are
//    about as many numbers as states.
//  - Within a partition, states keep the order in which they came. So the states that were inserted between two moments
//    are a range of each partition, and breadth-first search needs no queue: see Frontier.
//  - Nothing is ever removed. The store grows in small steps, chunk by chunk; it never copies itself to a larger place.
//
// Hot: insert and load. bench/state_store_bench.cpp watches them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace heddle::support {

using StateNumber = std::uint64_t;
inline constexpr StateNumber no_state = ~StateNumber{0};

struct StoreOptions {
  std::size_t fixed_length = 0;  // number of slots of every state; 0: it varies from state to state
  bool parents = false;          // keep with each state the state that it was first reached from
  unsigned workers = 1;          // threads that use the store at the same time, at most; with 1 no lock is taken
  unsigned flag_bits = 1;        // bits per state for the search's own use, 0 to 8
  bool owned = false;            // each partition is used by its owner alone, see above
  bool starts_small = false;     // a few thousand states take little room; needs outgrow(), which a Frontier sees to
  // Once there are some states, other trees are made for the lengths that are frequent (tree_learner.h), and all states
  // put in anew, by Frontier::advance; numbers change then. Not with a fixed length, parents or flags.
  bool learns = false;
  std::size_t first_half = 0;  // of a fixed length: how many slots the left half of the tree has; 0: half of them
};

class StateStore {
 public:
  class Cursor {
   public:
    Cursor(Cursor&&) noexcept;
    Cursor& operator=(Cursor&&) noexcept;
    ~Cursor();

    // The state that was loaded last. Inserting does not change it.
    std::span<const std::uint32_t> slots() const { return slots_; }

   private:
    friend class StateStore;
    struct Scratch;
    explicit Cursor(std::unique_ptr<Scratch>);
    std::unique_ptr<Scratch> scratch_;
    std::span<const std::uint32_t> slots_;
  };

  explicit StateStore(const StoreOptions&);
  ~StateStore();
  StateStore(const StateStore&) = delete;
  StateStore& operator=(const StateStore&) = delete;

  // A thread's own working place. worker < options.workers; a thread may have several cursors of its worker's number.
  Cursor make_cursor(unsigned worker);

  struct Inserted {
    StateNumber number;
    bool fresh;  // the state was not there before
  };

  // Inserts a state. It is fastest when the cursor was last loaded with a state that differs in few slots (the parent):
  // only pairs above changed slots are looked up. The cursor goes on holding the state that it was loaded with.
  // `parent` (a number or no_state; ignored unless parents are kept) and `depth_mod_3` are stored if the state is
  // fresh.
  Inserted insert(Cursor&, std::span<const std::uint32_t> slots, StateNumber parent, unsigned depth_mod_3);

  // The same in two steps, to hide the latency of memory: prepare all successors of a state, then insert all of them.
  struct Prepared {
    std::uint64_t hash;
    std::uint32_t left, right, shape;
  };
  Prepared prepare(Cursor&, std::span<const std::uint32_t> slots);
  Inserted insert(Cursor&, const Prepared&, StateNumber parent, unsigned depth_mod_3);
  // Inserts all of them; out[i] is what became of prepared[i]. The way that costs least.
  void insert(Cursor&, std::span<const Prepared> prepared, StateNumber parent, unsigned depth_mod_3,
              std::span<Inserted> out);
  // The same for successors of several states: some ten of them hide the latency best.
  struct Arrival {
    Prepared prepared;
    StateNumber parent;
  };
  void insert(Cursor&, std::span<const Arrival> arrivals, unsigned depth_mod_3, std::span<Inserted> out);

  // Hints that a prepared state will be inserted soon, by this thread: of an owned partition, by its owner.
  void expect(const Prepared&) const;

  // The worker that owns the partition, or the one that a prepared state belongs to.
  unsigned owner(unsigned partition) const { return partition * options_.workers >> partition_bits; }
  unsigned owner(const Prepared& p) const { return owner(static_cast<unsigned>((p.hash ^ p.right) % partitions)); }

  // Makes the cursor hold the state: cursor.slots() is then its whole vector, until the next load.
  void load(Cursor&, StateNumber) const;
  // The same in two steps: the first touches the state's partition, the second does not, and so may be another's.
  Prepared root(StateNumber) const;
  void load(Cursor&, const Prepared& root) const;

  // To be called now and then if the store starts small: once there are many states it goes over to larger chunks. Numbers
  // stay. No other thread may use the store meanwhile.
  void outgrow();

  std::uint64_t size() const;   // states
  std::uint64_t bytes() const;  // of all tables

  StateNumber parent(StateNumber) const;  // no_state for a state without one. Requires options.parents
  unsigned depth_mod_3(StateNumber) const;
  // Bits for the search's own use, all clear at first. bit < options.flag_bits.
  bool flag(StateNumber, unsigned bit) const;
  bool set_flag(StateNumber, unsigned bit, bool value = true);  // atomic; returns what it was before

  // All states, partition by partition, in each partition in the order of insertion.
  static constexpr unsigned partition_bits = 12;
  static constexpr unsigned partitions = 1U << partition_bits;
  std::uint64_t partition_size(unsigned partition) const;
  static constexpr StateNumber number(unsigned partition, std::uint64_t i) { return i << partition_bits | partition; }
  StateNumber number_limit() const;  // every number is less

  const StoreOptions& options() const { return options_; }

 private:
  friend class Frontier;
  struct Tables;
  Cursor::Scratch& scratch_of(Cursor&) const;
  // The first seen[p] states of each partition p are put in first, and seen[p] becomes how many those are then.
  void learn(std::vector<std::uint64_t>& seen);
  bool wants_to_learn() const;
  StoreOptions options_;
  std::unique_ptr<Tables> tables_;
};

// The levels of a breadth-first search over a store, without a queue: a level is all that was inserted since the last
// one began. A store has at most one Frontier.
class Frontier {
 public:
  static constexpr std::uint64_t largest_batch = 256;

  explicit Frontier(StateStore&);

  // Begins the next level: all states inserted since the last call (at first: all so far). Returns how many; 0 ends the
  // search. No other thread may use the store or the frontier meanwhile.
  std::uint64_t advance();

  struct Batch {
    StateNumber first = 0;  // the states are first, first + step, …
    std::uint64_t count = 0;
    static constexpr StateNumber step = StateNumber{1} << StateStore::partition_bits;
  };
  // Takes some states of this level; each is given out once. False when none are left. Thread-safe.
  bool take(Batch&);
  // Takes some states, at most so many, of the worker's own partitions. Each worker may do so beside the others; not to
  // be mixed with the other take on the same level.
  bool take_own(unsigned worker, Batch&, std::uint64_t most = largest_batch);

 private:
  struct alignas(64) Share {
    std::uint64_t next = 0, end = 0;  // places in batches_
  };
  // Hints that the batches behind this place will be given out soon.
  void prefetch_behind(std::uint64_t place) const;
  StateStore& store_;
  std::vector<std::uint64_t> seen_;     // by partition: how many of its states belong to this level or an earlier one
  std::vector<Batch> batches_;          // of this level
  std::atomic<std::uint64_t> next_{0};  // place in batches_ of the next one to be given out
  std::vector<Share> shares_;           // by worker
};

}  // namespace heddle::support
