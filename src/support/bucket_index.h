// A hash index from 64-bit hashes to small numbers, in buckets of one cache line. What the numbers stand for, and
// whether it is the thing searched for, the owner decides; a tag of eight bits spares it nearly all wrong questions.
//
// A bucket: one byte with the number of its entries and whether entries overflowed to the next bucket, then the tags,
// then the numbers, each of 2, 3 or 4 bytes as the largest needs. It is filled to 86 % and grows by half: chunks are
// added and all is entered again, in place. (Growing by an eighth saves a byte an entry and enters each entry four
// times as often.)
//
// Who adds or grows must be alone with the index, by a lock or otherwise. glimpse and prefetch may be called at any
// time: buckets are written in whole words, the head of an entry last, so that a glimpse of it finds the rest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include "support/chunk_arena.h"

namespace heddle::support {

class BucketIndex {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t size() const { return count_.load(std::memory_order_relaxed); }

  // The number entered with hash h for which same(number) holds, or none.
  template <class Same>
  std::uint32_t find(std::uint64_t h, const Same& same) const {
    const std::uint32_t buckets = buckets_.load(std::memory_order_relaxed);
    if (buckets == 0) return none;
    for (std::uint32_t b = home(h, buckets);; b = b + 1 == buckets ? 0 : b + 1) {
      const std::byte* bucket = at(b);
      const auto head = std::to_integer<unsigned>(bucket[0]);
      for (std::uint32_t hits = match(bucket, tag(h)) & ((1U << (head & count_mask)) - 1); hits != 0;
           hits &= hits - 1) {
        const std::uint32_t number = read(bucket, static_cast<unsigned>(std::countr_zero(hits)));
        if (same(number)) return number;
      }
      if ((head & overflowed) == 0) return none;
    }
  }

  // The first number that find would ask about, in the hash's own bucket; none if there is none.
  std::uint32_t candidate(std::uint64_t h) const {
    const std::uint32_t buckets = buckets_.load(std::memory_order_relaxed);
    if (buckets == 0) return none;
    const std::byte* bucket = at(home(h, buckets));
    const unsigned count = std::to_integer<unsigned>(bucket[0]) & count_mask;
    const std::uint32_t hits = match(bucket, tag(h)) & ((1U << count) - 1);
    return hits == 0 ? none : read(bucket, static_cast<unsigned>(std::countr_zero(hits)));
  }

  // find, but beside somebody who adds or grows. It may miss what is there, and it may ask about numbers that were
  // never entered; so `same` must stand any number, and who finds nothing must look again, alone.
  template <class Same>
  std::uint32_t glimpse(std::uint64_t h, const Same& same) const {
    const std::uint32_t buckets = buckets_.load(std::memory_order_acquire);
    if (buckets == 0) return none;
    const unsigned width = width_.load(std::memory_order_relaxed);
    std::uint32_t b = home(h, buckets);
    for (unsigned tries = 0; tries < most_glimpses; ++tries, b = b + 1 == buckets ? 0 : b + 1) {
      const std::byte* bucket = at(b);
      const std::uint64_t first = word(bucket, 0).load(std::memory_order_acquire);
      const std::uint64_t second = word(bucket, 1).load(std::memory_order_relaxed);
      const std::uint64_t third = width == 2 ? word(bucket, 2).load(std::memory_order_relaxed) : 0;
      const auto head = static_cast<unsigned>(first & 0xff);
      const std::uint32_t used = (1U << std::min(head & count_mask, entries(width))) - 1;
      for (std::uint32_t hits = match(first, second, third, tag(h)) & used; hits != 0; hits &= hits - 1) {
        const std::uint32_t number = read_words(bucket, static_cast<unsigned>(std::countr_zero(hits)), width);
        if (same(number)) return number;
      }
      if ((head & overflowed) == 0) break;
    }
    return none;
  }

  // Must grow() before the next add()?
  bool full(std::uint32_t number) const {
    const unsigned width = width_.load(std::memory_order_relaxed);
    return size() >= limit_ || (width < 4 && number >> (8 * width) != 0);
  }

  void add(std::uint64_t h, std::uint32_t number) {
    place(h, number);
    count_.store(size() + 1, std::memory_order_relaxed);
  }

  // Forgets everything, so that the index can begin anew in another arena. Nobody may look at it meanwhile.
  void clear() {
    chunks_.clear();
    buckets_.store(0, std::memory_order_relaxed);
    count_.store(0, std::memory_order_relaxed);
    width_.store(2, std::memory_order_relaxed);
    limit_ = 0;
  }

  // Makes room for at least one more entry, numbers up to `largest` included. refill(place) then enters everything
  // again: place(h, number) for each entry. The arena is the same at all calls, unless clear() came between.
  template <class Refill>
  void grow(std::uint32_t largest, ChunkArena& arena, const Refill& refill) {
    const unsigned width = largest >> 16 == 0 ? 2 : largest >> 24 == 0 ? 3 : 4;
    std::uint32_t chunks = buckets_.load(std::memory_order_relaxed);
    if (chunks == 0) chunk_shift_ = static_cast<std::uint8_t>(std::countr_zero(arena.chunk_bytes() / bucket_bytes));
    chunks >>= chunk_shift_;
    for (std::uint32_t i = 0; i < chunks; ++i) {
      const std::byte* const chunk = chunks_[i];
      for (unsigned w = 0; w < arena.chunk_bytes() / 8; ++w) word(chunk, w).store(0, std::memory_order_relaxed);
    }
    const std::uint32_t step = chunks / 2 + 1;
    if (width > width_.load(std::memory_order_relaxed))
      width_.store(static_cast<std::uint8_t>(width), std::memory_order_relaxed);
    const auto limit = [&] {
      return static_cast<std::uint32_t>((std::uint64_t{chunks} << chunk_shift_) * entries() * 55 / 64);
    };
    const std::uint32_t target = chunks + step;
    while (chunks < target || limit() <= size()) chunks_.append(chunks, arena), ++chunks;
    limit_ = limit();
    buckets_.store(chunks << chunk_shift_, std::memory_order_release);
    refill([this](std::uint64_t h, std::uint32_t number) { place(h, number); });
  }

  // All numbers, for owners that cannot list them otherwise when they refill.
  void collect(std::vector<std::uint32_t>& out) const {
    for (std::uint32_t b = 0; b < buckets_.load(std::memory_order_relaxed); ++b) {
      const std::byte* bucket = at(b);
      const unsigned count = std::to_integer<unsigned>(bucket[0]) & count_mask;
      for (unsigned i = 0; i < count; ++i) out.push_back(read(bucket, i));
    }
  }

  void prefetch(std::uint64_t h) const {
    const std::uint32_t buckets = buckets_.load(std::memory_order_acquire);
    if (buckets != 0) __builtin_prefetch(at(home(h, buckets)));
  }

 private:
  static constexpr std::size_t bucket_bytes = 64;
  static constexpr unsigned count_mask = 0x1f;
  static constexpr unsigned overflowed = 0x80;
  static constexpr unsigned most_glimpses = 4;  // buckets

  static std::uint32_t home(std::uint64_t h, std::uint32_t buckets) {
    return static_cast<std::uint32_t>((h >> 32) * buckets >> 32);
  }
  static std::uint8_t tag(std::uint64_t h) { return static_cast<std::uint8_t>(h >> 24); }
  static unsigned entries(unsigned width) { return width == 2 ? 21 : width == 3 ? 15 : 12; }
  unsigned entries() const { return entries(width_.load(std::memory_order_relaxed)); }
  static std::atomic_ref<std::uint64_t> word(const std::byte* bucket, unsigned i) {
    return std::atomic_ref(reinterpret_cast<std::uint64_t*>(const_cast<std::byte*>(bucket))[i]);
  }
  std::byte* at(std::uint32_t bucket) const {
    return chunks_[bucket >> chunk_shift_] + (bucket & ((1U << chunk_shift_) - 1)) * bucket_bytes;
  }

  // Bit i: tag i of the bucket equals `wanted`. Bits behind the last entry are noise.
  static std::uint32_t match(const std::byte* bucket, std::uint8_t wanted) {
#if defined(__SSE2__)
    const __m128i all = _mm_set1_epi8(static_cast<char>(wanted));
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bucket + 1));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bucket + 17));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(low, all))) |
           static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(high, all))) << 16;
#elif defined(__ARM_NEON)
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(bucket) + 1;
    const uint8x16_t all = vdupq_n_u8(wanted);
    return equal_bits(vceqq_u8(vld1q_u8(bytes), all), vceq_u8(vld1_u8(bytes + 16), vget_low_u8(all)));
#else
    std::uint64_t words[3];
    std::memcpy(words, bucket, sizeof words);
    return match(words[0], words[1], words[2], wanted);
#endif
  }
  // The same from the first three words of the bucket.
  static std::uint32_t match(std::uint64_t first, std::uint64_t second, std::uint64_t third, std::uint8_t wanted) {
#if defined(__SSE2__)
    const __m128i all = _mm_set1_epi8(static_cast<char>(wanted));
    const __m128i low = _mm_set_epi64x(static_cast<long long>(second), static_cast<long long>(first));
    const __m128i high = _mm_cvtsi64_si128(static_cast<long long>(third));
    const auto equal = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(low, all))) |
                       static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(high, all))) << 16;
    return equal >> 1;
#elif defined(__ARM_NEON)
    const uint8x16_t all = vdupq_n_u8(wanted);
    const uint8x16_t low = vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(first), vcreate_u64(second)));
    return equal_bits(vceqq_u8(low, all), vceq_u8(vcreate_u8(third), vget_low_u8(all))) >> 1;
#else
    const auto equal = [wanted](std::uint64_t word) {
      constexpr std::uint64_t low_bits = 0x7f7f7f7f7f7f7f7fU;
      word ^= 0x0101010101010101U * wanted;
      const std::uint64_t zero = ~(((word & low_bits) + low_bits) | word | low_bits);  // 0x80 in each byte that was 0
      return static_cast<std::uint32_t>((zero >> 7) * 0x0102040810204080U >> 56);
    };
    return (equal(first) | equal(second) << 8 | equal(third) << 16) >> 1;
#endif
  }

#if defined(__ARM_NEON)
  // Bit i: byte i of low (16) and high (8), of which each is 0 or 255, is 255.
  static std::uint32_t equal_bits(uint8x16_t low, uint8x8_t high) {
    constexpr std::uint64_t powers = 0x8040201008040201U;  // byte i: 2^i
    const uint8x8_t bits = vcreate_u8(powers);
    const std::uint32_t first = vaddv_u8(vand_u8(vget_low_u8(low), bits));
    const std::uint32_t second = vaddv_u8(vand_u8(vget_high_u8(low), bits));
    const std::uint32_t third = vaddv_u8(vand_u8(high, bits));
    return first | second << 8 | third << 16;
  }
#endif

  std::uint32_t read(const std::byte* bucket, unsigned i) const {
    const unsigned width = width_.load(std::memory_order_relaxed);
    if (width == 2) {
      std::uint16_t number;
      std::memcpy(&number, bucket + 22 + 2 * i, 2);
      return number;
    }
    std::uint32_t number;
    std::memcpy(&number, bucket + 1 + entries(width) + i * width, 4);
    return width == 3 ? number & 0xffffffU : number;
  }
  static std::uint32_t read_words(const std::byte* bucket, unsigned i, unsigned width) {
    const unsigned from = 1 + entries(width) + i * width;
    const unsigned shift = from % 8 * 8;
    std::uint64_t value = word(bucket, from / 8).load(std::memory_order_relaxed) >> shift;
    if (shift + 8 * width > 64) value |= word(bucket, from / 8 + 1).load(std::memory_order_relaxed) << (64 - shift);
    return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << 8 * width) - 1));
  }

  // Replaces `bytes` bytes from `from` on; only whole words are stored.
  static void write_words(std::byte* bucket, unsigned from, unsigned bytes, std::uint64_t value) {
    const unsigned shift = from % 8 * 8;
    const std::uint64_t mask = (std::uint64_t{1} << 8 * bytes) - 1;
    const auto replace = [&](unsigned i, std::uint64_t clear, std::uint64_t set) {
      const auto at = word(bucket, i);
      at.store((at.load(std::memory_order_relaxed) & ~clear) | set, std::memory_order_relaxed);
    };
    replace(from / 8, mask << shift, value << shift);
    if (shift + 8 * bytes > 64) replace(from / 8 + 1, mask >> (64 - shift), value >> (64 - shift));
  }

  void place(std::uint64_t h, std::uint32_t number) {
    const std::uint32_t buckets = buckets_.load(std::memory_order_relaxed);
    const unsigned width = width_.load(std::memory_order_relaxed);
    for (std::uint32_t b = home(h, buckets);; b = b + 1 == buckets ? 0 : b + 1) {
      std::byte* bucket = at(b);
      const auto head = word(bucket, 0);
      std::uint64_t first = head.load(std::memory_order_relaxed);
      const auto count = static_cast<unsigned>(first & count_mask);
      if (count == entries(width)) {
        head.store(first | overflowed, std::memory_order_relaxed);
        continue;
      }
      write_words(bucket, 1 + entries(width) + count * width, width, number);
      if (count < 7)
        first = (first & ~(std::uint64_t{0xff} << (8 + 8 * count))) | std::uint64_t{tag(h)} << (8 + 8 * count);
      else write_words(bucket, 1 + count, 1, tag(h));
      head.store(first + 1, std::memory_order_release);
      return;
    }
  }
  static_assert(std::endian::native == std::endian::little);

  ChunkList chunks_;
  std::atomic<std::uint32_t> buckets_{0};
  std::atomic<std::uint32_t> count_{0};
  std::uint32_t limit_ = 0;
  std::atomic<std::uint8_t> width_{2};
  std::uint8_t chunk_shift_ = 0;  // a chunk has 2^ so many buckets; always the same once there is one
};

}  // namespace heddle::support
