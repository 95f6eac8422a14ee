// Conditions over the global variables and named points of a C program: C's expressions of whole numbers.
//
// A name is a global variable, its fields and elements (`table[i + 1].lock`), or a point (heddle_point): true while some
// thread stands there. Arithmetic is exact: values are not truncated to a type. There are no pointers to follow, so
// that the objects a condition reads are known before the program runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/condition.h"
#include "support/diagnostics.h"
#include "vm/vm_program.h"

namespace heddle::vm {

class Conditions final : public core::Conditions {
 public:
  // The program must outlive this.
  explicit Conditions(const VmProgram& program);

  // Its number. A mistake is placed within the text: its column counts from the text's first character.
  support::Result<std::uint32_t> add(std::string_view text);

  core::Truth evaluate(std::uint32_t number, const core::StateReader&) const override;
  bool watched(std::uint32_t object) const override { return object < watched_.size() && watched_[object]; }

  enum class Op : std::uint8_t {
    Number,
    Point,     // `value` is its number
    Variable,  // at object `value`, offset from what the steps of the path say
    Not,
    Minus,
    Complement,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Plus,
    Subtract,
    Times,
    Divide,
    Remainder
  };
  // An index of a variable's path: elements of `size` bytes, `count` of them.
  struct Index {
    std::uint32_t node = 0, size = 0, count = 0;
  };
  struct Node {
    Op op = Op::Number;
    std::int64_t value = 0;
    std::uint32_t left = 0, right = 0;
    std::uint32_t offset = 0, size = 0;  // Variable
    bool is_signed = false;
    std::vector<Index> path = {};
  };

 private:
  const Module& module_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> roots_;  // by condition
  std::vector<bool> watched_;         // by object
};

}  // namespace heddle::vm
