// A product, its first state, and its states as words: what is large is interned, and a state holds its numbers.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "explore/product.h"
#include "explore/product_work.h"
#include "support/diagnostics.h"

namespace heddle::explore {
namespace {

using core::Kind;

// A buffer entry as bytes without padding.
struct PackedEntry {
  std::uint64_t bits, undefined;
  std::uint32_t object, offset, size;
  std::uint16_t slot;
  std::uint8_t kind, pointer;
};
static_assert(sizeof(PackedEntry) == 32);

constexpr std::uint32_t ended_bit = 1u << 31;
constexpr std::uint32_t leaked_bit = 1u << 30;
constexpr std::uint32_t buffers_bit = 1u << 29;  // some thread's is not empty
constexpr std::uint32_t names_cut_bit = 1u << 28;

// Threads that stand in front of memory in a state; the others stand behind it. The first thread mostly waits for the
// others and counts for nothing.
std::size_t threads_in_front(std::size_t threads) { return std::min(threads, threads / 2 + 1); }

}  // namespace

std::uint32_t Product::number_of(const memory::Buffer& buffer) const {
  if (buffer.empty()) return 0;
  thread_local std::vector<PackedEntry> packed;
  packed.clear();
  for (const memory::Entry& e : buffer) {
    PackedEntry p{};
    p.bits = e.value.bits;
    p.object = e.loc.object;
    p.offset = e.loc.offset;
    p.size = e.loc.size;
    p.slot = e.slot;
    p.kind = static_cast<std::uint8_t>(e.kind);
    p.undefined = e.value.undefined;
    p.pointer = e.value.pointer ? 1 : 0;
    packed.push_back(p);
  }
  return buffers_.intern(std::as_bytes(std::span(packed)));
}

void Product::buffer_of(std::uint32_t number, memory::Buffer& buffer) const {
  buffer.clear();
  if (number == 0) return;
  const auto bytes = buffers_.get(number);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(PackedEntry)) {
    PackedEntry p;
    std::memcpy(&p, bytes.data() + at, sizeof p);
    memory::Entry e;
    e.kind = static_cast<memory::Entry::Kind>(p.kind);
    e.slot = p.slot;
    e.loc = {p.object, p.offset, p.size};
    e.value.bits = p.bits;
    e.value.undefined = p.undefined;
    e.value.pointer = p.pointer != 0;
    buffer.push_back(e);
  }
}

void Product::encode(World& world, Work& work, std::vector<std::uint32_t>& slots) const {
  const bool buffers = std::ranges::any_of(world.threads, [](const auto& thread) { return !thread.buffer.empty(); });
  const bool memory = world.objects.size() > 1;
  slots.resize(1 + world.threads.size() * (buffers ? 2 : 1) +
               (memory ? world.objects.size() - 1 - objects_.globals() + objects_.variables().size() : 0));
  std::uint32_t* at = slots.data();
  *at++ = static_cast<std::uint32_t>(world.threads.size()) | (world.ended ? ended_bit : 0) |
          (world.leaked ? leaked_bit : 0) | (buffers ? buffers_bit : 0) | (world.names_cut ? names_cut_bit : 0);
  const auto put_threads = [&](std::size_t from, std::size_t to) {
    for (std::size_t t = from; t < to; ++t) {
      *at++ = world.threads[t].local;
      if (buffers) *at++ = number_of(world.threads[t].buffer);
    }
  };
  const auto put_globals = [&](std::span<const std::uint32_t> globals) {
    for (const std::uint32_t object : globals) *at++ = world.objects[object];
  };
  const std::size_t front = threads_in_front(world.threads.size());
  if (memory) put_globals(late_globals());
  put_threads(0, front);
  if (memory) {
    at = std::copy(world.objects.begin() + objects_.globals() + 1, world.objects.end(), at);
    put_globals(early_globals());
  }
  put_threads(front, world.threads.size());
  HEDDLE_ASSERT(at == slots.data() + slots.size());
  if (!options_.races || world.ended) return;
  work.owners.clear();
  for (World::Thread& thread : world.threads)
    work.owners.push_back({&thread.buffer, work.runner.request(thread.local).kind == Kind::Ended});
  world.races.normalise(work.owners);
  world.races.encode(work.owners, work.clocks, work.accesses);
  slots.push_back(clocks_.intern(work.clocks));
  slots.push_back(clocks_.intern(work.accesses));
}

void Product::decode(core::State state, Work& work) const {
  work.source = state;
  work.renaming.forget_ways();
  World& world = work.base;
  world.others_as_before = true;
  world.ended = (state[0] & ended_bit) != 0;
  world.leaked = (state[0] & leaked_bit) != 0;
  world.names_cut = (state[0] & names_cut_bit) != 0;
  const bool buffers = (state[0] & buffers_bit) != 0;
  const bool memory = !world.ended || options_.conditions != nullptr;
  const std::uint32_t count = state[0] & ~(ended_bit | leaked_bit | buffers_bit | names_cut_bit);
  const std::size_t front = threads_in_front(count);
  const std::size_t end = state.size() - (options_.races && !world.ended ? 2 : 0);
  const std::uint32_t* at = state.data() + 1;
  const auto take_threads = [&](std::size_t from, std::size_t to) {
    for (std::size_t t = from; t < to; ++t) {
      world.threads[t].local = *at++;
      buffer_of(buffers ? *at++ : 0, world.threads[t].buffer);
    }
  };
  const auto take_globals = [&](std::span<const std::uint32_t> globals) {
    for (const std::uint32_t object : globals) world.objects[object] = *at++;
  };
  if (memory) {
    if (const auto initial = objects_.initial(); world.objects.size() < initial.size())
      world.objects.assign(initial.begin(), initial.end());
    else world.objects.resize(initial.size());
    take_globals(late_globals());
  } else {
    world.objects.assign(1, 0);
  }
  world.threads.resize(count);
  take_threads(0, front);
  if (memory) {
    const std::uint32_t* const behind = state.data() + end - (count - front) * (buffers ? 2 : 1);
    const std::uint32_t* const globals = behind - early_globals().size();
    world.objects.insert(world.objects.end(), at, globals);
    at = globals;
    take_globals(early_globals());
  }
  take_threads(front, count);
  if (!options_.races || world.ended) return;
  work.owners.clear();
  for (World::Thread& thread : world.threads) work.owners.push_back({&thread.buffer, false});
  world.races.decode(work.owners, clocks_.get(state[end]), clocks_.get(state[end + 1]), options_.seq_cst_only);
}

std::optional<std::string> Product::refuse(const core::Program& program, const memory::Machine& machine) {
  if (machine.defers_loads() && !program.features().pending_loads)
    return fmt::format("{} puts loads off, which this language cannot express", machine.name());
  if (machine.traits().slots && program.features().mixed_sizes)
    return fmt::format("{} has one slot per variable and no accesses of mixed size; use tso or pso", machine.name());
  return std::nullopt;
}

Product::Product(const core::Program& program, const memory::Machine& machine, const ProductOptions& options)
    : program_(program), machine_(machine), options_(options), threads_(program), objects_(program) {
  HEDDLE_ASSERT(buffers_.intern({}) == 0);
}

Product::~Product() = default;

std::unique_ptr<Product::Scratch> Product::make_scratch() const { return std::make_unique<Work>(threads_, objects_); }

std::vector<std::uint32_t> Product::initial(Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  World world;
  world.objects.assign(objects_.initial().begin(), objects_.initial().end());
  core::Tid self = 0;
  for (const auto& entry : program_.initial_threads()) {
    world.threads.emplace_back();
    world.threads.back().local = work.runner.start(entry.entry, entry.arg, self++);
  }
  if (options_.races) world.races.start(self, options_.seq_cst_only);
  std::vector<std::uint32_t> slots;
  encode(world, work, slots);
  return slots;
}

std::uint32_t Product::error_number(const core::Failure& failure) const {
  const std::lock_guard lock(errors_mutex_);
  for (std::size_t i = 0; i < errors_.size(); ++i)
    if (errors_[i].kind == failure.kind && errors_[i].site == failure.site && errors_[i].message == failure.message)
      return static_cast<std::uint32_t>(i + 1);
  errors_.push_back(failure);
  return static_cast<std::uint32_t>(errors_.size());
}

bool Product::proper_end(core::State state, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  decode(state, work);
  if (work.base.ended) return true;
  bool all_ended = true;
  for (const World::Thread& thread : work.base.threads) {
    const core::Request& request = work.runner.request(thread.local);
    if (request.stands_still()) return true;  // a failed assumption: this execution does not count; or it diverges
    all_ended &= request.kind == Kind::Ended;
  }
  return all_ended;
}

bool Product::assumption_failed(core::State state, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  decode(state, work);
  return work.assumption_failed(work.base);
}

std::vector<std::string> Product::bounds_reached() const {
  std::vector<std::string> bounds;
  if (buffer_bound_reached_.load()) bounds.push_back(fmt::format("buffer {}", options_.buffer_bound));
  if (load_bound_reached_.load()) bounds.push_back(fmt::format("{} pending loads", most_pending_loads));
  return bounds;
}

std::uint64_t Product::bytes() const {
  return threads_.bytes() + objects_.bytes() + buffers_.bytes() + clocks_.bytes();
}

}  // namespace heddle::explore
