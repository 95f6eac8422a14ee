// The promises that an exploration has found (graph/promises.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  // Numbers of promises, ascending: what every way in which it was found rests on, directly or not.
  std::vector<std::uint32_t> basis;

  bool same_place(const Promise& p) const { return thread == p.thread && place == p.place; }
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
  // Adds what promises become when twins are exchanged, until nothing is new. How often has that changed anything?
  std::uint64_t close_under(const Twins&);

 private:
  struct Exchange;
  using Name = std::tuple<ThreadId, std::uint32_t, core::Loc, std::uint64_t, std::uint64_t, bool>;
  static Name name(const Promise& p) {
    return {p.thread, p.place, p.loc, p.value.bits, p.value.undefined, p.value.pointer};
  }

  std::vector<Promise> all_;
  std::map<Read, std::vector<std::uint32_t>> by_read_;
  std::map<Name, std::uint32_t> numbers_;
};

}  // namespace heddle::graph
