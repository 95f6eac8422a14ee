// SPDX-License-Identifier: Apache-2.0
#include "ir/buffered_port.h"

#include <algorithm>
#include <limits>

namespace heddle::ir {

BufferedPort::BufferedPort(const Program& program, const memory::Machine& machine, unsigned bound)
    : machine_(machine),
      slots_(machine.traits().slots),
      bound_(bound),
      one_entry_(program.one_entry),
      unbuffered_(machine.traits().by_location && !slots_ ? none : program.mark),
      flat_(program),
      buffers_(program.processes.size()) {}

core::Answer BufferedPort::read(const core::Loc& loc) {
  return {core::Value(static_cast<std::uint32_t>(flat_.words()[loc.object]))};
}

core::Fault BufferedPort::write(const core::Loc& loc, const core::Value& value) {
  flat_.set(loc.object, static_cast<std::int32_t>(static_cast<std::uint32_t>(value.bits)));
  return core::Fault::None;
}

memory::Buffer& BufferedPort::changing_buffer() {
  if (used_ == log_.size()) log_.emplace_back();
  Saved& saved = log_[used_++];
  saved.process = acting_;
  saved.buffer = buffers_[acting_];  // copies into memory that is there already
  return buffers_[acting_];
}

std::int32_t BufferedPort::load(std::uint32_t cell) {
  memory::Buffer& buffer = buffers_[acting_];
  if (buffer.empty()) return flat_.words()[cell];
  core::Request request;
  request.kind = core::Kind::Load;
  request.loc = location(cell);
  const memory::Performed done = machine_.perform(buffer, *this, request, bound_);
  cost_ = cost_ + done.cost;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(done.answer.value.bits));
}

std::int32_t BufferedPort::see(std::uint32_t cell, std::uint32_t process) {
  const memory::Buffer& buffer = buffers_[process];
  if (buffer.empty()) return flat_.words()[cell];
  return static_cast<std::int32_t>(
      static_cast<std::uint32_t>(memory::see(buffer, *this, location(cell)).answer.value.bits));
}

bool BufferedPort::store(std::uint32_t cell, std::int32_t value, bool atomic) {
  if (cell == unbuffered_) return true;
  if (atomic) {
    memory::Buffer& buffer = changing_buffer();
    if (slots_) {
      std::erase_if(buffer, [&](const memory::Entry& e) { return e.loc == location(cell); });
    } else {
      while (!buffer.empty()) machine_.flush(buffer, *this, 0);
    }
    flat_.set(cell, value);
    return true;
  }
  core::Request request;
  request.kind = core::Kind::Store;
  request.loc = location(cell);
  request.value = core::Value(static_cast<std::uint32_t>(value));
  // admit() has seen to the room for all stores of the step.
  const unsigned bound = bound_ == 0 && !slots_ ? 0 : std::numeric_limits<unsigned>::max();
  memory::Buffer& buffer = changing_buffer();
  if (machine_.perform(buffer, *this, request, bound).outcome != memory::Outcome::Done) return false;
  if (one_entry_ && !buffer.empty()) buffer.back().joined = std::exchange(stored_, true);
  return true;
}

bool BufferedPort::room(const Edge& edge) const {
  unsigned waiting = edge.stores - edge.atomic_stores;
  if (slots_ || bound_ == 0 || waiting == 0) return true;
  if (one_entry_) waiting = 1;
  const std::size_t used = one_entry_ ? memory::count_stores(buffers_[acting_]) : buffers_[acting_].size();
  return used + waiting <= bound_ || used == 0;
}

bool BufferedPort::drained() const {
  return std::ranges::all_of(buffers_, [](const memory::Buffer& buffer) { return buffer.empty(); });
}

bool BufferedPort::ready(const Edge& edge) const {
  if (edge.fence_all) return drained();
  const bool waits = edge.fence || (edge.atomic_stores != 0 && !slots_);
  return !waits || buffers_[acting_].empty();
}

bool BufferedPort::admit(const Edge& edge) {
  if (room(edge)) return true;
  bound_reached_ = true;
  withheld_.push_back(acting_);
  return false;
}

void BufferedPort::undo(const Mark& mark) {
  flat_.undo(mark.words);
  while (used_ > mark.buffers) {
    --used_;
    buffers_[log_[used_].process].swap(log_[used_].buffer);
  }
  cost_ = mark.cost;
}

void BufferedPort::commit() {
  flat_.commit();
  used_ = 0;
  cost_ = {};
  withheld_.clear();
}

void BufferedPort::set_buffer(std::uint32_t process, const memory::Buffer& buffer) { buffers_[process] = buffer; }

void BufferedPort::flush(unsigned index) { cost_ = cost_ + machine_.flush(changing_buffer(), *this, index).cost; }

}  // namespace heddle::ir
