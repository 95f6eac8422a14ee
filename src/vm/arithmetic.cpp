// SPDX-License-Identifier: Apache-2.0
#include "vm/arithmetic.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace heddle::vm {
namespace {

Outcome plain(std::uint64_t bits, unsigned width) { return {{bits & mask_of(width), 0}, Fault::None, false}; }
Outcome undefined(unsigned width) { return {{0, undefined_of(width)}, Fault::None, false}; }
Outcome failed(Fault fault) { return {{}, fault, false}; }

constexpr bool is_comparison(Op op) { return op >= Op::Eq && op <= Op::SLe; }

// The bits of a mark's undefined bytes, as a mask over the value.
std::uint64_t spread(Mark mark) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (mark & (1u << i)) bits |= std::uint64_t{0xff} << (8 * i);
  return bits;
}
// The bytes that have a bit in the mask.
Mark gather(std::uint64_t bits) {
  Mark mark = 0;
  for (unsigned i = 0; i < 8; ++i)
    if ((bits >> (8 * i)) & 0xff) mark = static_cast<Mark>(mark | (1u << i));
  return mark;
}

Outcome on_bits(Op op, unsigned w, std::uint64_t x, std::uint64_t y) {
  switch (op) {
    case Op::Add: return plain(x + y, w);
    case Op::Sub: return plain(x - y, w);
    case Op::Mul: return plain(x * y, w);
    case Op::UDiv: return y == 0 ? failed(Fault::DivideByZero) : plain(x / y, w);
    case Op::URem: return y == 0 ? failed(Fault::DivideByZero) : plain(x % y, w);
    case Op::SDiv:
    case Op::SRem: {
      if (y == 0) return failed(Fault::DivideByZero);
      const auto a = sign_extended(x, w), b = sign_extended(y, w);
      if (b == -1) {
        if (x == std::uint64_t{1} << (w - 1)) return failed(Fault::DivideOverflow);
        return plain(op == Op::SDiv ? std::uint64_t{0} - x : 0, w);
      }
      return plain(static_cast<std::uint64_t>(op == Op::SDiv ? a / b : a % b), w);
    }
    case Op::And: return plain(x & y, w);
    case Op::Or: return plain(x | y, w);
    case Op::Xor: return plain(x ^ y, w);
    case Op::Shl: return y >= w ? undefined(w) : plain(x << y, w);
    case Op::LShr: return y >= w ? undefined(w) : plain(x >> y, w);
    case Op::AShr: return y >= w ? undefined(w) : plain(static_cast<std::uint64_t>(sign_extended(x, w) >> y), w);
    case Op::Eq: return plain(x == y, 1);
    case Op::Ne: return plain(x != y, 1);
    case Op::ULt: return plain(x < y, 1);
    case Op::ULe: return plain(x <= y, 1);
    case Op::SLt: return plain(sign_extended(x, w) < sign_extended(y, w), 1);
    case Op::SLe: return plain(sign_extended(x, w) <= sign_extended(y, w), 1);
    default: return {};
  }
}

Outcome with_undefined(Op op, unsigned w, Cell a, Cell b) {
  const std::uint64_t ua = spread(a.mark & undefined_mark) & mask_of(w),
                      ub = spread(b.mark & undefined_mark) & mask_of(w);
  if (((a.mark & undefined_mark) == 0 || (b.mark & undefined_mark) == 0) &&
      (op == Op::And || op == Op::Or || op == Op::Xor)) {
    // A defined byte that decides the result alone makes it defined.
    std::uint64_t u = ua | ub;
    if (op == Op::And) u &= (ua ? b.bits : a.bits) | 0;
    if (op == Op::Or) u &= ua ? ~b.bits : ~a.bits;
    const Mark mark = gather(u & mask_of(w));
    auto r = on_bits(op, w, a.bits & ~ua, b.bits & ~ub);
    r.cell.mark = mark;
    r.cell.bits &= ~spread(mark);
    return r;
  }
  switch (op) {
    case Op::And:
    case Op::Or:
    case Op::Xor: {
      auto r = on_bits(op, w, a.bits & ~ua, b.bits & ~ub);
      r.cell.mark = gather((ua | ub) & mask_of(w));
      r.cell.bits &= ~spread(r.cell.mark);
      return r;
    }
    case Op::Add:
    case Op::Sub:
    case Op::Mul: {
      // Carries go upwards only.
      const unsigned low = static_cast<unsigned>(std::countr_zero(ua | ub)) / 8;
      const auto known = mask_of(8 * low);
      auto r = on_bits(op, w, a.bits & known, b.bits & known);
      r.cell.mark = static_cast<Mark>(undefined_of(w) & ~((1u << low) - 1));
      r.cell.bits &= known & mask_of(w);
      return r;
    }
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: {
      if (b.mark & undefined_mark) return undefined(w);
      if (b.bits >= w) return undefined(w);
      auto r = on_bits(op, w, a.bits & ~ua, b.bits);
      const auto moved = on_bits(op, w, ua, b.bits);
      r.cell.mark = gather(moved.cell.bits);
      r.cell.bits &= ~spread(r.cell.mark);
      return r;
    }
    case Op::UDiv:
    case Op::SDiv:
    case Op::URem:
    case Op::SRem:
      if (b.mark & undefined_mark) return failed(Fault::Uninitialised);
      if (b.bits == 0) return failed(Fault::DivideByZero);
      return undefined(w);
    case Op::Eq:
    case Op::Ne: {
      const auto known = mask_of(w) & ~(ua | ub);
      if ((a.bits & known) != (b.bits & known)) return plain(op == Op::Ne, 1);
      return undefined(1);
    }
    default: return undefined(is_comparison(op) ? 1 : w);
  }
}

// At least one operand is a pointer: arithmetic on offsets keeps the object; anything that looks at the object's name
// is told to the engine.
Outcome with_pointers(Op op, unsigned w, Cell a, Cell b) {
  const bool pa = (a.mark & any_pointer) != 0, pb = (b.mark & any_pointer) != 0;
  auto moved = [](Cell p, std::uint32_t offset) {
    return Outcome{{(p.bits & ~std::uint64_t{0xffffffff}) | offset, p.mark}, Fault::None, false};
  };
  auto leak = [&](Outcome o) {
    o.leaked = true;
    return o;
  };
  auto small = [](std::uint64_t x) { return static_cast<std::int64_t>(x) == static_cast<std::int32_t>(x); };
  const bool same = pa && pb && upper(a.bits) == upper(b.bits);
  switch (op) {
    case Op::Add:
      if (pa && !pb && small(b.bits)) return moved(a, lower(a.bits) + lower(b.bits));
      if (pb && !pa && small(a.bits)) return moved(b, lower(a.bits) + lower(b.bits));
      return leak(on_bits(op, w, a.bits, b.bits));
    case Op::Sub:
      if (same)
        return plain(static_cast<std::uint64_t>(
                         static_cast<std::int64_t>(static_cast<std::int32_t>(lower(a.bits) - lower(b.bits)))),
                     w);
      if (pa && !pb && small(b.bits)) return moved(a, lower(a.bits) - lower(b.bits));
      return leak(on_bits(op, w, a.bits, b.bits));
    case Op::And:
      if (pa != pb) {
        const Cell p = pa ? a : b;
        const auto mask = pa ? b.bits : a.bits;
        if (upper(mask) == 0xffffffff) return moved(p, lower(p.bits) & lower(mask));
        if (upper(mask) == 0) return plain(p.bits & mask, w);
      }
      return same && a.bits == b.bits ? Outcome{a, Fault::None, false} : leak(on_bits(op, w, a.bits, b.bits));
    case Op::Or:
    case Op::Xor:
      if (pa != pb && upper(pa ? b.bits : a.bits) == 0)
        return moved(pa ? a : b, lower(on_bits(op, 64, a.bits, b.bits).cell.bits));
      if (op == Op::Xor && same) return plain(a.bits ^ b.bits, w);
      return leak(on_bits(op, w, a.bits, b.bits));
    case Op::URem:
      if (pa && !pb && std::has_single_bit(b.bits) && upper(b.bits) == 0) return plain(a.bits % b.bits, w);
      return leak(on_bits(op, w, a.bits, b.bits));
    case Op::Eq: return plain(a.bits == b.bits, 1);
    case Op::Ne: return plain(a.bits != b.bits, 1);
    case Op::ULt:
    case Op::ULe:
    case Op::SLt:
    case Op::SLe:
      if (same) {
        const auto x = static_cast<std::int32_t>(lower(a.bits)), y = static_cast<std::int32_t>(lower(b.bits));
        return plain(op == Op::ULt || op == Op::SLt ? x < y : x <= y, 1);
      }
      if (pa && pb) return leak(on_bits(op, w, a.bits, b.bits));
      return on_bits(op, w, a.bits, b.bits);  // a pointer against null or a small number
    case Op::Shl:
      if (pa && !pb && b.bits >= 32) return on_bits(op, w, a.bits, b.bits);
      return leak(on_bits(op, w, a.bits, b.bits));
    default: return leak(on_bits(op, w, a.bits, b.bits));
  }
}

}  // namespace

Outcome binary(Op op, unsigned width, Cell a, Cell b) {
  const auto both = static_cast<Mark>(a.mark | b.mark);
  if (both & undefined_mark) return with_undefined(op, width, a, b);
  if ((both & any_pointer) && width == 64) return with_pointers(op, width, a, b);
  return on_bits(op, width, a.bits, b.bits);
}

Outcome trunc(unsigned to, Cell a) {
  const auto u = static_cast<Mark>(a.mark & undefined_of(to));
  // The lower half of a pointer is its offset, whatever its object is called.
  Outcome r{{a.bits & mask_of(to), to == 64 ? a.mark : u}, Fault::None, false};
  r.leaked = (a.mark & any_pointer) != 0 && to > 32 && to < 64;
  return r;
}

Outcome sign_extend(unsigned from, unsigned to, Cell a) {
  Outcome r{{static_cast<std::uint64_t>(sign_extended(a.bits, from)) & mask_of(to),
             static_cast<Mark>(a.mark & undefined_mark)},
            Fault::None,
            false};
  const unsigned top = bytes_of(from) - 1;
  if (a.mark & (1u << top)) {
    const auto above = static_cast<Mark>(undefined_of(to) & ~((1u << top) - 1));
    r.cell.mark = static_cast<Mark>(r.cell.mark | above);
    r.cell.bits &= ~spread(r.cell.mark);
  }
  return r;
}

Outcome pointer_add(Cell p, Cell offset) {
  if ((p.mark | offset.mark) == 0) return {{p.bits + offset.bits, 0}, Fault::None, false};
  return binary(Op::Add, 64, p, offset);
}

}  // namespace heddle::vm
