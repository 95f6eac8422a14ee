// The syntax of cat models as trees, and their parser. Evaluation is cat.cpp's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/budget.h"
#include "support/diagnostics.h"

namespace heddle::axioms::cat {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Binding {
  std::string name;
  bool is_function = false;
  std::vector<std::string> params;
  ExprPtr body;
};

struct Expr {
  enum class Kind : std::uint8_t {
    Empty,     // 0 and {}: the empty set or relation
    Universe,  // _
    Name,
    Call,  // name(args)
    Union,
    Sequence,
    Difference,
    Intersection,
    Product,
    Inverse,
    Plus,
    Star,
    Maybe,
    Complement,
    Identity,  // [e]
    Let,       // let bindings in parts[0]
    Try        // try parts[0] with parts[1]: the first if its names exist
  };
  Kind kind = Kind::Empty;
  std::string name;
  std::vector<ExprPtr> parts;  // of Union, Sequence, Difference and Intersection: two or more, from the left
  bool recursive = false;
  std::vector<Binding> bindings;
};

struct Instruction {
  enum class Kind : std::uint8_t { Let, Test, Procedure, Call };
  enum class Test : std::uint8_t { Acyclic, Irreflexive, Empty };
  Kind kind = Kind::Let;
  std::size_t at = 0;  // where it begins in the main file; what is included begins at its `include`
  bool recursive = false;
  std::vector<Binding> bindings;  // Let
  Test test = Test::Acyclic;
  bool negated = false;
  bool flag = false;  // tells only, rejects nothing
  ExprPtr expr;
  std::string name;                 // of the test; of the procedure
  std::vector<std::string> params;  // Procedure
  std::vector<Instruction> body;    // Procedure
  std::vector<ExprPtr> args;        // Call
};

struct Program {
  std::string title;
  std::vector<Instruction> instructions;  // included files in place
};

// The names that need no definition, sets and relations and functions.
bool is_predefined(std::string_view);

support::Result<Program> parse(const std::string& file, std::string_view text, const core::Budget* = nullptr);

// What is wrong at an offset of the text.
support::Diagnostic mistake(const std::string& file, std::string_view text, std::size_t at, std::string message);

}  // namespace heddle::axioms::cat
