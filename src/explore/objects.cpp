// SPDX-License-Identifier: Apache-2.0
#include "explore/objects.h"

#include <cstring>

namespace heddle::explore {
namespace {

constexpr std::size_t header_size = sizeof(ObjectHeader);
std::size_t undefined_at(std::uint32_t size) { return header_size + size; }
std::size_t pointers_at(std::uint32_t size) { return undefined_at(size) + (size + 7) / 8; }
std::size_t chunk_size(std::uint32_t size) { return pointers_at(size) + (size / 8 + 7) / 8; }

bool bit(std::span<const std::byte> chunk, std::size_t base, std::uint32_t i) {
  return (std::to_integer<unsigned>(chunk[base + i / 8]) >> (i % 8) & 1) != 0;
}
void set_bit(std::span<std::byte> chunk, std::size_t base, std::uint32_t i, bool value) {
  std::byte& b = chunk[base + i / 8];
  const auto mask = static_cast<std::byte>(1u << (i % 8));
  b = value ? b | mask : b & ~mask;
}

}  // namespace

Objects::Objects(const core::Program& program) {
  for (const core::GlobalObject& global : program.globals()) {
    std::vector<std::byte> chunk(chunk_size(global.size));
    const ObjectHeader header{global.size, core::AllocKind::Static, 0, static_cast<std::uint8_t>(global.constant),
                              static_cast<std::uint8_t>(global.outside)};
    std::memcpy(chunk.data(), &header, sizeof header);
    if (global.size != 0 && !global.bytes.empty())
      std::memcpy(chunk.data() + header_size, global.bytes.data(), global.size);
    for (std::uint32_t i = 0; i < global.defined.size(); ++i)
      set_bit(chunk, undefined_at(global.size), i, !global.defined[i]);
    for (const std::uint32_t offset : global.pointers) set_bit(chunk, pointers_at(global.size), offset / 8, true);
    initial_.push_back(chunks_.intern(chunk));
    constant_.push_back(global.constant);
    ++globals_;
  }
}

std::uint32_t Objects::make(std::uint32_t size, core::AllocKind kind) {
  std::vector<std::byte> chunk(chunk_size(size));
  const ObjectHeader header{size, kind, 0, 0, kind == core::AllocKind::Outside};
  std::memcpy(chunk.data(), &header, sizeof header);
  for (std::uint32_t i = 0; i < size; ++i) set_bit(chunk, undefined_at(size), i, true);
  return chunks_.intern(chunk);
}

std::uint32_t Objects::instance(std::uint32_t global, core::AllocKind kind) {
  const auto model = get(initial_[global - 1]);
  std::vector<std::byte> chunk(model.begin(), model.end());
  const ObjectHeader header{header_of(model).size, kind, 0, 0, kind == core::AllocKind::Outside};
  std::memcpy(chunk.data(), &header, sizeof header);
  return chunks_.intern(chunk);
}

std::uint32_t Objects::freed(std::uint32_t chunk) {
  ObjectHeader h = header(chunk);
  h.freed = 1;
  return chunks_.intern(std::as_bytes(std::span(&h, 1)));
}

ObjectHeader Objects::header(std::uint32_t chunk) const { return header_of(get(chunk)); }

ObjectHeader Objects::header_of(std::span<const std::byte> chunk) {
  ObjectHeader h;
  std::memcpy(&h, chunk.data(), sizeof h);
  return h;
}

bool Objects::is_pointer(std::span<const std::byte> chunk, std::uint32_t size, std::uint32_t word) {
  return bit(chunk, pointers_at(size), word);
}

core::Value Objects::read(std::span<const std::byte> chunk, std::uint32_t offset, std::uint32_t size) {
  const std::uint32_t whole = header_of(chunk).size;
  core::Value v;
  std::memcpy(&v.bits, chunk.data() + header_size + offset, size);
  for (std::uint32_t i = 0; i < size; ++i)
    if (bit(chunk, undefined_at(whole), offset + i)) v.undefined = static_cast<std::uint8_t>(v.undefined | 1u << i);
  v.pointer = size == 8 && offset % 8 == 0 && is_pointer(chunk, whole, offset / 8);
  if (size == 0 || v.pointer || (size == 8 && offset % 8 == 0)) return v;
  // A part of a pointer is no number: a value of fewer than eight bytes is marked, and of eight bytes there is none.
  for (std::uint32_t word = offset / 8; word <= (offset + size - 1) / 8 && word < whole / 8; ++word)
    if (is_pointer(chunk, whole, word)) {
      if (size < 8) v.pointer = true;
      else v.undefined = 0xff;
    }
  return v;
}

void Objects::write(std::span<std::byte> chunk, std::uint32_t offset, std::uint32_t size, const core::Value& value) {
  const std::uint32_t whole = header_of(chunk).size;
  std::uint64_t bits = value.bits;
  for (std::uint32_t i = 0; i < size; ++i) {
    const bool undefined = (value.undefined >> i & 1) != 0;
    set_bit(chunk, undefined_at(whole), offset + i, undefined);
    if (undefined) bits &= ~(std::uint64_t{0xff} << (8 * i));  // what has no value is always stored as zero
  }
  std::memcpy(chunk.data() + header_size + offset, &bits, size);
  for (std::uint32_t word = offset / 8; word <= (offset + size - 1) / 8 && word < whole / 8; ++word)
    set_bit(chunk, pointers_at(whole), word, value.pointer && size == 8 && offset % 8 == 0);
}

core::Fault fault_of(const core::Loc& loc, const ObjectHeader& header, bool writes) {
  if (header.freed != 0) return core::Fault::Freed;
  if (std::uint64_t{loc.offset} + loc.size > header.size) return core::Fault::OutOfBounds;
  if (writes && header.constant != 0) return core::Fault::ReadOnly;
  return core::Fault::None;
}

}  // namespace heddle::explore
