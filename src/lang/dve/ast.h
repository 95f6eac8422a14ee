// The syntax of a DVE model as written: names not yet looked up. Parsing comes first and whole, because a guard may
// name processes (`P.s`, `P->x`) that are declared later.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/code.h"
#include "lang/dve/lexer.h"

namespace heddle::dve {

using Node = std::uint32_t;
inline constexpr Node no_node = 0xffffffff;

struct SyntaxExpr {
  enum class Kind : std::uint8_t { Number, Name, State, Unary, Binary };
  Kind kind = Kind::Number;
  ir::Op op = ir::Op::Add;  // Unary, Binary
  Token token;              // Number; Name: the variable; State: the state; else the operator
  Token process;            // State, and Name with `foreign`: the process
  bool foreign = false;     // P->x
  Node left = no_node;      // operand; Name: the index
  Node right = no_node;
  std::uint32_t depth = 1;
};

struct SyntaxDeclaration {
  bool constant = false;
  ir::Type type = ir::Type::Byte;
  Token name;
  Node length = no_node;  // none: scalar
  bool braces = false;
  std::vector<Node> initial;
};

struct SyntaxChannel {
  Token name;
  bool typed = false;
  std::vector<ir::Type> types;
  Node capacity = no_node;
};

struct SyntaxAssignment {
  Token name;
  Node index = no_node;
  Node value = no_node;
};

struct SyntaxTransition {
  Token source, target;
  Token first, last;  // of its text
  Node guard = no_node;
  bool has_sync = false, sends = false;
  Token channel;
  std::vector<Node> values;  // "!": expressions; "?": names
  std::vector<SyntaxAssignment> effects;
};

struct SyntaxAssert {
  Token state;
  Node condition;
  Token first, last;
};

struct SyntaxProcess {
  Token name;
  std::vector<SyntaxDeclaration> declarations;
  std::vector<Token> states, commits, accepts;
  Token init;
  bool has_init = false;
  std::vector<SyntaxAssert> asserts;
  std::vector<SyntaxTransition> transitions;
};

struct SyntaxModel {
  std::vector<SyntaxExpr> nodes;
  std::vector<SyntaxDeclaration> declarations;
  std::vector<SyntaxChannel> channels;
  std::vector<SyntaxProcess> processes;
  bool sync = false;
  bool has_property = false;
  Token property;
};

}  // namespace heddle::dve
