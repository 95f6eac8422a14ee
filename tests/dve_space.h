// A plain breadth-first search over ir::Steps, for tests: every state packed by ir::Layout into a hash set. It checks
// on the way that packing loses nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "ir/flat_port.h"
#include "ir/layout.h"
#include "ir/steps.h"

namespace heddle::tests {

struct Space {
  std::uint64_t states = 0, edges = 0, levels = 0, errors = 0, failed_asserts = 0, deadlocks = 0;
  std::vector<std::uint64_t> holding;  // by proposition: states in which it holds
  bool complete = true;
};

class StateSet {
 public:
  explicit StateSet(std::size_t slots) : slots_(slots), table_(1 << 12, 0) {}
  std::size_t size() const { return count_; }
  const std::uint32_t* operator[](std::size_t i) const { return words_.data() + i * slots_; }
  bool insert(const std::uint32_t* state) {
    if (2 * count_ >= table_.size()) grow();
    std::size_t at = hash(state) & (table_.size() - 1);
    while (table_[at] != 0) {
      if (std::memcmp((*this)[table_[at] - 1], state, 4 * slots_) == 0) return false;
      at = (at + 1) & (table_.size() - 1);
    }
    words_.insert(words_.end(), state, state + slots_);
    table_[at] = static_cast<std::uint32_t>(++count_);
    return true;
  }

 private:
  std::uint64_t hash(const std::uint32_t* state) const {
    std::uint64_t h = 0x9e3779b97f4a7c15;
    for (std::size_t i = 0; i < slots_; ++i) {
      h = (h ^ state[i]) * 0xff51afd7ed558ccd;
      h ^= h >> 32;
    }
    return h;
  }
  void grow() {
    std::vector<std::uint32_t> bigger(2 * table_.size(), 0);
    for (std::size_t i = 0; i < count_; ++i) {
      std::size_t at = hash((*this)[i]) & (bigger.size() - 1);
      while (bigger[at] != 0) at = (at + 1) & (bigger.size() - 1);
      bigger[at] = static_cast<std::uint32_t>(i + 1);
    }
    table_ = std::move(bigger);
  }

  std::size_t slots_, count_ = 0;
  std::vector<std::uint32_t> words_, table_;
};

inline Space explore(const ir::Program& program, std::uint64_t most = UINT64_MAX) {
  const ir::Layout layout(program);
  ir::FlatPort port(program);
  ir::Steps<ir::FlatPort> steps(program);
  Space space;
  space.holding.resize(program.propositions.size());
  StateSet seen(layout.slots());
  std::vector<std::uint32_t> packed(layout.slots()), next(layout.slots());
  layout.pack(port.words(), packed.data());
  seen.insert(packed.data());
  std::size_t level_end = 1;
  for (std::size_t at = 0; at < seen.size(); ++at) {
    if (at == level_end) {
      ++space.levels;
      level_end = seen.size();
    }
    if (seen.size() > most) {
      space.complete = false;
      break;
    }
    packed.assign(seen[at], seen[at] + layout.slots());
    layout.unpack(packed.data(), port.words());
    port.commit();
    if (program.has_assertions) {
      ir::EvalResult failure{};
      if (steps.failed_assertion(port, failure) != nullptr) ++space.failed_asserts;
    }
    for (std::size_t i = 0; i < program.propositions.size(); ++i) {
      if (evaluate(program, program.propositions[i].code, port).status == ir::Status::True) ++space.holding[i];
    }
    bool moved = false;
    steps.each(port, [&](const auto& step) {
      moved = true;
      if (is_error(step.result.status)) {
        ++space.errors;
        return;
      }
      ++space.edges;
      next = packed;
      layout.pack_changed(port.changes(step.mark), port.words(), next.data());
      seen.insert(next.data());
    });
    if (!moved) ++space.deadlocks;
  }
  ++space.levels;
  space.states = seen.size();
  return space;
}

}  // namespace heddle::tests
