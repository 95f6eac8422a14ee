// The types of C litmus tests: integers of 1, 2, 4 and 8 bytes, _Bool, and pointers to them, with the conversions of
// C11 6.3.1 (int has 4 bytes, long and pointers 8).
//
// A value is kept in 64 bits, extended as its type has it: with its sign, or with zeros. A conversion is thus one
// operation at most, and none where every value of the one type is a value of the other. Addresses are symbols and
// survive every conversion to an integer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "lang/litmus/code.h"
#include "lang/litmus/lexer.h"

namespace heddle::lang::litmus {

struct CType {
  std::uint8_t size = 4;  // of the integer behind all stars
  bool is_signed = true;
  bool is_bool = false;
  bool is_volatile = false;
  bool is_atomic = false;
  std::uint8_t stars = 0;

  bool is_pointer() const { return stars > 0; }
  std::uint8_t bytes() const { return is_pointer() ? std::uint8_t{8} : size; }
  CType pointer_to() const;
  CType pointed_to() const;   // of an integer: int, since tests keep addresses in integers too
  CType unqualified() const;  // as the type of a value
  bool same_values(const CType&) const;
};

inline constexpr CType c_int{};
inline constexpr CType c_bool{1, false, true, false, false, 0};

// The type whose words begin here, which are taken with the stars behind them; nothing if none begins.
std::optional<CType> accept_c_type(Lexer&);

// An integer constant of C, decimal, octal or hexadecimal. Its type is the first that can hold its value in the list of
// C11 6.4.4.1 for its suffix. Throws Mistake if it is none.
std::pair<std::uint64_t, CType> c_number(const Token&);

CType promoted(CType);
CType common(CType, CType);  // the usual arithmetic conversions

// The operation that makes a value of one type one of the other (Move: it is one already).
// For _Bool it is Ne, with zero as the second operand.
Alu conversion(CType from, CType to);

}  // namespace heddle::lang::litmus
