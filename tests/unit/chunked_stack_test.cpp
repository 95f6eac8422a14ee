// SPDX-License-Identifier: Apache-2.0
#include "support/chunked_stack.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heddle::support {
namespace {

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
    for (; !vector.empty(); vector.pop_back()) ASSERT_EQ(stack.pop(), vector.back());
    EXPECT_TRUE(stack.empty());
  }
}

}  // namespace
}  // namespace heddle::support
