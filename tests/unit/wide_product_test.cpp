// Products of 128 bits against long multiplication in base 2^32, whose sum of digits has room for every product.
// SPDX-License-Identifier: Apache-2.0
#include "support/product.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace heddle {
namespace {

using support::Int128;
__extension__ using Unsigned = unsigned __int128;

using Digits = std::array<std::uint64_t, 8>;  // of base 2^32, the lowest first

Digits long_product(Unsigned a, Unsigned b) {
  Digits result{};
  for (unsigned i = 0; i < 4; ++i) {
    std::uint64_t carry = 0;
    for (unsigned j = 0; j < 4; ++j) {
      const std::uint64_t x = static_cast<std::uint32_t>(a >> (32 * i)), y = static_cast<std::uint32_t>(b >> (32 * j));
      const std::uint64_t sum = x * y + result[i + j] + carry;
      result[i + j] = sum & 0xffffffff;
      carry = sum >> 32;
    }
    result[i + 4] = carry;
  }
  return result;
}

Unsigned size_of(Int128 n) { return n < 0 ? ~static_cast<Unsigned>(n) + 1 : static_cast<Unsigned>(n); }

// What there is of a product: its size, if that has no more than 127 bits (or is 2^127, for a negative one).
void expect_product(Int128 a, Int128 b) {
  const Digits digits = long_product(size_of(a), size_of(b));
  Unsigned size = 0;
  for (unsigned i = 4; i-- > 0;) size = size << 32 | digits[i];
  const bool negative = (a < 0) != (b < 0), small = (digits[4] | digits[5] | digits[6] | digits[7]) == 0;
  const Unsigned least = Unsigned{1} << 127;
  const bool fits = small && (size < least || (negative && size == least));
  const auto got = support::product(a, b);
  ASSERT_EQ(got.has_value(), fits) << static_cast<double>(a) << " * " << static_cast<double>(b);
  if (fits) {
    EXPECT_TRUE(size_of(*got) == size && (size == 0 || (*got < 0) == negative))
        << static_cast<double>(a) << " * " << static_cast<double>(b);
  }
}

TEST(WideProduct, IsThatOfLongMultiplication) {
  std::mt19937_64 random(19);
  unsigned fit = 0;
  for (int i = 0; i < 200'000; ++i) {
    const auto number = [&] {
      const Unsigned bits = static_cast<Unsigned>(random()) << 64 | random();
      const Unsigned n = bits >> random() % 128;
      return static_cast<Int128>(random() % 2 == 0 ? n : Unsigned{0} - n);
    };
    const Int128 a = number(), b = number();
    expect_product(a, b);
    fit += support::product(a, b).has_value();
  }
  EXPECT_GT(fit, 50'000U);
  EXPECT_LT(fit, 150'000U);
}

TEST(WideProduct, AtTheEdges) {
  std::vector<Int128> edges;
  for (unsigned shift = 0; shift < 128; ++shift)
    for (const int beside : {-1, 0, 1})
      for (const bool negative : {false, true}) {
        const Unsigned n = (Unsigned{1} << shift) + static_cast<Unsigned>(beside);
        edges.push_back(static_cast<Int128>(negative ? Unsigned{0} - n : n));
      }
  for (const Int128 a : edges)
    for (const Int128 b : edges) expect_product(a, b);
}

}  // namespace
}  // namespace heddle
