// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/c_types.h"

#include <fmt/format.h>

#include <cctype>
#include <map>

namespace heddle::lang::litmus {

namespace {

constexpr CType integer(std::uint8_t size, bool is_signed, bool is_atomic = false) {
  return {size, is_signed, false, false, is_atomic, 0};
}

// Names of one word. stdatomic.h's fast and least types have the sizes of x86-64 Linux.
const std::map<std::string_view, CType>& named_types() {
  static const std::map<std::string_view, CType> types = [] {
    std::map<std::string_view, CType> t = {
        {"int8_t", integer(1, true)},
        {"int16_t", integer(2, true)},
        {"int32_t", integer(4, true)},
        {"int64_t", integer(8, true)},
        {"uint8_t", integer(1, false)},
        {"uint16_t", integer(2, false)},
        {"uint32_t", integer(4, false)},
        {"uint64_t", integer(8, false)},
        {"intptr_t", integer(8, true)},
        {"uintptr_t", integer(8, false)},
        {"size_t", integer(8, false)},
        {"ptrdiff_t", integer(8, true)},
        {"bool", c_bool},
        {"_Bool", c_bool},
        {"mtx_t", integer(4, true, true)},
        {"spinlock_t", integer(4, true, true)},
        {"atomic_char", integer(1, true, true)},
        {"atomic_schar", integer(1, true, true)},
        {"atomic_uchar", integer(1, false, true)},
        {"atomic_short", integer(2, true, true)},
        {"atomic_ushort", integer(2, false, true)},
        {"atomic_int", integer(4, true, true)},
        {"atomic_uint", integer(4, false, true)},
        {"atomic_long", integer(8, true, true)},
        {"atomic_ulong", integer(8, false, true)},
        {"atomic_llong", integer(8, true, true)},
        {"atomic_ullong", integer(8, false, true)},
        {"atomic_intptr_t", integer(8, true, true)},
        {"atomic_uintptr_t", integer(8, false, true)},
        {"atomic_size_t", integer(8, false, true)},
        {"atomic_ptrdiff_t", integer(8, true, true)},
    };
    CType atomic_bool = c_bool;
    atomic_bool.is_atomic = true;
    t["atomic_bool"] = t["atomic_flag"] = atomic_bool;
    return t;
  }();
  return types;
}

}  // namespace

CType CType::pointer_to() const {
  CType t = *this;
  ++t.stars;
  return t;
}

CType CType::pointed_to() const {
  if (!is_pointer()) return c_int;
  CType t = *this;
  --t.stars;
  return t;
}

CType CType::unqualified() const {
  CType t = *this;
  if (!is_pointer()) t.is_volatile = t.is_atomic = false;
  return t;
}

bool CType::same_values(const CType& o) const {
  return size == o.size && is_signed == o.is_signed && is_bool == o.is_bool && stars == o.stars;
}

std::optional<CType> accept_c_type(Lexer& lex) {
  CType result;
  bool any = false, named = false;
  unsigned chars = 0, shorts = 0, ints = 0, longs = 0, with_sign = 0, without_sign = 0;
  for (;;) {
    const Token t = lex.peek();
    if (t.kind != TokenKind::Name) break;
    const bool words = chars + shorts + ints + longs + with_sign + without_sign > 0;
    if (t.text == "volatile") result.is_volatile = true;
    else if (t.text == "const" || t.text == "register" || t.text == "restrict") {
    } else if (t.text == "_Atomic") {
      result.is_atomic = any = true;
      lex.take();
      if (lex.accept("(")) {
        const auto inner = accept_c_type(lex);
        if (!inner) lex.fail("a type expected");
        const bool is_volatile = result.is_volatile;
        result = *inner;
        result.is_atomic = named = true;
        result.is_volatile |= is_volatile;
        lex.expect(")");
      }
      continue;
    } else if (t.text == "char") ++chars;
    else if (t.text == "short") ++shorts;
    else if (t.text == "int") ++ints;
    else if (t.text == "long") ++longs;
    else if (t.text == "signed") ++with_sign;
    else if (t.text == "unsigned") ++without_sign;
    else if (const auto found = named_types().find(t.text); found != named_types().end() && !named && !words) {
      const bool is_volatile = result.is_volatile, is_atomic = result.is_atomic;
      result = found->second;
      result.is_volatile |= is_volatile;
      result.is_atomic |= is_atomic;
      named = true;
    } else {
      break;
    }
    if (chars + shorts > 1 || ints > 1 || longs > 2 || with_sign + without_sign > 1 ||
        (longs > 0 && chars + shorts > 0) || (chars > 0 && ints > 0) ||
        (named && chars + shorts + ints + longs + with_sign + without_sign > 0))
      throw Mistake{t.at, fmt::format("'{}' does not go with the words of the type before it", t.text), {}};
    any = true;
    lex.take();
  }
  if (!any) return std::nullopt;
  if (!named) {
    result.size = chars > 0 ? 1 : shorts > 0 ? 2 : longs > 0 ? 8 : 4;
    result.is_signed = without_sign == 0;
  }
  while (lex.accept("*")) {
    if (++result.stars > 8) lex.fail("this pointer has too many stars");
    while (lex.accept("const") || lex.accept("restrict") || lex.accept("volatile")) {}
  }
  return result;
}

std::pair<std::uint64_t, CType> c_number(const Token& t) {
  std::string_view s = t.text;
  unsigned longs = 0, unsigneds = 0;
  while (!s.empty() && std::string_view("uUlL").find(s.back()) != std::string_view::npos) {
    ++(s.back() == 'u' || s.back() == 'U' ? unsigneds : longs);
    s.remove_suffix(1);
  }
  std::uint64_t value = t.number;
  const bool octal = s.size() > 1 && s[0] == '0' && std::isdigit(static_cast<unsigned char>(s[1]));
  bool good = unsigneds <= 1 && longs <= 2;
  if (octal) {
    value = 0;
    for (const char c : s) {
      good &= c >= '0' && c <= '7' && value >> 61 == 0;
      value = value * 8 + static_cast<unsigned>(c - '0');
    }
  }
  if (!good) throw Mistake{t.at, fmt::format("'{}' is not a number", t.text), {}};
  const bool decimal = !octal && !(s.size() > 1 && (s[1] == 'x' || s[1] == 'X'));
  for (const std::uint8_t size : {std::uint8_t{4}, std::uint8_t{8}}) {
    if (size == 4 && longs > 0) continue;
    if (unsigneds == 0 && value >> (8 * size - 1) == 0) return {value, integer(size, true)};
    if ((unsigneds > 0 || !decimal) && (size == 8 || value >> 32 == 0)) return {value, integer(size, false)};
  }
  throw Mistake{
      t.at, fmt::format("'{}' is too large; as an unsigned number it is written with a u behind it", t.text), {}};
}

CType promoted(CType t) {
  t = t.unqualified();
  return !t.is_pointer() && t.size < 4 ? c_int : t;
}

CType common(CType a, CType b) {
  a = promoted(a);
  b = promoted(b);
  if (a.is_pointer()) return a;
  if (b.is_pointer()) return b;
  if (a.size != b.size) return a.size > b.size ? a : b;
  return a.is_signed ? b : a;
}

Alu conversion(CType from, CType to) {
  if (to.is_pointer()) return Alu::Move;
  if (to.is_bool) return from.is_bool && !from.is_pointer() ? Alu::Move : Alu::Ne;
  if (to.size == 8) return Alu::Move;
  const std::uint8_t size = from.bytes();
  const bool has_sign = from.is_signed && !from.is_pointer();
  if (size < to.size && (!has_sign || to.is_signed)) return Alu::Move;
  if (size == to.size && has_sign == to.is_signed) return Alu::Move;
  switch (to.size) {
    case 1: return to.is_signed ? Alu::SignExtend8 : Alu::ZeroExtend8;
    case 2: return to.is_signed ? Alu::SignExtend16 : Alu::ZeroExtend16;
    default: return to.is_signed ? Alu::SignExtend32 : Alu::ZeroExtend32;
  }
}

}  // namespace heddle::lang::litmus
