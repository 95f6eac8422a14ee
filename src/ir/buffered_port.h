// The Port of machines with store buffers: shared cells are seen through the acting process's buffer.
//
// A step is one transition with several accesses: its loads see the process's own buffer, its own earlier stores
// included, and its stores are buffered. Atomic writes (--atomic) go to memory at once: under tso and pso the whole
// step then waits for an empty buffer, and stores of the same step that stand before the atomic one arrive with it (it
// could not overtake them); under sb1 they only empty the own slot of their cell. admit() decides all waiting before
// the first effect, so a step that is not enabled leaves no trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/cost.h"
#include "ir/flat_port.h"
#include "ir/program.h"
#include "memory/machine.h"

namespace heddle::ir {

class BufferedPort final : private memory::Cells {
 public:
  static constexpr bool direct = false;
  struct Mark {
    std::size_t words, buffers;
    core::Cost cost;
  };

  BufferedPort(const Program&, const memory::Machine&, unsigned bound);

  std::int32_t* words() { return flat_.words(); }
  std::int32_t load(std::uint32_t cell);
  bool store(std::uint32_t cell, std::int32_t value, bool atomic);
  void set(std::uint32_t index, std::int32_t value) { flat_.set(index, value); }
  std::int32_t see(std::uint32_t cell, std::uint32_t process);
  void act(std::uint32_t process) {
    acting_ = process;
    stored_ = false;
  }
  bool ready(const Edge&) const;
  bool admit(const Edge&);
  bool drained() const;
  Mark mark() const { return {flat_.mark(), used_, cost_}; }
  void undo(const Mark&);
  void commit();

  const memory::Buffer& buffer(std::uint32_t process) const { return buffers_[process]; }
  void set_buffer(std::uint32_t process, const memory::Buffer&);  // outside of steps
  std::span<const Change> changes(const Mark& since) const { return flat_.changes(since.words); }
  // The processes whose buffers changed since the mark; one may occur several times.
  template <class Callback>
  void changed_buffers(const Mark& since, Callback&& callback) const {
    for (std::size_t i = since.buffers; i < used_; ++i) callback(log_[i].process);
  }
  core::Cost cost(const Mark& since) const {
    return {cost_.r - since.cost.r, cost_.ww - since.cost.ww, cost_.wr - since.cost.wr};
  }

  // Entry `index` of the acting process's buffer goes to memory.
  void flush(unsigned index);
  // Would this edge fit into the acting process's buffer? Does not note a bound.
  bool room(const Edge&) const;
  // Has a step waited for room since the last call?
  bool take_bound_reached() { return std::exchange(bound_reached_, false); }
  // The processes that have since the last call; one may occur several times.
  template <class Callback>
  void take_withheld(Callback&& callback) {
    for (const std::uint32_t p : withheld_) callback(p);
    withheld_.clear();
  }

 private:
  core::Answer read(const core::Loc&) override;
  core::Fault write(const core::Loc&, const core::Value&) override;
  static core::Loc location(std::uint32_t cell) { return {cell, 0, 4}; }
  memory::Buffer& changing_buffer();

  const memory::Machine& machine_;
  const bool slots_;  // sb1
  const unsigned bound_;
  const bool one_entry_;
  const std::uint32_t unbuffered_;  // Program::mark where it orders nothing
  bool stored_ = false;             // has this step buffered a store?
  FlatPort flat_;
  std::vector<memory::Buffer> buffers_;
  struct Saved {
    std::uint32_t process;
    memory::Buffer buffer;
  };
  std::vector<Saved> log_;  // log_[0 … used_) ; the rest is kept for its memory
  std::size_t used_ = 0;
  std::uint32_t acting_ = 0;
  core::Cost cost_;
  bool bound_reached_ = false;
  std::vector<std::uint32_t> withheld_;
};

}  // namespace heddle::ir
