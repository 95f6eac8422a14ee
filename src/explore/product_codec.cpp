// States of a product as words: what is large is interned, and a state holds its numbers.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "explore/product.h"
#include "explore/product_work.h"

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
  slots.clear();
  slots.push_back(static_cast<std::uint32_t>(world.threads.size()) | (world.ended ? ended_bit : 0) |
                  (world.leaked ? leaked_bit : 0));
  for (const World::Thread& thread : world.threads) {
    slots.push_back(thread.local);
    slots.push_back(number_of(thread.buffer));
    if (work.runner.names_matter(thread.local)) addresses_.store(true, std::memory_order_relaxed);
  }
  for (std::uint32_t object = 1; object < world.objects.size(); ++object)
    if (object > objects_.globals() || !objects_.constant(object)) slots.push_back(world.objects[object]);
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
  World& world = work.base;
  world.ended = (state[0] & ended_bit) != 0;
  world.leaked = (state[0] & leaked_bit) != 0;
  const std::uint32_t count = state[0] & ~(ended_bit | leaked_bit);
  world.threads.resize(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    world.threads[t].local = state[1 + 2 * t];
    buffer_of(state[2 + 2 * t], world.threads[t].buffer);
  }
  world.objects.clear();
  world.objects.push_back(0);
  if (world.ended && options_.conditions == nullptr) return;
  std::size_t at = 1 + 2 * std::size_t{count};
  for (std::uint32_t object = 1; object <= objects_.globals(); ++object)
    world.objects.push_back(objects_.constant(object) ? objects_.initial(object) : state[at++]);
  const std::size_t end = state.size() - (options_.races && !world.ended ? 2 : 0);
  while (at < end) world.objects.push_back(state[at++]);
  if (!options_.races || world.ended) return;
  work.owners.clear();
  for (World::Thread& thread : world.threads) work.owners.push_back({&thread.buffer, false});
  world.races.decode(work.owners, clocks_.get(state[end]), clocks_.get(state[end + 1]));
}

}  // namespace heddle::explore
