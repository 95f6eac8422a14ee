// Reads from writes that are not there yet, for the models that allow cycles in po ∪ rf (load buffering).
//
// A promise says: the read at (thread, index), reached in this local state, returns what thread t will write as its
// i-th event. Promises are found, not guessed: when a write w is added that has a read r of its location before it in
// po ∪ rf, but not by anything the model must keep in order (dependencies, fences, acquire and release, external
// reads-from), w becomes a promise for r. From then on r has one option more. The exploration is repeated until no
// promise is new. A graph at whose end a promise is not kept, by a write that comes after its read in po ∪ rf (any
// other needs no promise), is dropped.
//
// No model makes values out of thin air: what a write depends on never depends on that write. So a promise remembers
// on which other promises it rests, and a write that rests on itself, or on two different contents of one place of a
// thread, is none. Without this a counter that two threads increment would promise ever larger numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <vector>

#include "graph/graph.h"

namespace heddle::graph {

struct Promise {
  ThreadId thread = 0;  // of the write
  std::uint32_t index = 0;
  LocId loc = none;
  core::Value value;
  // Numbers of promises, ascending: what every way in which it was found rests on, directly or not.
  std::vector<std::uint32_t> basis;

  bool same_place(const Promise& p) const { return thread == p.thread && index == p.index; }
};

class Promises {
 public:
  std::vector<Promise> all;
  bool changed = false;  // since the last round began

  // Numbers of the promises for this read.
  const std::vector<std::uint32_t>* find(const Event& r) const {
    const auto it = by_read_.find({r.thread, r.index, r.before});
    return it == by_read_.end() ? nullptr : &it->second;
  }
  void add(const Event& r, const Promise& p) {
    const auto [it, fresh] =
        numbers_.try_emplace({p.thread, p.index, p.loc, p.value.bits, p.value.undefined, p.value.pointer},
                             static_cast<std::uint32_t>(all.size()));
    if (fresh) {
      all.push_back(p);
    } else if (auto& basis = all[it->second].basis;
               !std::includes(p.basis.begin(), p.basis.end(), basis.begin(), basis.end())) {
      std::vector<std::uint32_t> common;
      std::set_intersection(basis.begin(), basis.end(), p.basis.begin(), p.basis.end(), std::back_inserter(common));
      basis.swap(common);
      changed = true;
    }
    auto& list = by_read_[{r.thread, r.index, r.before}];
    if (std::find(list.begin(), list.end(), it->second) != list.end()) return;
    list.push_back(it->second);
    changed = true;
  }

 private:
  std::map<std::tuple<ThreadId, std::uint32_t, StateId>, std::vector<std::uint32_t>> by_read_;
  std::map<std::tuple<ThreadId, std::uint32_t, LocId, std::uint64_t, std::uint8_t, bool>, std::uint32_t> numbers_;
};

}  // namespace heddle::graph
