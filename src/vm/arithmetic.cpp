// SPDX-License-Identifier: Apache-2.0
#include "vm/arithmetic.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/definedness.h"

namespace heddle::vm {
namespace {

Outcome failed(Fault fault) { return {{}, fault, false}; }

Outcome on_bits(Op op, unsigned w, std::uint64_t x, std::uint64_t y) {
  switch (op) {
    case Op::Add: return plain(x + y, w);
    case Op::Sub: return plain(x - y, w);
    case Op::Mul: return plain(x * y, w);
    case Op::Scale: return plain(scaled(x, y), w);
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
    case Op::Shl: return y >= w ? undefined(w, operation_mark) : plain(x << y, w);
    case Op::LShr: return y >= w ? undefined(w, operation_mark) : plain(x >> y, w);
    case Op::AShr:
      return y >= w ? undefined(w, operation_mark) : plain(static_cast<std::uint64_t>(sign_extended(x, w) >> y), w);
    case Op::Eq: return plain(x == y, 1);
    case Op::Ne: return plain(x != y, 1);
    case Op::ULt: return plain(x < y, 1);
    case Op::ULe: return plain(x <= y, 1);
    case Op::SLt: return plain(sign_extended(x, w) < sign_extended(y, w), 1);
    case Op::SLe: return plain(sign_extended(x, w) <= sign_extended(y, w), 1);
    default: return {};
  }
}

// a < b, or a <= b, where it holds for all values that the operands can have or for none. `flip`: the sign bit, turned
// over so that signed order is unsigned order.
Outcome ordered(bool strict, std::uint64_t a, std::uint64_t ua, std::uint64_t b, std::uint64_t ub, std::uint64_t flip,
                Mark cause) {
  const auto least = [&](std::uint64_t x, std::uint64_t u) { return (x | (u & flip)) ^ flip; };
  const auto most = [&](std::uint64_t x, std::uint64_t u) { return (x | (u & ~flip)) ^ flip; };
  const auto holds = [&](std::uint64_t x, std::uint64_t y) { return strict ? x < y : x <= y; };
  if (holds(most(a, ua), least(b, ub))) return plain(1, 1);
  if (!holds(least(a, ua), most(b, ub))) return plain(0, 1);
  return undefined(1, cause);
}

// At least one operand has undefined bits.
Outcome with_undefined(Op op, unsigned w, Cell ca, Cell cb) {
  const std::uint64_t ua = undefined_bits(ca, w), ub = undefined_bits(cb, w);
  const std::uint64_t a = defined_bits(ca), b = defined_bits(cb);
  const auto cause = static_cast<Mark>((ca.mark | cb.mark) & cause_mark);
  const auto result = [&](std::uint64_t bits, std::uint64_t u) {
    return Outcome{make_cell(bits, u, w, cause), Fault::None, false};
  };
  switch (op) {
    case Op::And: return result(a & b, core::undefined_and(a, ua, b, ub));
    case Op::Or: return result(a | b, core::undefined_or(a, ua, b, ub));
    case Op::Xor: return result(a ^ b, ua | ub);
    case Op::Add: return result(a + b, core::undefined_add(a, ua, b, ub));
    case Op::Sub: return result(a - b, core::undefined_sub(a, ua, b, ub));
    case Op::Mul:
    case Op::Scale: return result(a * b, core::undefined_mul(a, ua, b, ub));
    case Op::Shl:
    case Op::LShr:
    case Op::AShr:
      if (ub != 0) return undefined(w, cause);
      if (b >= w) return undefined(w, operation_mark);
      // Of a mask shifted arithmetically, copies of an undefined sign bit are undefined too.
      return result(on_bits(op, w, a, b).cell.bits, on_bits(op, w, ua, b).cell.bits);
    case Op::UDiv:
    case Op::SDiv:
    case Op::URem:
    case Op::SRem:
      if (ub != 0) return failed(Fault::Uninitialised);
      if (b == 0) return failed(Fault::DivideByZero);
      return undefined(w, cause);
    case Op::Eq:
    case Op::Ne: {
      const auto known = mask_of(w) & ~(ua | ub);
      if ((a & known) != (b & known)) return plain(op == Op::Ne, 1);
      return undefined(1, cause);
    }
    case Op::ULt:
    case Op::ULe: return ordered(op == Op::ULt, a, ua, b, ub, 0, cause);
    case Op::SLt:
    case Op::SLe: return ordered(op == Op::SLt, a, ua, b, ub, std::uint64_t{1} << (w - 1), cause);
    default: return undefined(w, cause);
  }
}

// A sum of offsets. Of a number it is modulo 2⁶⁴; that of a pointer stays as far out as can be said.
std::int64_t displaced(std::int64_t offset, std::int64_t by, bool number) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(offset, by, &sum) || number) return sum;
  return by < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

Outcome chosen(Outcome o, std::uint32_t low_bits) {
  o.low_bits = low_bits;
  return o;
}

// Addresses of objects lie between these on the machines that programs are compiled for.
constexpr std::uint64_t least_address = 4096, no_more_addresses = std::uint64_t{1} << 47;

// A pointer against a number. Only numbers that may be addresses depend on the address chosen; an object of greater
// alignment than the lowest bit of the difference has none of them.
Outcome equals_number(bool wanted, Cell p, std::uint64_t number) {
  const Outcome o = plain((flat(p) == number) == wanted, 1);
  if (upper(p.bits) == 0 || number < least_address || number >= block_address) return o;
  const std::uint32_t difference = lower(number - static_cast<std::uint64_t>(offset_of(p)));
  if (difference != 0) return chosen(o, difference & (~difference + 1));
  return upper(number) != 0 ? Outcome{o.cell, Fault::None, true} : chosen(o, 0x80000000);
}

// Requires an ordering, and a pointer among a and b.
Outcome against_number(Op op, unsigned w, Cell a, Cell b) {
  const bool pa = (a.mark & any_pointer) != 0;
  const Cell p = pa ? a : b;
  const std::uint64_t number = pa ? b.bits : a.bits;
  const bool is_signed = op == Op::SLt || op == Op::SLe;
  const bool below =
      is_signed ? sign_extended(number, w) < static_cast<std::int64_t>(least_address) : number < least_address;
  const bool above = is_signed ? sign_extended(number, w) >= static_cast<std::int64_t>(no_more_addresses)
                               : number >= no_more_addresses;
  if (upper(p.bits) == 0) return on_bits(op, w, flat(a), flat(b));
  if ((p.mark & far_mark) || !(below || above)) {
    Outcome o = on_bits(op, w, flat(a), flat(b));
    o.leaked = true;
    return o;
  }
  return pa ? on_bits(op, w, least_address, number) : on_bits(op, w, number, least_address);
}

// At least one operand is a pointer: arithmetic on offsets keeps the object; anything that looks at the object's name
// is told to the engine. `numbers`: this is arithmetic on integers, not on pointers.
Outcome with_pointers(Op op, unsigned w, Cell a, Cell b, bool numbers) {
  const bool pa = (a.mark & any_pointer) != 0, pb = (b.mark & any_pointer) != 0;
  const std::uint64_t na = flat(a), nb = flat(b);  // as numbers
  // Far outside, the object's name may have cancelled out, as in (n - q) + p, which compilers make of n - (q - p).
  auto moved = [&](Cell p, std::int64_t offset) {
    const Outcome o{with_offset(p, offset), Fault::None, false};
    if (!numbers || !(o.cell.mark & far_mark)) return o;
    const std::uint64_t sum = on_bits(op, w, na, nb).cell.bits;
    const auto small = static_cast<std::int32_t>(lower(sum));
    return static_cast<std::int64_t>(sum) == small ? Outcome{{sum, 0}, Fault::None, true} : o;
  };
  auto low = [](Cell p, std::uint64_t bits) {  // another lower half
    return Outcome{{(p.bits & ~std::uint64_t{0xffffffff}) | lower(bits), p.mark}, Fault::None, false};
  };
  auto leak = [&] {
    Outcome o = on_bits(op, w, na, nb);
    o.leaked = true;
    return o;
  };
  const bool same = pa && pb && upper(a.bits) == upper(b.bits);
  const bool far = ((a.mark | b.mark) & far_mark) != 0;
  switch (op) {
    case Op::Add:
      if (pa && pb) return leak();
      return pa ? moved(a, displaced(offset_of(a), static_cast<std::int64_t>(b.bits), numbers))
                : moved(b, displaced(offset_of(b), static_cast<std::int64_t>(a.bits), numbers));
    case Op::Sub:
      if (same) return plain(static_cast<std::uint64_t>(offset_of(a)) - static_cast<std::uint64_t>(offset_of(b)), w);
      if (pa && !pb)
        return moved(a, displaced(offset_of(a), static_cast<std::int64_t>(std::uint64_t{0} - b.bits), numbers));
      return leak();
    case Op::And:
      if (pa != pb && !far) {
        const Cell p = pa ? a : b;
        const auto mask = pa ? b.bits : a.bits;
        if (upper(mask) == 0xffffffff) return chosen(low(p, p.bits & mask), lower(~mask));
        if (upper(mask) == 0) return chosen(plain(p.bits & mask, w), lower(mask));
      }
      return same && na == nb ? Outcome{a, Fault::None, false} : leak();
    case Op::Or:
    case Op::Xor:
      if (pa != pb && !far && upper(pa ? b.bits : a.bits) == 0)
        return chosen(low(pa ? a : b, on_bits(op, 64, a.bits, b.bits).cell.bits), lower(pa ? b.bits : a.bits));
      if (op == Op::Xor && same && !far) return plain(a.bits ^ b.bits, w);
      return leak();
    case Op::URem:
      if (pa && !pb && std::has_single_bit(b.bits) && upper(b.bits) == 0)
        return chosen(plain(na % b.bits, w), lower(b.bits - 1));
      return leak();
    case Op::Eq:
    case Op::Ne:
      if (pa && pb) return plain((same && offset_of(a) == offset_of(b)) == (op == Op::Eq), 1);
      return equals_number(op == Op::Eq, pa ? a : b, pa ? b.bits : a.bits);
    case Op::ULt:
    case Op::ULe:
    case Op::SLt:
    case Op::SLe:
      if (same) {
        const auto x = offset_of(a), y = offset_of(b);
        if (op == Op::SLt || op == Op::SLe) return plain(op == Op::SLt ? x < y : x <= y, 1);
        // An offset of -2⁴⁷ and more leads down from the object, a lower one beyond 2⁶³.
        const std::uint64_t u = static_cast<std::uint64_t>(x) + no_more_addresses;
        const std::uint64_t v = static_cast<std::uint64_t>(y) + no_more_addresses;
        return plain(op == Op::ULt ? u < v : u <= v, 1);
      }
      return pa && pb ? leak() : against_number(op, w, a, b);
    case Op::Shl:
      if (pa && !pb && b.bits >= 32)
        return chosen(on_bits(op, w, na, nb), b.bits >= w ? 0 : lower(mask_of(static_cast<unsigned>(w - b.bits))));
      return leak();
    default: return leak();
  }
}

Outcome combined(Op op, unsigned width, Cell a, Cell b, bool numbers) {
  const auto both = static_cast<Mark>(a.mark | b.mark);
  if (both & fragment_mark) {
    Outcome r = combined(op, width, as_number(a), as_number(b), numbers);
    r.leaked = true;
    return r;
  }
  if (both & undefined_mark) return with_undefined(op, width, a, b);
  if ((both & any_pointer) && width == 64) return with_pointers(op, width, a, b, numbers);
  return on_bits(op, width, a.bits, b.bits);
}

}  // namespace

Outcome binary(Op op, unsigned width, Cell a, Cell b) { return combined(op, width, a, b, true); }

Outcome cas_equal(unsigned width, Cell old, Cell expected, bool& padding) {
  Outcome r = binary(Op::Eq, width, old, expected);
  if (!std::exchange(padding, false)) return r;
  if (r.fault != Fault::None || !(r.cell.mark & undefined_mark) || (r.cell.mark & cause_mark)) return r;
  if ((old.mark | expected.mark) & (any_pointer | fragment_mark)) return r;
  padding = (mask_of(width) & ~(undefined_bits(old, width) | undefined_bits(expected, width))) != 0;
  if (padding) r.cell = {1, 0};
  return r;
}

Outcome trunc(unsigned to, Cell a, unsigned needed) {
  if (a.mark & undefined_mark)
    return {make_cell(defined_bits(a), undefined_bits(a, 64), to, static_cast<Mark>(a.mark & cause_mark)), Fault::None,
            false};
  if (to >= 64) return {a, Fault::None, false};
  // The lower half of a pointer is its offset, whatever its object is called.
  Outcome r = plain(flat(a), to);
  r.cell.mark = static_cast<Mark>(a.mark & fragment_mark);
  if (!(a.mark & any_pointer)) return r;
  r.leaked = std::min(to, needed) > 32;
  r.low_bits = lower(mask_of(std::min(to, needed)));
  return r;
}

Outcome zero_extend(unsigned from, unsigned to, Cell a) {
  if (!(a.mark & undefined_mark)) return {a, Fault::None, false};
  return {make_cell(defined_bits(a), undefined_bits(a, from), to, static_cast<Mark>(a.mark & cause_mark)), Fault::None,
          false};
}

Outcome sign_extend(unsigned from, unsigned to, Cell a) {
  const auto extended = [&](std::uint64_t bits) { return static_cast<std::uint64_t>(sign_extended(bits, from)); };
  if (a.mark & fragment_mark) return {{extended(a.bits) & mask_of(to), fragment_mark}, Fault::None, false};
  return {make_cell(extended(defined_bits(a)), extended(undefined_bits(a, from)), to,
                    static_cast<Mark>(a.mark & cause_mark)),
          Fault::None, false};
}

Cell select(unsigned width, Cell condition, Cell a, Cell b) {
  if (!(condition.mark & undefined_mark)) return condition.bits != 0 ? a : b;
  if (a.bits == b.bits && a.mark == b.mark) return a;
  const auto cause = static_cast<Mark>((condition.mark | a.mark | b.mark) & cause_mark);
  if ((a.mark | b.mark) & any_pointer) return {0, static_cast<Mark>(undefined_of(width) | cause)};
  const auto x = defined_bits(a), y = defined_bits(b);
  return make_cell(x, undefined_bits(a, width) | undefined_bits(b, width) | (x ^ y), width, cause);
}

// Null is a number, and so is null with a small offset; further out it is a pointer to object 0, since the number would
// be another object's address.
Outcome pointer_add(Cell p, Cell offset) {
  if ((p.mark | offset.mark) == 0 && upper(p.bits) != 0) return {{p.bits + offset.bits, 0}, Fault::None, false};
  if (p.mark == 0 && upper(p.bits) == 0 && offset.mark == 0) {
    const auto sum = displaced(static_cast<std::int64_t>(p.bits), static_cast<std::int64_t>(offset.bits), false);
    if (sum >= 0 && sum <= 0xffffffff) return {{static_cast<std::uint64_t>(sum), 0}, Fault::None, false};
    return {with_offset({0, pointer_mark}, sum), Fault::None, false};
  }
  Outcome r = combined(Op::Add, 64, p, offset, false);
  if ((r.cell.mark & (pointer_mark | far_mark)) == pointer_mark && upper(r.cell.bits) == 0 && offset_of(r.cell) >= 0)
    r.cell.mark = 0;
  return r;
}

std::uint64_t scaled(std::uint64_t index, std::uint64_t by) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(static_cast<std::int64_t>(index), static_cast<std::int64_t>(by), &product))
    return static_cast<std::uint64_t>(product);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(index) < 0 ? std::numeric_limits<std::int64_t>::min()
                                                                         : std::numeric_limits<std::int64_t>::max());
}

}  // namespace heddle::vm
