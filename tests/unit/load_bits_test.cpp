// Sets of loads as bits, against std::set.
// SPDX-License-Identifier: Apache-2.0
#include "core/load_bits.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace heddle::core {
namespace {

TEST(LoadBits, AreSets) {
  std::mt19937 random(17);
  for (int round = 0; round < 1000; ++round) {
    LoadBits a, b;
    std::set<std::uint32_t> in_a, in_b;
    const std::uint32_t most = round % 2 == 0 ? 64 : 300;
    for (int i = 0; i < 6; ++i) {
      const auto x = static_cast<std::uint32_t>(random() % most), y = static_cast<std::uint32_t>(random() % most);
      a.set(x);
      in_a.insert(x);
      b.set(y);
      in_b.insert(y);
    }
    EXPECT_EQ(a.list(), LoadSet(in_a.begin(), in_a.end()));
    LoadBits both = a;
    both.join(b);
    in_b.insert(in_a.begin(), in_a.end());
    EXPECT_EQ(both.list(), LoadSet(in_b.begin(), in_b.end()));
    EXPECT_EQ(both == a, in_a == in_b);
    LoadBits again;
    for (const std::uint32_t load : both.list()) again.set(load);
    std::uint64_t h = 1, k = 1;
    both.hash_into(h);
    again.hash_into(k);
    EXPECT_TRUE(both == again && h == k);
    LoadSet odd, either, halves, odd_halves;
    for (const std::uint32_t load : both.list()) {
      if (load % 2 == 1) odd.push_back(load);
      (load % 2 == 1 ? odd_halves : halves).push_back(load / 2);
      if (either.empty() || either.back() != (load | 1)) either.push_back(load | 1);
    }
    EXPECT_EQ(both.odd().list(), odd);
    EXPECT_EQ(both.as_odd().list(), either);
    EXPECT_EQ(both.even_halves(), halves);
    EXPECT_EQ(both.odd_halves(), odd_halves);
    LoadBits odd_again;
    for (const std::uint32_t load : odd) odd_again.set(load);
    EXPECT_EQ(both.odd(), odd_again);
    both.clear();
    EXPECT_TRUE(both.list().empty());
  }
}

}  // namespace
}  // namespace heddle::core
