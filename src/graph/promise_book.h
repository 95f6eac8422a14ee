// The promises that an exploration has found (graph/promises.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/tables.h"

namespace heddle::graph {

struct Promise {
  ThreadId thread = 0;      // of the write
  std::uint32_t place = 0;  // Event::place
  core::Loc loc;
  core::Value value;
  // If the write is a piece of an access (graph/pieces.h): the access.
  core::Loc whole;
  core::Value whole_value;
  // Numbers of promises, ascending: what every way in which it was found rests on, directly or not.
  std::vector<std::uint32_t> basis;

  bool same_place(const Promise& p) const { return thread == p.thread && place == p.place; }
  bool same_contents(const Promise& p) const {
    return loc == p.loc && value == p.value && whole == p.whole && whole_value == p.whole_value;
  }
};

// Symmetric threads (graph/symmetry.h), in pairs.
using Twins = std::vector<std::pair<ThreadId, ThreadId>>;

// The promises of one exploration, by numbers that all its workers know.
class PromiseBook {
 public:
  // Thread and place (Event::place) of a read. What its thread has read before makes no difference: it may be what the
  // promised write leads to, and in a graph in which the read sees something else it is not there.
  using Read = std::pair<ThreadId, std::uint32_t>;

  const Promise& operator[](std::uint32_t number) const { return all_[number]; }
  // Numbers of the promises for this read; null if there is none.
  const std::vector<std::uint32_t>* find(const Read& r) const {
    const auto it = by_read_.find(r);
    return it == by_read_.end() ? nullptr : &it->second;
  }
  // True if this is new, or rests on less than was known.
  bool add(const Read&, const Promise&);
  bool knows(const Read&, const Promise&) const;
  bool has(const Read&, const Promise&) const;                  // whatever it rests on
  bool knows_without_basis(const Read&, const Promise&) const;  // rests on no other: nothing is to be learnt
  // Adds what promises become when twins are exchanged, until nothing is new. How often has that changed anything?
  std::uint64_t close_under(const Twins&);

  // Is nothing promised but to elder threads, since that is enough (graph/elder_promises.h)?
  bool elders_only() const { return elders_only_; }
  // Forgets all promises. Requires that no graph has any.
  void promise_to_all() {
    elders_only_ = false;
    all_.clear();
    by_read_.clear();
    numbers_.clear();
  }
  // May what stands at a place of the thread depend on values that order nothing (shifts_places)? From what was seen.
  bool shifts(ThreadId t) const { return all_shift_ || (t < shifts_.size() && shifts_[t]); }
  bool note_shifts(ThreadId t) {  // true: it was not known
    if (shifts_.size() <= t) shifts_.resize(t + 1);
    const bool known = shifts_[t];
    shifts_[t] = true;
    return !known;
  }
  // Of all threads (graph/hidden_loads.h).
  bool note_all_shift() { return !std::exchange(all_shift_, true); }
  bool all_shift() const { return all_shift_; }
  // Is there a read that hides loads, in whatever graph of any worker?
  bool has_hiding_reads() const { return hiding_reads_.load(std::memory_order_relaxed); }
  void note_hiding_read() { hiding_reads_.store(true, std::memory_order_relaxed); }

 private:
  struct Exchange;
  using Contents = std::tuple<core::Loc, std::uint64_t, std::uint64_t, bool>;
  using Name = std::tuple<ThreadId, std::uint32_t, Contents, Contents>;
  static Contents contents(const core::Loc& l, const core::Value& v) { return {l, v.bits, v.undefined, v.pointer}; }
  static Name name(const Promise& p) {
    return {p.thread, p.place, contents(p.loc, p.value), contents(p.whole, p.whole_value)};
  }

  std::vector<Promise> all_;
  std::map<Read, std::vector<std::uint32_t>> by_read_;
  std::map<Name, std::uint32_t> numbers_;
  std::vector<bool> shifts_;  // by thread
  bool all_shift_ = false;
  std::atomic<bool> hiding_reads_{false};
  bool elders_only_ = true;
};

}  // namespace heddle::graph
