// Ample sets, decided before the search: which processes, at which control state, may move alone.
//
// A process may move alone from a control state if every edge that leaves it
//  - is independent of every edge of every other process: it reads no word that another writes and writes none that
//    another reads or writes; stores to shared cells that go through a buffer touch no other process, unless one waits
//    until all buffers are empty (Edge::fence_all);
//  - has no channel operation, no fence and no atomic write (they wait for others, or for memory);
//  - is invisible: writes no word of a proposition or assertion that is asked for;
//  - does not close a cycle of its process's graph (found by one depth-first search over it). So on every cycle of the
//    state graph some state is expanded fully, whatever the order of exploration, and nothing is put off for ever.
// The sets preserve deadlocks, assertions, run-time errors and the propositions (Clarke, Grumberg, Peled, "Model
// Checking", chapter 10, conditions C0 to C3, the last one in the static form of Kurshan et al., TACAS 1998).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace heddle::ir {

class Ample {
 public:
  // `buffered`: stores to shared cells go through buffers; propositions then read main memory only.
  Ample(const Program&, bool buffered, const std::vector<std::uint32_t>& visible_propositions, bool check_assertions);

  bool may_move_alone(std::uint32_t process, std::uint32_t control) const { return alone_[process][control]; }
  // Some control state of some process may move alone at all.
  bool useful() const { return useful_; }

 private:
  std::vector<std::vector<bool>> alone_;
  bool useful_ = false;
};

}  // namespace heddle::ir
