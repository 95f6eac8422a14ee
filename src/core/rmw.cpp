// SPDX-License-Identifier: Apache-2.0
#include "core/rmw.h"

#include <bit>
#include <cmath>

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

}  // namespace

Value rmw_result(RmwOp op, const Value& old, const Value& operand, std::uint32_t size) {
  const std::uint64_t mask = size_mask(size);
  const std::uint64_t a = old.bits & mask;
  const std::uint64_t b = operand.bits & mask;
  const std::int64_t sa = sign_extended(a, size);
  const std::int64_t sb = sign_extended(b, size);
  if (op == RmwOp::Xchg) return operand;
  Value result;
  result.undefined = (old.undefined | operand.undefined) != 0 ? static_cast<std::uint8_t>((1u << size) - 1) : 0;
  switch (op) {
    case RmwOp::Add:
      result.bits = a + b;
      result.pointer = old.pointer != operand.pointer;
      break;
    case RmwOp::Sub:
      result.bits = a - b;
      result.pointer = old.pointer && !operand.pointer;
      break;
    case RmwOp::And:
      result.bits = a & b;
      result.pointer = old.pointer || operand.pointer;
      break;
    case RmwOp::Or:
      result.bits = a | b;
      result.pointer = old.pointer || operand.pointer;
      break;
    case RmwOp::Xor:
      result.bits = a ^ b;
      result.pointer = old.pointer != operand.pointer;
      break;
    case RmwOp::Nand: result.bits = ~(a & b); break;
    case RmwOp::Max: result = sa >= sb ? old : operand; break;
    case RmwOp::Min: result = sa <= sb ? old : operand; break;
    case RmwOp::UMax: result = a >= b ? old : operand; break;
    case RmwOp::UMin: result = a <= b ? old : operand; break;
    case RmwOp::UIncWrap: result.bits = a >= b ? 0 : a + 1; break;
    case RmwOp::UDecWrap: result.bits = a == 0 || a > b ? b : a - 1; break;
    case RmwOp::FAdd:
    case RmwOp::FSub:
    case RmwOp::FMax:
    case RmwOp::FMin:
      result.bits = size == 8 ? floating<double, std::uint64_t>(op, a, b) : floating<float, std::uint32_t>(op, a, b);
      break;
    case RmwOp::Xchg:
    case RmwOp::Cas: HEDDLE_ASSERT(false);
  }
  result.bits &= mask;
  if (size < 8) result.pointer = false;
  return result;
}

}  // namespace heddle::core
