// tso: x86-TSO. One first-in-first-out buffer per thread; a load reads the thread's own buffer first.
// SPDX-License-Identifier: Apache-2.0
#include "memory/models.h"

namespace heddle::memory {
namespace {

class Tso final : public Machine {
 public:
  std::string_view name() const override { return "tso"; }
  Traits traits() const override { return {.fifo = true, .silent_stores = true, .joint_stores = true}; }

  Performed perform(Buffer& buffer, Cells& memory, const core::Request& request, unsigned bound) const override {
    const auto at_once = [&] {
      return buffer.empty() ? perform_on_memory(memory, request) : Performed{.outcome = Outcome::NotNow};
    };
    if (request.locked) return at_once();
    switch (request.kind) {
      case core::Kind::Load: return load_through_buffer(buffer, memory, request);
      case core::Kind::Store:
        if (request.order == core::Order::SeqCst) return at_once();
        if (bound == 0) return perform_on_memory(memory, request);
        // A location that does not exist is the storing thread's mistake, not memory's later on.
        if (const core::Answer there = memory.read(request.loc); there.fault != core::Fault::None)
          return {.answer = there};
        if (buffer.size() >= bound) return {.outcome = Outcome::NotNow, .full = true};
        buffer.push_back({Entry::Kind::Store, 0, request.loc, request.value});
        return {};
      case core::Kind::Rmw: return at_once();
      default: return request.order == core::Order::SeqCst ? at_once() : Performed{};
    }
  }

  void flushable(const Buffer& buffer, std::vector<unsigned>& indices) const override {
    indices.clear();
    if (!buffer.empty()) indices.push_back(0);
  }

  Flushed flush(Buffer& buffer, Cells& memory, unsigned index) const override {
    return perform_entry(buffer, memory, index);
  }
};

}  // namespace

const Machine& tso() {
  static const Tso machine;
  return machine;
}

}  // namespace heddle::memory
