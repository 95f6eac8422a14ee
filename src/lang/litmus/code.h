// What a litmus test's threads do, in one small code for all dialects: operations on numbered registers, accesses to
// memory, fences and jumps. Front ends (c_code.cpp, aarch64.cpp, …) translate into it; program.h runs it.
//
// A register holds 64 bits and knows whether they are an address. An operation of width 32 sees the low halves of its
// sources and clears the upper half of its target, as W registers do. Dependencies follow registers: an operation's
// result depends on whatever its sources depend on, also where the value cannot change (`eor w0,w1,w1`). A selection
// depends on the source that it takes; on what decides it, it has a *pick dependency* (Arm ARM B2.3), which orders
// no later read: see program.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"

namespace heddle::lang::litmus {

using Register = std::uint16_t;
inline constexpr Register no_register = 0xffff;

struct Operand {
  Register reg = no_register;  // no_register: the constant
  core::Value constant;

  static Operand of(Register r) { return {r, {}}; }
  static Operand value(std::int64_t v) { return {no_register, core::Value(static_cast<std::uint64_t>(v))}; }
  static Operand of(core::Value v) { return {no_register, v}; }
  bool is_register() const { return reg != no_register; }
};

enum class Alu : std::uint8_t {
  Move,
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  DivU,
  RemU,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Sar,
  SignExtend32,
  SignExtend16,
  SignExtend8,
  ZeroExtend32,
  ZeroExtend16,
  ZeroExtend8,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  LtU,
  LeU,
  GtU,
  GeU,
  LogicalNot
};

enum class OpKind : std::uint8_t {
  Compute,  // dst = alu(a, b)
  Select,   // dst = `address` is not zero ? a : b
  Load,     // dst = [address]
  Store,    // [address] = a; if exclusive, dst = `on_success` or `on_failure`
  Rmw,      // dst = [address], [address] = rmw(dst, a) at once; Cas compares with b
  Fence,
  Branch,  // to `target` if a is not zero
  Jump,
  End
};

struct Op {
  OpKind kind = OpKind::End;
  Alu alu = Alu::Move;
  core::RmwOp rmw = core::RmwOp::Xchg;
  std::uint8_t width = 64;   // Compute, Select: 32 or 64. Load: the value is zero-extended from size bytes …
  bool sign_extend = false;  // … or sign-extended to 64 bits
  std::uint8_t size = 4;     // bytes of an access
  core::Order order = core::Order::Plain;
  core::Order failure = core::Order::Plain;
  core::Tag tag = 0;
  bool exclusive = false;
  bool weak = false;
  bool waits = false;       // Rmw Cas: goes on only when it finds the value that it compares with (locks)
  std::uint8_t faults = 0;  // Compute: bytes of the type in which division by zero and shifts too far are errors
  bool is_volatile = false;
  Register dst = no_register;
  Register status = no_register;  // Rmw Cas: whether it wrote
  Operand a, b;
  Operand address, offset;  // the address is their sum
  std::uint8_t on_success = 0, on_failure = 1;
  std::uint32_t target = 0;
  unsigned line = 0;  // where it comes from
  unsigned column = 0;
  std::string text;  // the instruction as the user wrote it
};

struct ThreadCode {
  std::vector<Op> ops;                 // the last is End
  std::vector<std::string> registers;  // names as the user writes them, "X0" "r1" "EAX"; made-up ones begin with $
  std::vector<core::Value> initial;    // one per register

  Register find(const std::string& name) const {
    for (std::size_t i = 0; i < registers.size(); ++i)
      if (registers[i] == name) return static_cast<Register>(i);
    return no_register;
  }
  Register add(const std::string& name) {
    const Register r = find(name);
    return r != no_register ? r : append(name);
  }
  Register append(const std::string& name) {  // requires that there is none of this name
    registers.push_back(name);
    initial.emplace_back();
    return static_cast<Register>(registers.size() - 1);
  }
};

core::Value compute(Alu, unsigned width, core::Value a, core::Value b);

}  // namespace heddle::lang::litmus
