// lmo and nsw: loads and stores wait in one buffer and are performed in any order in which no entry overtakes an
// overlapping one (LLMC thesis, section 3.2.3). nsw adds that no store is performed before an older load, nor is a
// read-modify-write, which might store.
//
// A load that its newest overlapping pending store covers reads it at once; all others are deferred. Acquire and
// seq_cst loads leave a wait for loads behind, seq_cst stores a wait for everything: the thread is held until it goes.
// SPDX-License-Identifier: Apache-2.0
#include "memory/models.h"

namespace heddle::memory {
namespace {

using core::Order;

bool any(const Buffer& buffer, Entry::Kind kind) {
  for (const Entry& e : buffer)
    if (e.kind == kind) return true;
  return false;
}

// The newest store that overlaps `loc`, or null.
const Entry* newest_store(const Buffer& buffer, const core::Loc& loc) {
  for (std::size_t i = buffer.size(); i-- > 0;)
    if (buffer[i].kind == Entry::Kind::Store && buffer[i].loc.overlaps(loc)) return &buffer[i];
  return nullptr;
}

class Lmo final : public Machine {
 public:
  explicit Lmo(bool non_speculative) : non_speculative_(non_speculative) {}
  std::string_view name() const override { return non_speculative_ ? "nsw" : "lmo"; }
  Traits traits() const override { return {.silent_stores = true}; }
  bool defers_loads() const override { return true; }

  Performed perform(Buffer& buffer, Cells& memory, const core::Request& request, unsigned bound) const override {
    constexpr Performed not_now{.outcome = Outcome::NotNow};
    if (held(buffer)) return not_now;
    const auto at_once = [&] { return buffer.empty() ? perform_on_memory(memory, request) : not_now; };
    if (request.locked) return at_once();
    switch (request.kind) {
      case core::Kind::Load: {
        if (request.waits) return at_once();
        const bool acquire = request.order == Order::Acquire || request.order == Order::SeqCst;
        const bool loads = any(buffer, Entry::Kind::Load);
        if (const Entry* store = newest_store(buffer, request.loc);
            store != nullptr && store->loc.covers(request.loc)) {
          Performed done{.answer = {extract(store->value, store->loc, request.loc)}, .from_buffer = true};
          done.cost = {loads ? 1u : 0u, 0, 1};
          if (acquire && loads) buffer.push_back({.kind = Entry::Kind::WaitLoads});
          return done;
        }
        if (const core::Answer there = memory.read(request.loc); there.fault != core::Fault::None)
          return {.answer = there};
        buffer.push_back({Entry::Kind::Load, request.slot, request.loc, {}});
        if (acquire) buffer.push_back({.kind = Entry::Kind::WaitLoads});
        return {.outcome = Outcome::Deferred};
      }
      case core::Kind::Store:
        if (request.order >= Order::Release && !buffer.empty()) return not_now;
        if (const core::Answer there = memory.read(request.loc); there.fault != core::Fault::None)
          return {.answer = there};
        if (bound == 0) return passes_all(buffer, request.loc) ? perform_on_memory(memory, request) : not_now;
        if (count_stores(buffer) >= bound) return {.outcome = Outcome::NotNow, .full = true};
        buffer.push_back({Entry::Kind::Store, 0, request.loc, request.value});
        if (request.order == Order::SeqCst) buffer.push_back({.kind = Entry::Kind::WaitAll});
        return {};
      case core::Kind::Rmw: {
        if (request.order > Order::Relaxed) return at_once();
        if (!passes_all(buffer, request.loc)) return not_now;
        Performed done = perform_on_memory(memory, request);
        if (done.outcome == Outcome::Done) {
          const bool stores = any(buffer, Entry::Kind::Store);
          done.cost = {any(buffer, Entry::Kind::Load) ? 1u : 0u, stores && wrote(request, done.answer.value) ? 1u : 0u,
                       stores ? 1u : 0u};
        }
        return done;
      }
      default:
        switch (request.order) {
          case Order::SeqCst:
          case Order::AcqRel: return buffer.empty() ? Performed{} : not_now;
          case Order::Release: return any(buffer, Entry::Kind::Store) ? not_now : Performed{};
          case Order::Acquire: return any(buffer, Entry::Kind::Load) ? not_now : Performed{};
          default: return {};
        }
    }
  }

  void flushable(const Buffer& buffer, std::vector<unsigned>& indices) const override {
    indices.clear();
    bool older_load = false;
    for (unsigned i = 0; i < buffer.size(); ++i) {
      const Entry& e = buffer[i];
      if (e.kind != Entry::Kind::Store && e.kind != Entry::Kind::Load) continue;
      const bool speculative = non_speculative_ && older_load && e.kind == Entry::Kind::Store;
      if (!speculative && !any_overlap(buffer, e.loc, i)) indices.push_back(i);
      older_load |= e.kind == Entry::Kind::Load;
    }
  }

  Flushed flush(Buffer& buffer, Cells& memory, unsigned index) const override {
    return perform_entry(buffer, memory, index);
  }

  bool held(const Buffer& buffer) const override {
    return !buffer.empty() && buffer.back().kind != Entry::Kind::Store && buffer.back().kind != Entry::Kind::Load;
  }

 private:
  // May a write to `loc` reach memory now, before everything in the buffer?
  bool passes_all(const Buffer& buffer, const core::Loc& loc) const {
    return !any_overlap(buffer, loc, buffer.size()) && !(non_speculative_ && any(buffer, Entry::Kind::Load));
  }

  bool non_speculative_;
};

}  // namespace

const Machine& lmo() {
  static const Lmo machine(false);
  return machine;
}

const Machine& nsw() {
  static const Lmo machine(true);
  return machine;
}

}  // namespace heddle::memory
