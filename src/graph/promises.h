// Reads from writes that are not there yet, for the models that allow cycles in po ∪ rf (load buffering).
//
// A promise says: the read at (thread, index), reached in this local state, returns what thread t will write as its
// i-th event. Promises are found, not guessed: when a write w is added that has a read r of its location before it in
// po ∪ rf, but not by anything the model must keep in order (dependencies, fences, acquire and release, external
// reads-from), w becomes a promise for r. From then on r has one option more. The exploration is repeated until no
// promise is new. A graph at whose end a promise is not kept, by a write that comes after its read in po ∪ rf (any
// other needs no promise), is dropped.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  friend bool operator==(const Promise&, const Promise&) = default;
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
    auto& list = by_read_[{r.thread, r.index, r.before}];
    for (const auto i : list)
      if (all[i] == p) return;
    list.push_back(static_cast<std::uint32_t>(all.size()));
    all.push_back(p);
    changed = true;
  }

 private:
  std::map<std::tuple<ThreadId, std::uint32_t, StateId>, std::vector<std::uint32_t>> by_read_;
};

}  // namespace heddle::graph
