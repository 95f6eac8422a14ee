// pso: as tso, but entries to different locations may overtake each other unless a mark stands between them.
// Release stores, release and acq_rel fences put a mark; a seq_cst store also makes the thread wait.
// SPDX-License-Identifier: Apache-2.0
#include "memory/models.h"

namespace heddle::memory {
namespace {

using core::Order;

bool has_barrier(const Buffer& buffer) {
  for (const Entry& e : buffer)
    if (e.kind != Entry::Kind::Store) return true;
  return false;
}

void put_mark(Buffer& buffer) {
  if (!buffer.empty() && buffer.back().kind == Entry::Kind::Store) buffer.push_back({.kind = Entry::Kind::Mark});
}

class Pso final : public Machine {
 public:
  std::string_view name() const override { return "pso"; }
  Traits traits() const override {
    return {.silent_stores = true, .joint_stores = true, .by_location = true, .private_stores_sleep = true};
  }

  Performed perform(Buffer& buffer, Cells& memory, const core::Request& request, unsigned bound) const override {
    constexpr Performed not_now{.outcome = Outcome::NotNow};
    if (held(buffer)) return not_now;
    const auto at_once = [&] { return buffer.empty() ? perform_on_memory(memory, request) : not_now; };
    if (request.locked) return at_once();
    switch (request.kind) {
      case core::Kind::Load: return load_through_buffer(buffer, memory, request);
      case core::Kind::Store: {
        if (bound == 0) return perform_on_memory(memory, request);
        if (const core::Answer there = memory.read(request.loc); there.fault != core::Fault::None)
          return {.answer = there};
        if (count_stores(buffer) >= bound) return {.outcome = Outcome::NotNow, .full = true};
        if (request.order >= Order::Release) put_mark(buffer);
        buffer.push_back({Entry::Kind::Store, 0, request.loc, request.value});
        if (request.order == Order::SeqCst) buffer.push_back({.kind = Entry::Kind::WaitAll});
        return {};
      }
      case core::Kind::Rmw: {
        if (request.order >= Order::Release) return at_once();
        if (any_overlap(buffer, request.loc, buffer.size()) || has_barrier(buffer)) return not_now;
        Performed done = perform_on_memory(memory, request);
        if (done.outcome == Outcome::Done && !buffer.empty()) {
          done.cost.wr = 1;
          done.cost.ww = wrote(request, done.answer.value) ? 1 : 0;
        }
        return done;
      }
      default:
        if (request.order == Order::SeqCst) return at_once();
        if (request.order >= Order::Release) put_mark(buffer);
        return {};
    }
  }

  void flushable(const Buffer& buffer, std::vector<unsigned>& indices) const override {
    indices.clear();
    for (unsigned i = 0; i < buffer.size(); ++i) {
      if (buffer[i].kind != Entry::Kind::Store) break;  // a mark or a wait: nothing behind it may go
      if (buffer[i].joined) continue;
      bool free = !any_overlap(buffer, buffer[i].loc, i);
      for (unsigned k = i + 1; k < buffer.size() && buffer[k].joined; ++k)
        free = free && !any_overlap(buffer, buffer[k].loc, i);
      if (free) indices.push_back(i);
    }
  }

  Flushed flush(Buffer& buffer, Cells& memory, unsigned index) const override {
    return perform_entry(buffer, memory, index);
  }

  bool held(const Buffer& buffer) const override {
    return !buffer.empty() && buffer.back().kind == Entry::Kind::WaitAll;
  }
};

}  // namespace

const Machine& pso() {
  static const Pso machine;
  return machine;
}

}  // namespace heddle::memory
