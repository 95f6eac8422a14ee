// What a name means: scopes of a program, and expressions with their names looked up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/program.h"
#include "lang/dve/ast.h"

namespace heddle::dve {

struct Symbol {
  enum class Kind : std::uint8_t { Variable, Constant, Channel, Process } kind;
  std::uint32_t number = 0;  // of the variable, channel or process
  std::int32_t value = 0;    // Constant
};

class Names {
 public:
  explicit Names(const Source& source, ir::Program& program, const SyntaxModel& syntax)
      : source_(source), program_(program), syntax_(syntax) {}

  // Fills the scopes from a finished program, for properties.
  void import();

  // In a process or (ir::none) globally. A process is declared before anything in it. Throws for a second one.
  void declare(std::uint32_t process, const Token&, Symbol);
  void declare_state(std::uint32_t process, const Token&, std::uint32_t number);

  // Looked up in the scope of a process, then in the global one. Throws Mistake for an unknown name.
  Symbol find(std::uint32_t process, const Token&, const char* what = "variable") const;
  std::uint32_t state(std::uint32_t process, const Token&) const;
  std::uint32_t process(const Token&) const;

  ir::ExprId lower(std::uint32_t process, Node) const;
  // Requires a constant expression; `what` begins the message otherwise.
  std::int32_t constant(std::uint32_t process, Node, const char* what) const;
  core::Site site(const Token&, std::uint32_t process) const;
  // A target of an assignment, with its index lowered.
  ir::Assignment target(std::uint32_t process, const Token& name, Node index) const;
  const Token& first_token(Node) const;

 private:
  using Scope = std::unordered_map<std::string, Symbol>;
  ir::ExprId name(std::uint32_t scope, const SyntaxExpr&) const;
  [[noreturn]] void unknown(std::uint32_t process, const Token&, const char* what) const;

  const Source& source_;
  ir::Program& program_;
  const SyntaxModel& syntax_;
  Scope globals_;
  std::vector<Scope> locals_;                                           // by process
  std::vector<std::unordered_map<std::string, std::uint32_t>> states_;  // by process
};

}  // namespace heddle::dve
