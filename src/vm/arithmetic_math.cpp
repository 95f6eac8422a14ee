// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "support/product.h"
#include "vm/arithmetic.h"

namespace heddle::vm {
namespace {

__extension__ using U128 = unsigned __int128;
__extension__ using S128 = __int128;

// Floating-point operations take the bits of a pointer for a number, which depends on its object's name.
Cell number_of(const Cell& c) { return c.mark & any_pointer ? Cell{flat(c), 0} : c; }
Outcome leaked(Outcome o) {
  o.leaked = true;
  return o;
}

double as_double(std::uint64_t bits, unsigned width) {
  return width == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                     : std::bit_cast<double>(bits);
}
float as_float(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
Outcome from_float(float f) { return plain(std::bit_cast<std::uint32_t>(f), 64); }
Outcome from_double(double d) { return plain(std::bit_cast<std::uint64_t>(d), 64); }
Outcome from_real(double d, unsigned width) { return width == 32 ? from_float(static_cast<float>(d)) : from_double(d); }

std::uint64_t reversed(std::uint64_t x, unsigned width) {
  std::uint64_t r = 0;
  for (unsigned i = 0; i < width; ++i) r |= ((x >> i) & 1) << (width - 1 - i);
  return r;
}

Outcome saturated(S128 value, S128 low, S128 high, unsigned w) {
  return plain(static_cast<std::uint64_t>(value < low ? low : value > high ? high : value), w);
}

}  // namespace

Outcome int_math(IntMath f, unsigned w, Cell ca, Cell cb, Cell cc) {
  if ((ca.mark | cb.mark | cc.mark) & fragment_mark) {
    Outcome r = int_math(f, w, as_number(ca), as_number(cb), as_number(cc));
    r.leaked = true;
    return r;
  }
  const bool moves_bits = f == IntMath::Bswap || f == IntMath::BitReverse || f == IntMath::Fshl || f == IntMath::Fshr;
  if (moves_bits && ((ca.mark | cb.mark) & undefined_mark) && !(cc.mark & undefined_mark)) {
    const Cell bits = int_math(f, w, {defined_bits(ca), 0}, {defined_bits(cb), 0}, cc).cell;
    const Cell undefined = int_math(f, w, {undefined_bits(ca, w), 0}, {undefined_bits(cb, w), 0}, cc).cell;
    return {make_cell(bits.bits, undefined.bits, w, static_cast<Mark>((ca.mark | cb.mark) & cause_mark)), Fault::None,
            false};
  }
  if ((ca.mark | cb.mark | cc.mark) & undefined_mark)
    return undefined(f >= IntMath::SAddO && f <= IntMath::UMulO ? 1 : w,
                     static_cast<Mark>((ca.mark | cb.mark | cc.mark) & cause_mark));
  const auto a = flat(ca), b = flat(cb), c = flat(cc);
  const S128 sa = sign_extended(a, w), sb = sign_extended(b, w);
  const U128 ua = a, ub = b;
  const S128 low = -(S128{1} << (w - 1)), high = (S128{1} << (w - 1)) - 1, top = (S128{1} << w) - 1;
  auto result = [&]() -> Outcome {
    switch (f) {
      case IntMath::Ctpop: return plain(static_cast<unsigned>(std::popcount(a)), w);
      case IntMath::Ctlz:
        if (a == 0 && b != 0) return undefined(w, operation_mark);
        return plain(static_cast<unsigned>(std::countl_zero(a)) - (64 - w), w);
      case IntMath::Cttz:
        if (a == 0) return b != 0 ? undefined(w, operation_mark) : plain(w, w);
        return plain(static_cast<unsigned>(std::countr_zero(a)), w);
      case IntMath::Bswap: return plain(__builtin_bswap64(a) >> (64 - w), w);
      case IntMath::BitReverse: return plain(reversed(a, w), w);
      case IntMath::Abs:
        if (sa == low && b != 0) return undefined(w, operation_mark);
        return plain(static_cast<std::uint64_t>(sa < 0 ? -sa : sa), w);
      case IntMath::SMin: return plain(sa < sb ? a : b, w);
      case IntMath::SMax: return plain(sa > sb ? a : b, w);
      case IntMath::UMin: return plain(a < b ? a : b, w);
      case IntMath::UMax: return plain(a > b ? a : b, w);
      case IntMath::Fshl: {
        const auto s = c % w;
        return plain(s == 0 ? a : (a << s) | (b >> (w - s)), w);
      }
      case IntMath::Fshr: {
        const auto s = c % w;
        return plain(s == 0 ? b : (b >> s) | (a << (w - s)), w);
      }
      case IntMath::SAddO: return plain(sa + sb < low || sa + sb > high, 1);
      case IntMath::SSubO: return plain(sa - sb < low || sa - sb > high, 1);
      case IntMath::SMulO: return plain(sa * sb < low || sa * sb > high, 1);
      case IntMath::UAddO: return plain(static_cast<S128>(ua + ub) > top, 1);
      case IntMath::USubO: return plain(a < b, 1);
      case IntMath::UMulO: return plain((ua * ub) >> w != 0, 1);
      case IntMath::SAddSat: return saturated(sa + sb, low, high, w);
      case IntMath::SSubSat: return saturated(sa - sb, low, high, w);
      case IntMath::UAddSat: return saturated(static_cast<S128>(ua + ub), 0, top, w);
      case IntMath::USubSat: return plain(a < b ? 0 : a - b, w);
      case IntMath::SShlSat:
        if (b >= w) return undefined(w, operation_mark);
        return saturated(sa << b, low, high, w);
      case IntMath::UShlSat:
        if (b >= w) return undefined(w, operation_mark);
        return (ua << b) > static_cast<U128>(top) ? plain(static_cast<std::uint64_t>(top), w) : plain(a << b, w);
      case IntMath::Cmp3S: return plain(sa < sb ? ~std::uint64_t{0} : sa > sb, 64);
      case IntMath::Cmp3U: return plain(a < b ? ~std::uint64_t{0} : a > b, 64);
    }
    return {};
  };
  auto r = result();
  r.leaked = ((ca.mark | cb.mark | cc.mark) & any_pointer) != 0;
  return r;
}

Outcome float_binary(Op op, unsigned w, Cell ca, Cell cb) {
  if ((ca.mark | cb.mark) & any_pointer) return leaked(float_binary(op, w, number_of(ca), number_of(cb)));
  if ((ca.mark | cb.mark) & fragment_mark) return {{}, Fault::PointerPart, false};
  if ((ca.mark | cb.mark) & undefined_mark) return undefined(w, static_cast<Mark>((ca.mark | cb.mark) & cause_mark));
  auto apply = [&](auto a, auto b) {
    switch (op) {
      case Op::FAdd: return a + b;
      case Op::FSub: return a - b;
      case Op::FMul: return a * b;
      case Op::FDiv: return a / b;
      default: return std::fmod(a, b);
    }
  };
  return w == 32 ? from_float(apply(as_float(ca.bits), as_float(cb.bits)))
                 : from_double(apply(std::bit_cast<double>(ca.bits), std::bit_cast<double>(cb.bits)));
}

// Predicates are LLVM's: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered.
Outcome float_compare(unsigned predicate, unsigned w, Cell ca, Cell cb) {
  if ((ca.mark | cb.mark) & any_pointer) return leaked(float_compare(predicate, w, number_of(ca), number_of(cb)));
  if ((ca.mark | cb.mark) & fragment_mark) return {{}, Fault::PointerPart, false};
  if ((ca.mark | cb.mark) & undefined_mark) return undefined(1, static_cast<Mark>((ca.mark | cb.mark) & cause_mark));
  const double a = as_double(ca.bits, w), b = as_double(cb.bits, w);
  const unsigned relation = std::isunordered(a, b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  return plain((predicate & relation) != 0, 1);
}

Outcome float_cast(Op op, unsigned from, unsigned to, Cell c) {
  if (c.mark & any_pointer) return leaked(float_cast(op, from, to, number_of(c)));
  if (c.mark & fragment_mark) return {{}, Fault::PointerPart, false};
  if (c.mark & undefined_mark) return undefined(to, static_cast<Mark>(c.mark & cause_mark));
  switch (op) {
    case Op::FCast:
      if (from == 32 && to == 64) return from_double(static_cast<double>(as_float(c.bits)));
      if (from == 64 && to == 32) return from_float(static_cast<float>(std::bit_cast<double>(c.bits)));
      return {c, Fault::None, false};
    case Op::SIToF: {
      const auto i = sign_extended(c.bits, from);
      return to == 32 ? from_float(static_cast<float>(i)) : from_double(static_cast<double>(i));
    }
    case Op::UIToF: return to == 32 ? from_float(static_cast<float>(c.bits)) : from_double(static_cast<double>(c.bits));
    default: {
      // Out of range is poison.
      const double d = std::trunc(as_double(c.bits, from));
      const double low = op == Op::FToSI ? -std::ldexp(1.0, static_cast<int>(to) - 1) : 0.0;
      const double high = std::ldexp(1.0, static_cast<int>(op == Op::FToSI ? to - 1 : to));
      if (!(d >= low && d < high)) return undefined(to, conversion_mark);
      return plain(
          op == Op::FToSI ? static_cast<std::uint64_t>(static_cast<std::int64_t>(d)) : static_cast<std::uint64_t>(d),
          to);
    }
  }
}

namespace {

Outcome saturated(double value, unsigned to, bool is_signed) {
  if (std::isnan(value)) return plain(0, to);
  const double d = std::trunc(value);
  const double low = is_signed ? -std::ldexp(1.0, static_cast<int>(to) - 1) : 0.0;
  const double high = std::ldexp(1.0, static_cast<int>(is_signed ? to - 1 : to));
  if (d < low) return plain(is_signed ? std::uint64_t{1} << (to - 1) : 0, to);
  if (d >= high) return plain(mask_of(is_signed ? to - 1 : to), to);
  return plain(is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(d)) : static_cast<std::uint64_t>(d),
               to);
}

}  // namespace

Outcome float_math(FloatMath f, unsigned w, Cell ca, Cell cb, Cell cc) {
  if ((ca.mark | cb.mark | cc.mark) & any_pointer)
    return leaked(float_math(f, w, number_of(ca), number_of(cb), number_of(cc)));
  const bool to_integer = f == FloatMath::ToSISat || f == FloatMath::ToUISat;
  if ((ca.mark | cb.mark | cc.mark) & fragment_mark) return {{}, Fault::PointerPart, false};
  if ((ca.mark | cb.mark | cc.mark) & undefined_mark)
    return undefined(f == FloatMath::IsFpClass       ? 1
                     : f == FloatMath::FrexpExponent ? 32
                     : to_integer                    ? static_cast<unsigned>(cb.bits)
                                                     : w,
                     static_cast<Mark>((ca.mark | cb.mark | cc.mark) & cause_mark));
  const double a = as_double(ca.bits, w), b = as_double(cb.bits, w), c = as_double(cc.bits, w);
  const bool single = w == 32;
  const float fa = single ? as_float(ca.bits) : 0, fb = single ? as_float(cb.bits) : 0,
              fc = single ? as_float(cc.bits) : 0;
  auto one = [&](auto g) { return single ? from_float(g(fa)) : from_double(g(a)); };
  switch (f) {
    case FloatMath::Sqrt: return one([](auto x) { return std::sqrt(x); });
    case FloatMath::Fabs: return plain(ca.bits & ~(std::uint64_t{1} << (w - 1)), w);
    case FloatMath::Floor: return one([](auto x) { return std::floor(x); });
    case FloatMath::Ceil: return one([](auto x) { return std::ceil(x); });
    case FloatMath::Trunc: return one([](auto x) { return std::trunc(x); });
    case FloatMath::Rint: return one([](auto x) { return std::rint(x); });
    case FloatMath::Round: return one([](auto x) { return std::round(x); });
    case FloatMath::RoundEven: return one([](auto x) { return std::rint(x); });
    case FloatMath::Copysign: {
      const auto sign = std::uint64_t{1} << (w - 1);
      return plain((ca.bits & ~sign) | (cb.bits & sign), w);
    }
    case FloatMath::MinNum: return from_real(std::fmin(a, b), w);
    case FloatMath::MaxNum: return from_real(std::fmax(a, b), w);
    case FloatMath::Minimum:
      if (std::isnan(a) || std::isnan(b)) return from_real(std::numeric_limits<double>::quiet_NaN(), w);
      return from_real(a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b), w);
    case FloatMath::Maximum:
      if (std::isnan(a) || std::isnan(b)) return from_real(std::numeric_limits<double>::quiet_NaN(), w);
      return from_real(a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b), w);
    case FloatMath::Fma: return single ? from_float(std::fma(fa, fb, fc)) : from_double(std::fma(a, b, c));
    case FloatMath::Pow: return single ? from_float(std::pow(fa, fb)) : from_double(std::pow(a, b));
    case FloatMath::Powi: return from_real(std::pow(a, static_cast<double>(static_cast<std::int32_t>(cb.bits))), w);
    case FloatMath::Ldexp: return from_real(std::ldexp(a, static_cast<std::int32_t>(cb.bits)), w);
    case FloatMath::FrexpFraction:
    case FloatMath::FrexpExponent: {
      int exponent = 0;
      const double fraction = std::frexp(a, &exponent);
      if (f == FloatMath::FrexpFraction) return from_real(fraction, w);
      return plain(std::isfinite(a) ? static_cast<std::uint32_t>(exponent) : 0, 32);
    }
    case FloatMath::Sin: return one([](auto x) { return std::sin(x); });
    case FloatMath::Cos: return one([](auto x) { return std::cos(x); });
    case FloatMath::Tan: return one([](auto x) { return std::tan(x); });
    case FloatMath::Asin: return one([](auto x) { return std::asin(x); });
    case FloatMath::Acos: return one([](auto x) { return std::acos(x); });
    case FloatMath::Atan: return one([](auto x) { return std::atan(x); });
    case FloatMath::Sinh: return one([](auto x) { return std::sinh(x); });
    case FloatMath::Cosh: return one([](auto x) { return std::cosh(x); });
    case FloatMath::Tanh: return one([](auto x) { return std::tanh(x); });
    case FloatMath::Exp: return one([](auto x) { return std::exp(x); });
    case FloatMath::Exp2: return one([](auto x) { return std::exp2(x); });
    case FloatMath::Exp10: return single ? from_float(::exp10f(fa)) : from_double(::exp10(a));
    case FloatMath::Log: return one([](auto x) { return std::log(x); });
    case FloatMath::Log2: return one([](auto x) { return std::log2(x); });
    case FloatMath::Log10: return one([](auto x) { return std::log10(x); });
    case FloatMath::ToSISat:
    case FloatMath::ToUISat: return saturated(a, static_cast<unsigned>(cb.bits), f == FloatMath::ToSISat);
    case FloatMath::IsFpClass: {
      // Bits as in llvm.is.fpclass: signalling and quiet NaN, then -inf … +inf.
      unsigned k = 0;
      const bool negative = (ca.bits >> (w - 1)) & 1;
      const auto quiet = single ? std::uint64_t{1} << 22 : std::uint64_t{1} << 51;
      const int kind = single ? std::fpclassify(fa) : std::fpclassify(a);
      if (kind == FP_NAN) k = (ca.bits & quiet) ? 1 : 0;
      else if (kind == FP_INFINITE) k = negative ? 2 : 9;
      else if (kind == FP_NORMAL) k = negative ? 3 : 8;
      else if (kind == FP_SUBNORMAL) k = negative ? 4 : 7;
      else k = negative ? 5 : 6;
      return plain((cb.bits >> k) & 1, 1);
    }
  }
  return {};
}

Outcome rmw_math(core::RmwOp op, unsigned w, Cell old, Cell value) {
  const auto math = [&](IntMath f) { return int_math(f, w, old, value, {}); };
  Outcome wrapped{{}, Fault::None, ((old.mark | value.mark) & any_pointer) != 0};
  switch (op) {
    case core::RmwOp::Add: return binary(Op::Add, w, old, value);
    case core::RmwOp::Sub: return binary(Op::Sub, w, old, value);
    case core::RmwOp::And: return binary(Op::And, w, old, value);
    case core::RmwOp::Or: return binary(Op::Or, w, old, value);
    case core::RmwOp::Xor: return binary(Op::Xor, w, old, value);
    case core::RmwOp::Nand: {
      const Outcome both = binary(Op::And, w, old, value);
      Outcome o = binary(Op::Xor, w, both.cell, {mask_of(w), 0});
      o.leaked |= both.leaked;
      o.low_bits = std::max(o.low_bits, both.low_bits);
      return o;
    }
    case core::RmwOp::Max: return math(IntMath::SMax);
    case core::RmwOp::Min: return math(IntMath::SMin);
    case core::RmwOp::UMax: return math(IntMath::UMax);
    case core::RmwOp::UMin: return math(IntMath::UMin);
    case core::RmwOp::FAdd: return float_binary(Op::FAdd, w, old, value);
    case core::RmwOp::FSub: return float_binary(Op::FSub, w, old, value);
    case core::RmwOp::FMax: return float_math(FloatMath::MaxNum, w, old, value, {});
    case core::RmwOp::FMin: return float_math(FloatMath::MinNum, w, old, value, {});
    case core::RmwOp::UIncWrap:
    case core::RmwOp::UDecWrap:
      if ((old.mark | value.mark) & unusable_mark) return undefined(w, 0);
      if (op == core::RmwOp::UIncWrap) wrapped.cell = {old.bits >= value.bits ? 0 : old.bits + 1, 0};
      else wrapped.cell = {old.bits == 0 || old.bits > value.bits ? value.bits : old.bits - 1, 0};
      return wrapped;
    default: return {value, Fault::None, false};
  }
}

namespace {

// Shifts and comparisons for equality of operands with undefined bits. False: not one of them, or undefined.
bool wide_with_undefined(Wide f, unsigned w, std::span<const Cell> in, std::span<Cell> out) {
  const auto high = w - 64;  // bits of the upper part
  const auto mask = [&](std::size_t i) {
    return U128{undefined_bits(in[i], 64)} | (U128{undefined_bits(in[i + 1], high)} << 64);
  };
  const auto bits = [&](std::size_t i) { return U128{defined_bits(in[i])} | (U128{defined_bits(in[i + 1])} << 64); };
  const U128 a = bits(0), ua = mask(0), b = bits(2), ub = mask(2), all = w >= 128 ? ~U128{0} : (U128{1} << w) - 1;
  if (f == Wide::Eq || f == Wide::Ne || f == Wide::Same) {
    const U128 known = all & ~(ua | ub);
    const bool equal = (a & known) == (b & known);
    if (f == Wide::Same && known != 0) {
      out[0] = {equal, 0};
      return true;
    }
    if (equal) return false;
    out[0] = {f == Wide::Ne, 0};
    return true;
  }
  if ((f != Wide::Shl && f != Wide::LShr && f != Wide::AShr) || ub != 0 || b >= w) return false;
  const auto by = static_cast<unsigned>(b);
  const auto shifted = [&](U128 x) {
    if (f == Wide::Shl) return (x << by) & all;
    if (f == Wide::LShr) return x >> by;
    return static_cast<U128>((static_cast<S128>(x << (128 - w)) >> (128 - w)) >> by) & all;
  };
  const U128 r = shifted(a), ur = shifted(ua);
  Mark cause = 0;
  for (const Cell& c : in) cause = static_cast<Mark>(cause | (c.mark & cause_mark));
  out[0] = make_cell(static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(ur), 64, cause);
  out[1] = make_cell(static_cast<std::uint64_t>(r >> 64), static_cast<std::uint64_t>(ur >> 64), high, cause);
  return true;
}

}  // namespace

// A shift of 128 bits by 64 moves whole words: a pointer beside a counter stays one.
bool moves_words(Wide f, unsigned w, std::span<const Cell> in) {
  return (f == Wide::Shl || f == Wide::LShr) && w == 128 && in.size() == 4 && in[2].bits == 64 && in[3].bits == 0 &&
         ((in[2].mark | in[3].mark) == 0);
}

Fault wide_math(Wide f, unsigned w, std::span<const Cell> in, std::span<Cell> out) {
  if (moves_words(f, w, in)) {
    out[0] = f == Wide::Shl ? Cell{} : in[1];
    out[1] = f == Wide::Shl ? in[0] : Cell{};
    return Fault::None;
  }
  const bool from_float_bits =
      f == Wide::FToSI || f == Wide::FToUI;  // of w bits, to as many as the second operand says
  const unsigned bits = from_float_bits ? static_cast<unsigned>(in[1].bits) : w;  // 65 … 128
  Mark marks = 0;
  for (const auto& cell : in) marks = static_cast<Mark>(marks | cell.mark);
  const auto unknown = [&](Mark cause) {
    for (auto& o : out) o = {0, static_cast<Mark>(undefined_mark | cause)};
    if (out.size() > 1) out[1].mark = static_cast<Mark>(undefined_of(bits - 64) | cause);
  };
  if (marks & fragment_mark) return Fault::PointerPart;
  if (marks & undefined_mark) {
    if (f == Wide::UDiv || f == Wide::SDiv || f == Wide::URem || f == Wide::SRem) return Fault::Uninitialised;
    if (in.size() == 4 && wide_with_undefined(f, w, in, out)) return Fault::None;
    const auto cause = static_cast<Mark>(marks & cause_mark);
    unknown(cause);
    if (out.size() == 1)
      out[0].mark = static_cast<Mark>((f == Wide::SIToF || f == Wide::UIToF ? undefined_of(w) : Mark{1}) | cause);
    return Fault::None;
  }
  auto pair = [&](std::size_t i) {
    return i + 1 < in.size() ? U128{flat(in[i])} | (U128{flat(in[i + 1])} << 64)
                             : U128{i < in.size() ? flat(in[i]) : 0};
  };
  auto set = [&](U128 x) {
    out[0] = {static_cast<std::uint64_t>(x), 0};
    if (out.size() > 1) out[1] = {static_cast<std::uint64_t>(x >> 64), 0};
  };
  const U128 mask = bits >= 128 ? ~U128{0} : (U128{1} << bits) - 1;
  auto extend = [&](U128 x) {
    return bits >= 128 ? static_cast<S128>(x) : static_cast<S128>(x << (128 - bits)) >> (128 - bits);
  };
  const U128 a = from_float_bits ? 0 : pair(0), b = from_float_bits ? 0 : pair(2);
  const S128 sa = extend(a), sb = extend(b);
  const S128 least = extend(U128{1} << (bits - 1));
  switch (f) {
    case Wide::Add: set((a + b) & mask); break;
    case Wide::Sub: set((a - b) & mask); break;
    case Wide::Mul: set((a * b) & mask); break;
    case Wide::UDiv:
      if (b == 0) return Fault::DivideByZero;
      set(a / b);
      break;
    case Wide::URem:
      if (b == 0) return Fault::DivideByZero;
      set(a % b);
      break;
    case Wide::SDiv:
    case Wide::SRem:
      if (b == 0) return Fault::DivideByZero;
      if (sb == -1) {
        if (sa == least) return Fault::DivideOverflow;
        set((f == Wide::SDiv ? U128{0} - a : U128{0}) & mask);
      } else {
        set(static_cast<U128>(f == Wide::SDiv ? sa / sb : sa % sb) & mask);
      }
      break;
    case Wide::Shl:
    case Wide::LShr:
    case Wide::AShr:
      if (b >= bits) {
        unknown(operation_mark);
        break;
      }
      set((f == Wide::Shl    ? a << static_cast<unsigned>(b)
           : f == Wide::LShr ? a >> static_cast<unsigned>(b)
                             : static_cast<U128>(sa >> static_cast<unsigned>(b))) &
          mask);
      break;
    case Wide::Eq:
    case Wide::Same: set(a == b); break;
    case Wide::Ne: set(a != b); break;
    case Wide::ULt: set(a < b); break;
    case Wide::ULe: set(a <= b); break;
    case Wide::SLt: set(sa < sb); break;
    case Wide::SLe: set(sa <= sb); break;
    case Wide::SAddO: {
      S128 r;
      set(__builtin_add_overflow(sa, sb, &r) || extend(static_cast<U128>(r) & mask) != r);
      break;
    }
    case Wide::SSubO: {
      S128 r;
      set(__builtin_sub_overflow(sa, sb, &r) || extend(static_cast<U128>(r) & mask) != r);
      break;
    }
    case Wide::SMulO: {
      const std::optional<S128> r = support::product(sa, sb);
      set(!r || extend(static_cast<U128>(*r) & mask) != *r);
      break;
    }
    case Wide::UAddO: {
      U128 r;
      set(__builtin_add_overflow(a, b, &r) || (r & mask) != r);
      break;
    }
    case Wide::USubO: set(a < b); break;
    case Wide::UMulO: {
      U128 r;
      set(__builtin_mul_overflow(a, b, &r) || (r & mask) != r);
      break;
    }
    case Wide::FToSI:
    case Wide::FToUI: {
      const double d = std::trunc(as_double(in[0].bits, w));
      const int exponent = static_cast<int>(f == Wide::FToSI ? bits - 1 : bits);
      const double low = f == Wide::FToSI ? -std::ldexp(1.0, exponent) : 0.0, high = std::ldexp(1.0, exponent);
      if (!(d >= low && d < high)) {
        unknown(conversion_mark);
        break;
      }
      set((f == Wide::FToSI ? static_cast<U128>(static_cast<S128>(d)) : static_cast<U128>(d)) & mask);
      break;
    }
    case Wide::SIToF:
      out[0] = (w == 32 ? from_float(static_cast<float>(static_cast<S128>(a)))
                        : from_double(static_cast<double>(static_cast<S128>(a))))
                   .cell;
      break;
    case Wide::UIToF:
      out[0] = (w == 32 ? from_float(static_cast<float>(a)) : from_double(static_cast<double>(a))).cell;
      break;
    // The second operand of these says whether they have no result for 0, or for the least value.
    case Wide::Ctlz: {
      if (a == 0 && b != 0) {
        unknown(operation_mark);
        break;
      }
      unsigned n = 0;
      while (n < bits && ((a >> (bits - 1 - n)) & 1) == 0) ++n;
      set(n);
      break;
    }
    case Wide::Cttz: {
      if (a == 0 && b != 0) {
        unknown(operation_mark);
        break;
      }
      unsigned n = 0;
      while (n < bits && ((a >> n) & 1) == 0) ++n;
      set(n);
      break;
    }
    case Wide::Abs:
      if (sa == least && b != 0) unknown(operation_mark);
      else set((sa < 0 ? U128{0} - a : a) & mask);
      break;
  }
  return Fault::None;
}

}  // namespace heddle::vm
