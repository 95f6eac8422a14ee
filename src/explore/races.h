// Happens-before along one path of the explicit engine, as vector clocks: what `--property race` adds to a state.
//
// A race is two accesses of different threads to overlapping bytes, at least one a write, at least one not atomic, that
// happens-before does not order (C11, 5.1.2.4). Happens-before is program order, creation and joining of threads, and
// release to acquire: a load synchronises with the store that it reads from, or with the release fence before that
// store; release sequences are those of RC11 (Lahav et al., PLDI 2017, section 3): they go on through later atomic
// stores of the same thread to the location and through read-modify-writes. Accesses in atomic sections, and those by
// which the library waits for locks, count as atomic and seq_cst. Freeing an object is a write to all of it, for
// accesses that are not atomic.
//
// An access happens where its thread issues it, not where a buffer is flushed; only an acquire load that was put off
// happens when it is performed. Every pair is looked at when the later of the two happens: all that happens before
// an access has been issued before it, so what the later one does not know of then is unordered for good. Hence any
// order of exploration that has all executions finds all races, and the reductions of Product need no change.
//
// With `seq_cst_only` an access counts as atomic only if its order is seq_cst, locks have no more than the orders that
// the library gives them, and accesses that overlap in part are never atomic: the races that the theorem on data-race
// freedom asks about (drive/drf_engine.h).
//
// The state is finite and canonical: clocks count recorded accesses only, of which a thread has at most four per
// location; those that all other threads know of are forgotten; and the counts of a thread are replaced by their ranks,
// as far as some clock tells them apart (normalise()).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/program.h"
#include "memory/buffer.h"

namespace heddle::explore {

class Races {
 public:
  using Tid = core::Tid;
  // What Entry::note of a pending load means. Of a store it is its message: a clock of the pool, 0 for none.
  static constexpr std::uint32_t plain_load = 0, relaxed_load = 1, acquire_load = 2;

  void start(unsigned threads, bool seq_cst_only);
  void spawn(Tid parent);
  void join(Tid, Tid ended);
  void fence(Tid, core::Order);

  // The request was performed without a fault. `buffered`: the entry that it left in the buffer, if it did. All that
  // report a race do so by returning true.
  bool load(Tid, const core::Request&, const memory::Buffer& own, memory::Entry* buffered);
  bool store(Tid, const core::Request&, memory::Entry* buffered);
  bool rmw(Tid, const core::Request&, bool wrote);
  // The request waits in vain. It has read, but does not synchronise.
  bool read_in_vain(Tid t, const core::Request& r) { return access(t, r.loc, Class::AtomicRead); }
  bool has_read(Tid, const core::Request&) const;  // … and was the thread's last access, which no other knows of
  bool free(Tid, std::uint32_t object);
  // `entry` left the buffer of the thread for memory.
  bool flush(Tid, const memory::Entry&);

  // Canonical form. Entries of the buffers hold numbers of the pool, which change.
  struct Owner {
    memory::Buffer* buffer;
    bool ended;
  };
  void normalise(std::span<const Owner>);
  // Objects have got new names; 0 means that the object is gone.
  void rename(std::span<const std::uint32_t> name, std::uint32_t first);

  // Requires normalise(). Clocks of threads and buffers; accesses and messages of memory.
  void encode(std::span<const Owner>, std::vector<std::byte>& clocks, std::vector<std::byte>& accesses) const;
  // The buffers must have been decoded already.
  void decode(std::span<const Owner>, std::span<const std::byte> clocks, std::span<const std::byte> accesses,
              bool seq_cst_only);

 private:
  enum class Class : std::uint8_t { AtomicRead, PlainRead, AtomicWrite, PlainWrite };
  using Count = std::uint32_t;
  struct Access {
    core::Loc loc;
    Tid thread;
    Class kind;
    Count when;
  };
  struct Message {
    core::Loc loc;
    Tid thread;
    std::uint32_t clock;
  };  // thread: of an own release only

  Count& now(Tid t, Tid of) { return now_[t * threads_ + of]; }
  Count now(Tid t, Tid of) const { return now_[t * threads_ + of]; }
  std::span<Count> clock_of(std::vector<Count>& rows, std::size_t row) {
    return {rows.data() + row * threads_, threads_};
  }
  static void merge(std::span<Count> into, std::span<const Count> from);
  static bool writes(Class);
  static bool plain(Class);
  bool conflict(const Access&, const Access&) const;
  bool subsumes(const Access& newer, const Access& older) const;

  core::Order order_of(const core::Request&) const;
  bool is_atomic(core::Order) const;
  Class read_of(core::Order) const;
  Class write_of(core::Order) const;
  bool access(Tid, const core::Loc&, Class);
  void gather(const core::Loc&, std::span<Count> into, const memory::Buffer* hiding = nullptr);
  void hear(Tid, core::Order, std::span<const Count> message);
  std::uint32_t add_clock();  // an empty one of the pool
  std::uint32_t message(Tid, const core::Loc&, core::Order);
  void set_message(const core::Loc&, std::uint32_t clock);
  void resize(unsigned threads);
  void rank(Tid of);
  bool drop_subsumed();

  bool seq_cst_only_ = false;
  unsigned threads_ = 0;
  // One row per thread: what it knows; what its last release fence gave on; what an acquire fence would teach it.
  std::vector<Count> now_, fence_, heard_;
  std::vector<Count> pool_;  // clocks of messages; row 0 is empty
  std::vector<Access> accesses_;
  std::vector<Message> messages_;  // of what is in memory
  std::vector<Message> released_;  // a thread's last release store to a location, for release sequences
  std::vector<Count> scratch_, read_, epochs_, cuts_;
  std::vector<bool> used_;
};

}  // namespace heddle::explore
