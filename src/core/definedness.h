// Which bits of a result are undefined, given which bits of the operands are: the rules of Memcheck (Seward and
// Nethercote, "Using Valgrind to detect undefined value errors with bit-precision", USENIX 2005, section 2.5).
//
// An operand is (bits, undefined) with undefined bits zero in `bits`; it stands for all values that agree with `bits`
// where `undefined` is zero. Each function gives a superset of the bits in which two results can differ. Masks are not
// cut to a width: that is the caller's affair.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace heddle::core {

constexpr std::uint64_t undefined_and(std::uint64_t a, std::uint64_t ua, std::uint64_t b, std::uint64_t ub) {
  return (ua | ub) & (a | ua) & (b | ub);  // a defined zero decides
}
constexpr std::uint64_t undefined_or(std::uint64_t a, std::uint64_t ua, std::uint64_t b, std::uint64_t ub) {
  return (ua | ub) & (~a | ua) & (~b | ub);  // a defined one decides
}
// Sums of the least and the greatest operands differ wherever a carry may or may not arrive.
constexpr std::uint64_t undefined_add(std::uint64_t a, std::uint64_t ua, std::uint64_t b, std::uint64_t ub) {
  return ua | ub | ((a + b) ^ ((a | ua) + (b | ub)));
}
constexpr std::uint64_t undefined_sub(std::uint64_t a, std::uint64_t ua, std::uint64_t b, std::uint64_t ub) {
  return ua | ub | ((a - (b | ub)) ^ ((a | ua) - b));
}
// Everything from the lowest bit that an undefined one can reach.
constexpr std::uint64_t undefined_mul(std::uint64_t a, std::uint64_t ua, std::uint64_t b, std::uint64_t ub) {
  const auto lowest = [](std::uint64_t x) { return static_cast<unsigned>(std::countr_zero(x)); };
  const unsigned from_a = ua == 0 ? 64 : lowest(ua) + lowest(b | ub);
  const unsigned from_b = ub == 0 ? 64 : lowest(ub) + lowest(a | ua);
  const unsigned low = from_a < from_b ? from_a : from_b;
  return low >= 64 ? 0 : ~std::uint64_t{0} << low;
}

}  // namespace heddle::core
