// Compiled guards and effects: three-address code over one flat array of 32-bit words.
//
// Everything that an instruction can name has an index into that array (ir/program.h): shared cells, control states,
// locals, channels, and behind these the constants and temporaries of the code itself. So an operand needs no mode,
// `k < 4` is one instruction that compares two words and jumps, and a state is worked on where it was unpacked.
// Indices below Program::shared_cells are shared memory and belong to the memory machine; see ir/eval.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/source.h"

namespace heddle::ir {

enum class Op : std::uint8_t {
  // value operators; also the operators of expression trees
  Neg,
  BitNot,
  Not,
  Mul,
  Div,
  Mod,
  Add,
  Sub,
  Shl,
  Shr,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  BitAnd,
  BitOr,
  BitXor,
  And,
  Or,
  Imply,  // trees only: code has jumps for them
  Const,
  Var,
  Index,
  InState,        // trees only
  Seen,           // trees only: a variable as one process sees it, through its buffer
  Cond,           // trees only: left ? right.left : right.right
  Pair,           // trees only: right side of Cond
  ChannelLength,  // trees only: number of messages in buffered channel `var`
  Item,           // trees only: item `value` of the contents of buffered channel `var`, counted over its messages
  Message,        // trees only: item `value` of the message that is being received
  // code only
  Copy,       // d <- a
  See,        // d <- shared cell a as process b sees it
  LoadIndex,  // d <- a[word b], c cells
  Store,
  StoreShared,  // d <- a, checked against `type`
  StoreAdd,
  StoreSub,  // d <- a + b, d not shared
  StoreIndex,
  StoreIndexShared,  // d[word b] <- a, c cells
  Jump,
  JumpIf,
  JumpUnless,  // to c; on a
  JumpLt,
  JumpLe,
  JumpGt,
  JumpGe,
  JumpEq,
  JumpNe,  // to c if a ? b
  JumpIndexEq,
  JumpIndexNe,  // to c if a[word b] ? word d; the length follows in a Length
  Length,       // c cells: operand of the instruction before
  True,
  False,  // ends: the guard's answer; effects end in True
  Fail    // ends: error number `a`
};

enum class Type : std::uint8_t { Bit, Bool, Byte, Short, Int };  // DVE's `int` is Short

struct Range {
  std::int32_t low, high;
};
constexpr Range range_of(Type t) {
  switch (t) {
    case Type::Bit:
    case Type::Bool: return {0, 1};
    case Type::Byte: return {0, 255};
    case Type::Short: return {-32768, 32767};
    case Type::Int: break;
  }
  return {INT32_MIN, INT32_MAX};
}
constexpr unsigned bits_of(Type t) {
  switch (t) {
    case Type::Bit:
    case Type::Bool: return 1;
    case Type::Byte: return 8;
    case Type::Short: return 16;
    case Type::Int: break;
  }
  return 32;
}

struct Instr {
  Op op;
  Type type = Type::Int;
  bool atomic = false;  // StoreShared, StoreIndexShared: goes to memory at once
  std::uint32_t d = 0, a = 0, b = 0, c = 0;
  core::Site site = core::no_site;
  bool wraps = false;  // stores: a value that does not fit `type` is truncated
};

// A piece of Program::code, by its first instruction; it ends where it says True, False or Fail.
using Code = std::uint32_t;
inline constexpr Code no_code = 0xffffffff;

enum class Status : std::uint8_t {
  False,   // the guard does not hold
  True,    // it holds; effects are done
  NotNow,  // the memory machine does not take a store now
  // run-time errors of the checked program
  OutOfRange,  // a value does not fit its variable
  BadIndex,    // an array index is out of range
  DivisionByZero,
  Assertion,  // an assertion of a step does not hold
  Blocked,    // a statement inside a deterministic step cannot be executed
  Bound       // no error of the program: it needs more processes than there is room for
};
constexpr bool is_error(Status s) { return s > Status::NotNow; }
const char* error_kind(Status);  // one word for machines: value-range, array-index, division-by-zero
const char* error_text(Status);  // for people

struct EvalResult {
  Status status;
  core::Site site;  // of the failing expression, if is_error
};

}  // namespace heddle::ir
