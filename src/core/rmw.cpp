// SPDX-License-Identifier: Apache-2.0
#include "core/rmw.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/definedness.h"
#include "support/diagnostics.h"

namespace heddle::core {
namespace {

std::int64_t sign_extended(std::uint64_t bits, std::uint32_t size) {
  if (size >= 8) return static_cast<std::int64_t>(bits);
  const unsigned shift = 64 - 8 * size;
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

template <class Float, class Bits>
std::uint64_t floating(RmwOp op, std::uint64_t a, std::uint64_t b) {
  const Float x = std::bit_cast<Float>(static_cast<Bits>(a));
  const Float y = std::bit_cast<Float>(static_cast<Bits>(b));
  Float z = x;
  switch (op) {
    case RmwOp::FAdd: z = x + y; break;
    case RmwOp::FSub: z = x - y; break;
    case RmwOp::FMax: z = std::fmax(x, y); break;
    default: z = std::fmin(x, y); break;
  }
  return std::bit_cast<Bits>(z);
}

// A pointer moved by so many bytes stays one into its object: an offset that does not fit is as far out as can be said.
std::uint64_t moved(std::uint64_t pointer, std::uint64_t by) {
  std::int64_t offset = 0;
  constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min(),
                         high = std::numeric_limits<std::int32_t>::max();
  if (__builtin_add_overflow(static_cast<std::int64_t>(static_cast<std::int32_t>(pointer)),
                             static_cast<std::int64_t>(by), &offset))
    offset = static_cast<std::int64_t>(by) < 0 ? low : high;
  return (pointer & 0xffffffff00000000) | static_cast<std::uint32_t>(std::clamp(offset, low, high));
}

}  // namespace

Value rmw_result(RmwOp op, const Value& old, const Value& operand, std::uint32_t size) {
  const std::uint64_t mask = size_mask(size);
  const std::uint64_t a = old.bits & mask;
  const std::uint64_t b = operand.bits & mask;
  const std::int64_t sa = sign_extended(a, size);
  const std::int64_t sb = sign_extended(b, size);
  if (op == RmwOp::Xchg) return operand;
  Value result;
  const std::uint64_t ua = old.undefined & mask, ub = operand.undefined & mask;
  result.undefined = (ua | ub) != 0 ? mask : 0;
  const auto pick = [&](bool first) {
    result.bits = first ? a : b;
    result.pointer = first ? old.pointer : operand.pointer;
  };
  switch (op) {
    case RmwOp::Add:
      result.bits = old.pointer ? moved(a, b) : operand.pointer ? moved(b, a) : a + b;
      result.undefined = undefined_add(a, ua, b, ub);
      result.pointer = old.pointer != operand.pointer;
      break;
    case RmwOp::Sub:
      result.bits = old.pointer && !operand.pointer ? moved(a, std::uint64_t{0} - b) : a - b;
      result.undefined = undefined_sub(a, ua, b, ub);
      result.pointer = old.pointer && !operand.pointer;
      break;
    case RmwOp::And:
      result.bits = a & b;
      result.undefined = undefined_and(a, ua, b, ub);
      result.pointer = old.pointer || operand.pointer;
      break;
    case RmwOp::Or:
      result.bits = a | b;
      result.undefined = undefined_or(a, ua, b, ub);
      result.pointer = old.pointer || operand.pointer;
      break;
    case RmwOp::Xor:
      result.bits = a ^ b;
      result.undefined = ua | ub;
      result.pointer = old.pointer != operand.pointer;
      break;
    case RmwOp::Nand:
      result.bits = ~(a & b);
      result.undefined = undefined_and(a, ua, b, ub);
      break;
    case RmwOp::Max: pick(sa >= sb); break;
    case RmwOp::Min: pick(sa <= sb); break;
    case RmwOp::UMax: pick(a >= b); break;
    case RmwOp::UMin: pick(a <= b); break;
    case RmwOp::UIncWrap: result.bits = a >= b ? 0 : a + 1; break;
    case RmwOp::UDecWrap: result.bits = a == 0 || a > b ? b : a - 1; break;
    case RmwOp::Arrive: {
      const std::uint64_t all = a | (std::uint64_t{1} << (b & 63));
      result.bits = static_cast<std::uint64_t>(std::popcount(all)) >= (b >> 6) ? 0 : all;
      break;
    }
    case RmwOp::FAdd:
    case RmwOp::FSub:
    case RmwOp::FMax:
    case RmwOp::FMin:
      result.bits = size == 8 ? floating<double, std::uint64_t>(op, a, b) : floating<float, std::uint32_t>(op, a, b);
      break;
    case RmwOp::Xchg:
    case RmwOp::Cas: HEDDLE_ASSERT(false);
  }
  result.undefined &= mask;
  result.bits &= mask & ~result.undefined;
  if (size < 8 || result.undefined != 0) result.pointer = false;
  return result;
}

}  // namespace heddle::core
