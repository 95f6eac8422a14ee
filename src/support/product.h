// The product of two signed numbers of 128 bits. (What clang makes of __builtin_mul_overflow for them calls a function of
// compiler-rt, which is a library that nothing else needs.)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace heddle::support {

__extension__ using Int128 = __int128;

// Nothing where 128 bits do not hold it.
inline std::optional<Int128> product(Int128 a, Int128 b) {
  __extension__ using Magnitude = unsigned __int128;
  constexpr Magnitude least = Magnitude{1} << 127;  // -2^127 is a number, 2^127 is none
  const auto magnitude = [](Int128 n) {
    return n < 0 ? Magnitude{0} - static_cast<Magnitude>(n) : static_cast<Magnitude>(n);
  };
  const bool negative = (a < 0) != (b < 0);
  Magnitude result;
  if (__builtin_mul_overflow(magnitude(a), magnitude(b), &result) || result > (negative ? least : least - 1))
    return std::nullopt;
  return static_cast<Int128>(negative ? Magnitude{0} - result : result);
}

}  // namespace heddle::support
