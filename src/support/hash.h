// Hash functions of the tables in this folder. All bits of a result are good, so that tables may cut it into partition,
// bucket and tag. They are fixed for all time and machines of one byte order: runs are repeatable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace heddle::support {

// A permutation of the 64-bit words (the finaliser of MurmurHash3, with Stafford's "Mix13" constants).
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

constexpr std::uint64_t hash_pair(std::uint32_t a, std::uint32_t b, std::uint32_t salt) {
  return mix((std::uint64_t{b} << 32 | a) ^ salt * 0x9e3779b97f4a7c15U);
}

inline std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  std::uint64_t h = bytes.size() * 0x9e3779b97f4a7c15U;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    h = (h ^ word) * 0xd6e8feb86659fd93U;
    h ^= h >> 32;
  }
  std::uint64_t rest = 0;
  if (i < bytes.size()) std::memcpy(&rest, bytes.data() + i, bytes.size() - i);
  return mix(h ^ rest);
}

}  // namespace heddle::support
