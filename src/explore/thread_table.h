// Local states of threads by number, with what follows from them: their request, the objects they point to, and where
// an answer leads. A thread that was resumed once from a state with an answer is never run again for it.
//
// The table of states is shared by all workers; each has its own memory of (state, answer) -> state, which is bounded:
// programs with millions of local states seldom come back to one. Within a long step
// a thread can be *loose*: it is run in place, and what it passes through is remembered nowhere.
//
// A step changes few bytes of a local state, so a large one is kept as the numbers of its pages, which are interned by
// themselves: one with deep calls, a kilobyte long, takes a hundred bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/program.h"
#include "support/interner.h"

namespace heddle::explore {

using LocalNumber = std::uint32_t;

// Adds an object to those that something points to, unless it is among the first few already. What comes of such a list
// depends on where each object stands first.
inline void add_pointer(std::vector<std::uint32_t>& points_to, std::uint32_t object) {
  constexpr std::size_t looked_at = 32;
  const auto end = points_to.begin() + static_cast<std::ptrdiff_t>(std::min(looked_at, points_to.size()));
  if (std::find(points_to.begin(), end, object) == end) points_to.push_back(object);
}

class ThreadTable {
 public:
  explicit ThreadTable(const core::Program& program) : program_(program) {}

  const core::Program& program() const { return program_; }
  LocalNumber intern(core::ConstLocal);
  // In some local state so far, of whatever thread.
  bool names_matter() const { return names_matter_.load(std::memory_order_relaxed); }
  std::uint32_t size_of(LocalNumber) const;
  void copy(LocalNumber, core::Local& to) const;
  std::uint64_t bytes() const { return locals_.bytes() + pages_.bytes(); }

 private:
  static constexpr std::size_t page_size = 64;
  static constexpr std::size_t largest_whole = 2 * page_size;  // a state of so many bytes is not cut into pages

  const core::Program& program_;
  support::Interner locals_;  // the size, and the state itself or the numbers of its pages
  support::Interner pages_;
  std::atomic<bool> names_matter_{false};
};

// One worker's view of the table.
class ThreadRunner {
 public:
  explicit ThreadRunner(ThreadTable& table)
      : table_(table), globals_(static_cast<std::uint32_t>(table.program().globals().size())) {
    memo_.resize(1 << 12);
  }

  // The thread that is loose, of which there is at most one. Requires no other to be.
  static constexpr LocalNumber loose = 0xfffffffe;
  LocalNumber loosen(LocalNumber);
  LocalNumber settle();  // the number of what the loose thread has become; none is loose from here on

  // Bytes that are copied when the thread is resumed.
  std::size_t copied(LocalNumber number) { return number == loose ? 0 : known(number).size; }
  // Valid until the next call of any other function.
  core::ConstLocal bytes_of(LocalNumber number);
  // Both results are valid until the next call of either.
  const core::Request& request(LocalNumber number) {
    if (!known_.empty())
      if (const Known& k = known_[number & (known_.size() - 1)]; k.number == number && k.request_known)
        return k.request;
    return find_request(number);
  }
  // Dynamic objects that the local state points to, each once or more, in the order in which it does so first.
  const std::vector<std::uint32_t>& points_to(LocalNumber number) {
    if (!known_.empty())
      if (const Known& k = known_[number & (known_.size() - 1)]; k.number == number && k.pointers_known)
        return k.points_to;
    return find_pointers(number);
  }

  bool names_matter(LocalNumber number) {
    return (number == loose || table_.names_matter()) && find_names_matter(number);
  }
  // Can names_matter() be true of any local state but a loose one?
  bool names_may_matter() const { return table_.names_matter(); }

  LocalNumber start(std::uint32_t entry, const core::Value& arg, core::Tid self);
  LocalNumber resume(LocalNumber, const core::Answer&);
  LocalNumber defer(LocalNumber);
  LocalNumber deliver(LocalNumber, core::Slot, const core::Answer&);
  LocalNumber rename(LocalNumber, const std::function<void(core::Value&)>&);

 private:
  enum class How : std::uint8_t { Resume, Defer, Deliver };
  struct Known {
    LocalNumber number = none;
    bool request_known = false;
    bool pointers_known = false;
    bool names_known = false;
    bool names_matter = false;
    // Where the answer led that came last, if it was a value without anything odd: mostly it comes again.
    LocalNumber to = none;
    std::uint64_t answered = 0;
    std::vector<std::uint32_t> points_to;
    core::Request request;
    std::uint32_t size = 0;
  };
  struct Memo {
    LocalNumber from = none;
    LocalNumber to = 0;
    std::uint64_t bits = 0, undefined = 0;
    std::uint16_t slot = 0;
    std::uint8_t fault = 0;
    bool pointer = false, spurious = false;
    How how = How::Resume;
  };
  static constexpr LocalNumber none = 0xffffffff;
  static constexpr std::size_t most_known = 1 << 15;
  static constexpr std::size_t most_memos = 1 << 20;

  Known& known(LocalNumber);
  const core::Request& find_request(LocalNumber);
  const std::vector<std::uint32_t>& find_pointers(LocalNumber);
  bool find_names_matter(LocalNumber);
  LocalNumber go(How, LocalNumber, core::Slot, const core::Answer&);
  LocalNumber run(How, LocalNumber, core::Slot, const core::Answer&);
  void run_in_place(How, core::Local&, core::Slot, const core::Answer&) const;

  ThreadTable& table_;
  const std::uint32_t globals_;
  std::vector<Known> known_;  // by number, modulo a power of two: a newer one takes the place
  std::vector<Memo> memo_;    // open addressing, a power of two; at its largest a newer one takes the place
  std::size_t used_ = 0;
  core::Local scratch_;
  core::Local loose_;
  core::Request loose_request_;
  bool loose_request_known_ = false;
};

}  // namespace heddle::explore
