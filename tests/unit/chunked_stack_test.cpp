// SPDX-License-Identifier: Apache-2.0
#include "support/chunked_stack.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heddle::support {
namespace {

TEST(ChunkedStack, CutsAtTheBordersOfChunks) {
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 14, std::uint64_t{3} << 14}) {
    ChunkedStack<std::uint8_t> stack;
    for (std::uint64_t i = 0; i < std::uint64_t{4} << 14; ++i) stack.push(static_cast<std::uint8_t>(i * 7 % 251));
    stack.cut(size);
    ASSERT_EQ(stack.size(), size);
    EXPECT_EQ(stack.empty(), size == 0);
    stack.push(252);
    EXPECT_EQ(stack.pop(), 252);
    for (std::uint64_t i = size; i-- != 0;) ASSERT_EQ(stack.pop(), i * 7 % 251);
  }
}

TEST(ChunkedStack, BehavesAsAVector) {
  std::mt19937 random(20);
  for (int round = 0; round < 20; ++round) {
    ChunkedStack<std::uint32_t> stack;
    std::vector<std::uint32_t> vector;
    for (int phase = 0; phase < 6; ++phase) {
      const unsigned pushes_of_eight = phase % 2 == 0 ? 5 : 3;  // it grows over several chunks, then shrinks
      for (int i = 0; i < 30'000; ++i) {
        ASSERT_EQ(stack.empty(), vector.empty());
        if (vector.empty() || random() % 8 < pushes_of_eight) {
          vector.push_back(static_cast<std::uint32_t>(random()));
          stack.push(vector.back());
        } else {
          ASSERT_EQ(stack.pop(), vector.back());
          vector.pop_back();
        }
        if (!vector.empty()) {
          ASSERT_EQ(stack.top(), vector.back());
        }
        ASSERT_LE(stack.bytes(), vector.size() * sizeof(std::uint32_t) + (std::size_t{2} << 14));
      }
    }
    ASSERT_EQ(stack.size(), vector.size());
    for (std::size_t i = 0; i < vector.size(); i += 97) ASSERT_EQ(stack[i], vector[i]);
    vector.resize(vector.size() / (1 + random() % 3));
    stack.cut(vector.size());
    for (; !vector.empty(); vector.pop_back()) ASSERT_EQ(stack.pop(), vector.back());
    EXPECT_TRUE(stack.empty());
  }
}

}  // namespace
}  // namespace heddle::support
