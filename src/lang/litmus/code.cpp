// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/code.h"

namespace heddle::lang::litmus {

core::Value compute(Alu alu, unsigned width, core::Value a, core::Value b) {
  const bool narrow = width == 32;
  // Addresses are symbols: they survive moves, conversions, sums with numbers, and masks that change nothing;
  // anything else that is done to them leaves a number.
  bool address = false;
  if (alu == Alu::Move || (alu >= Alu::SignExtend32 && alu <= Alu::ZeroExtend8)) address = a.pointer;
  if (alu == Alu::Add) address = a.pointer != b.pointer;
  if (alu == Alu::Sub) address = a.pointer && !b.pointer;
  if (alu == Alu::Or || alu == Alu::Xor)
    address = (a.pointer && b.bits == 0 && !b.pointer) || (b.pointer && a.bits == 0 && !a.pointer);
  if (alu == Alu::And)
    address = (a.pointer && b.bits == ~std::uint64_t{0} && !b.pointer) ||
              (b.pointer && a.bits == ~std::uint64_t{0} && !a.pointer);

  const std::uint64_t x = narrow && !address ? static_cast<std::uint32_t>(a.bits) : a.bits;
  const std::uint64_t y = narrow && !address ? static_cast<std::uint32_t>(b.bits) : b.bits;
  const auto sx = narrow ? std::int64_t{static_cast<std::int32_t>(x)} : static_cast<std::int64_t>(x);
  const auto sy = narrow ? std::int64_t{static_cast<std::int32_t>(y)} : static_cast<std::int64_t>(y);
  const unsigned shift = static_cast<unsigned>(y & (narrow ? 31 : 63));
  std::uint64_t r = 0;
  if (address && alu >= Alu::SignExtend32 && alu <= Alu::ZeroExtend8) alu = Alu::Move;
  switch (alu) {
    case Alu::Move: r = x; break;
    case Alu::Add: r = x + y; break;
    case Alu::Sub: r = x - y; break;
    case Alu::Mul: r = x * y; break;
    // Division by zero gives zero, as on ARM; the smallest number by -1 gives itself.
    case Alu::Div: r = sy == 0 ? 0 : sy == -1 ? 0 - x : static_cast<std::uint64_t>(sx / sy); break;
    case Alu::Rem: r = sy == 0 ? x : sy == -1 ? 0 : static_cast<std::uint64_t>(sx % sy); break;
    case Alu::DivU: r = y == 0 ? 0 : x / y; break;
    case Alu::RemU: r = y == 0 ? x : x % y; break;
    case Alu::And: r = x & y; break;
    case Alu::Or: r = x | y; break;
    case Alu::Xor: r = x ^ y; break;
    case Alu::Shl: r = x << shift; break;
    case Alu::Shr: r = x >> shift; break;
    case Alu::Sar: r = static_cast<std::uint64_t>(sx >> shift); break;
    case Alu::SignExtend32: r = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(x)}); break;
    case Alu::SignExtend16: r = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(x)}); break;
    case Alu::SignExtend8: r = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(x)}); break;
    case Alu::ZeroExtend32: r = static_cast<std::uint32_t>(x); break;
    case Alu::ZeroExtend16: r = static_cast<std::uint16_t>(x); break;
    case Alu::ZeroExtend8: r = static_cast<std::uint8_t>(x); break;
    case Alu::Eq: r = x == y && a.pointer == b.pointer; break;
    case Alu::Ne: r = x != y || a.pointer != b.pointer; break;
    case Alu::Lt: r = sx < sy; break;
    case Alu::Le: r = sx <= sy; break;
    case Alu::Gt: r = sx > sy; break;
    case Alu::Ge: r = sx >= sy; break;
    case Alu::LtU: r = x < y; break;
    case Alu::LeU: r = x <= y; break;
    case Alu::GtU: r = x > y; break;
    case Alu::GeU: r = x >= y; break;
    case Alu::LogicalNot: r = x == 0 && !a.pointer; break;
  }
  core::Value v(narrow && !address ? static_cast<std::uint32_t>(r) : r);
  v.pointer = address;
  return v;
}

}  // namespace heddle::lang::litmus
