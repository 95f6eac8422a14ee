// sb1: one-place store buffers, one per thread and location (Havel, chapter 3). A second store replaces the first.
// Slots have no order, so the buffer is kept sorted by location: equal contents are equal states.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/rmw.h"
#include "memory/models.h"

namespace heddle::memory {
namespace {

class Sb1 final : public Machine {
 public:
  std::string_view name() const override { return "sb1"; }
  Traits traits() const override { return {.slots = true, .by_location = true}; }

  Performed perform(Buffer& buffer, Cells& memory, const core::Request& request, unsigned) const override {
    const auto slot = std::lower_bound(buffer.begin(), buffer.end(), request.loc,
                                       [](const Entry& e, const core::Loc& loc) { return e.loc < loc; });
    const bool full = slot != buffer.end() && slot->loc == request.loc;
    switch (request.kind) {
      case core::Kind::Load: {
        Performed done;
        done.answer = full ? core::Answer{slot->value} : memory.read(request.loc);
        done.from_buffer = full;
        if (request.waits && !core::wait_over(request, done.answer.value)) return {.outcome = Outcome::NotNow};
        done.cost.wr = buffer.empty() ? 0 : 1;
        return done;
      }
      case core::Kind::Store:
        if (request.order == core::Order::SeqCst || request.locked) {  // atomic: straight to memory, past the own slot
          const core::Fault fault = memory.write(request.loc, request.value);
          if (full) buffer.erase(slot);
          return {.answer = {.value = {}, .fault = fault}};
        }
        if (full) slot->value = request.value;
        else buffer.insert(slot, {Entry::Kind::Store, 0, request.loc, request.value});
        return {};
      case core::Kind::Rmw:
        if (!buffer.empty()) return {.outcome = Outcome::NotNow};
        return perform_on_memory(memory, request);
      default:
        if (request.order == core::Order::SeqCst && !buffer.empty()) return {.outcome = Outcome::NotNow};
        return {};
    }
  }

  void flushable(const Buffer& buffer, std::vector<unsigned>& indices) const override {
    indices.clear();
    for (unsigned i = 0; i < buffer.size(); ++i) indices.push_back(i);
  }

  Flushed flush(Buffer& buffer, Cells& memory, unsigned index) const override {
    Flushed result = perform_entry(buffer, memory, index);
    result.cost = {};  // slots have no age: none is older than another
    return result;
  }
};

}  // namespace

const Machine& sb1() {
  static const Sb1 machine;
  return machine;
}

}  // namespace heddle::memory
