// Bodies of threads in C litmus tests: declarations in blocks, assignments, if, while, do, for, and the functions of
// <stdatomic.h>. What C has and this has not is refused with its place.
//
// Shared variables are the parameters, pointers to variables of the same name; `&x` of one is taken as `x`, as if it
// were a global. An access without a function is plain whatever the type, as in herd7.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "lang/litmus/c_types.h"
#include "lang/litmus/code.h"
#include "lang/litmus/lexer.h"

namespace heddle::lang::litmus {

// A local variable that a condition may name: of the outermost block, or the only one of its name in inner blocks.
struct CLocal {
  Register reg = no_register;
  CType type;
  bool several = false;  // inner blocks have different ones of this name
};
using CLocals = std::map<std::string, CLocal, std::less<>>;

struct CSurroundings {
  // Told of each parameter, with the type that it points to and its place; gives the variable's address.
  std::function<core::Value(const Token& name, const CType&)> declare;
  std::function<std::pair<unsigned, unsigned>(std::size_t)> place_of;  // line and column
  std::function<void(std::size_t)> no_value;  // told where the declaration of a local ends that gives it no value
};

// Reads `(parameters) { statements }` from the lexer's place on.
CLocals compile_c_thread(Lexer&, ThreadCode&, const CSurroundings&);

}  // namespace heddle::lang::litmus
