// Bodies of threads in C litmus tests: declarations, assignments, if, while, do, and the functions of <stdatomic.h>.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lang/litmus/assembler.h"
#include "lang/litmus/lexer.h"

namespace heddle::lang::litmus {

// Reads `(parameters) { statements }` from the lexer's place on. Parameters are pointers to variables of the same name;
// `declare` is told of each, with the size of what it points to.
void compile_c_thread(
    Lexer&, ThreadCode&,
    const std::function<core::Value(std::string_view name, std::uint8_t size, bool is_signed)>& declare,
    const std::function<std::pair<unsigned, unsigned>(std::size_t)>& place_of);

// The size and sign of a type whose words begin here, which are taken; nothing if none begins. Stars are not taken.
struct CType {
  std::uint8_t size = 4;
  bool is_signed = true;
  bool is_volatile = false;
  bool is_atomic = false;
};
std::optional<CType> accept_c_type(Lexer&);

}  // namespace heddle::lang::litmus
