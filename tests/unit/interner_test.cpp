// SPDX-License-Identifier: Apache-2.0
#include "support/interner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

using namespace heddle::support;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Distinct for distinct i, of lengths 4 to some hundred bytes.
std::string chunk(std::uint32_t i) {
  std::string text(4 + i % 97 + (i % 1000 == 0 ? 3000 : 0), static_cast<char>(i % 7));
  std::memcpy(text.data(), &i, 4);
  return text;
}

}  // namespace

TEST(Interner, AgreesWithAMap) {
  Interner interner;
  std::unordered_map<std::string, std::uint32_t> oracle;
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) {
    std::string text(random() % 12, '\0');
    for (char& c : text) c = static_cast<char>(random() % 3);
    const std::uint32_t number = interner.intern(bytes_of(text));
    const auto [at, added] = oracle.try_emplace(text, number);
    ASSERT_EQ(number, at->second);
    if (added) {
      ASSERT_EQ(number + 1, oracle.size());
    }
  }
  ASSERT_EQ(interner.size(), oracle.size());
  for (const auto& [text, number] : oracle) ASSERT_EQ(text_of(interner.get(number)), text);
}

TEST(Interner, KeepsTheEmptyChunkAndLongOnes) {
  Interner interner;
  const std::string huge(50'000'000, 'x');
  const std::uint32_t empty = interner.intern({});
  const std::uint32_t large = interner.intern(bytes_of(huge));
  EXPECT_EQ(interner.get(empty).size(), 0U);
  EXPECT_EQ(text_of(interner.get(large)), huge);
  EXPECT_EQ(interner.intern({}), empty);
  EXPECT_EQ(interner.intern(bytes_of(huge)), large);
}

TEST(Interner, BytesStayWhereTheyAre) {
  Interner interner;
  const std::uint32_t first = interner.intern(bytes_of(chunk(1)));
  const std::byte* address = interner.get(first).data();
  for (std::uint32_t i = 0; i < 100'000; ++i) interner.intern(bytes_of(chunk(i)));
  EXPECT_EQ(interner.get(first).data(), address);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(address) % 8, 0U);
}

TEST(Interner, ThreadsAgree) {
  constexpr std::uint32_t count = 100'000;
  constexpr unsigned threads = 4;
  Interner interner;
  std::vector<std::vector<std::uint32_t>> numbers(threads, std::vector<std::uint32_t>(count));
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> running;
  for (unsigned t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t i = (k + t * 1000) % count;
        numbers[t][i] = interner.intern(bytes_of(chunk(i)));
        if (text_of(interner.get(numbers[t][i])) != chunk(i)) ++wrong;
      }
    });
  }
  for (auto& thread : running) thread.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(interner.size(), count);
  for (unsigned t = 1; t < threads; ++t) EXPECT_EQ(numbers[t], numbers[0]);
  for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(text_of(interner.get(numbers[0][i])), chunk(i));
}
