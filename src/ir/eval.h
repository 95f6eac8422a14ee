// The evaluator of compiled code. Hot: one call per guard; watched by bench/ir_bench.cpp.
//
// A Port is the evaluator's view of a state, for the process that acts now. It has
//     static constexpr bool direct            true: words of shared cells may be read from the array itself
//     std::int32_t* words()                   the flat array (ir/program.h)
//     std::int32_t load(std::uint32_t cell)   a shared cell, as the acting process sees it (not called if direct)
//     bool store(std::uint32_t cell, std::int32_t value, bool atomic)   false: not now
//     void set(std::uint32_t index, std::int32_t value)                 a word that is not shared
// and, if it knows what other processes see (else the acting one's view counts),
//     std::int32_t see(std::uint32_t cell, std::uint32_t process)
// and, for ir/steps.h, act, admit, mark and undo (see there). Stores go through the Port so that it can log them.
// Operands are loaded left to right, each occurrence once, so that a Port may count loads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ir/code.h"
#include "ir/program.h"
#include "support/diagnostics.h"

namespace heddle::ir {

namespace detail {
constexpr std::int32_t wrap(std::uint32_t v) { return static_cast<std::int32_t>(v); }
constexpr std::uint32_t raw(std::int32_t v) { return static_cast<std::uint32_t>(v); }
constexpr bool fits(std::int32_t v, Type t) {
  const Range r = range_of(t);
  return v >= r.low && v <= r.high;
}
// The value that a variable of this type holds after v was assigned to it in C.
constexpr std::int32_t truncate(std::int32_t v, Type t) {
  switch (t) {
    case Type::Bit:
    case Type::Bool: return v & 1;
    case Type::Byte: return v & 0xff;
    case Type::Short: return static_cast<std::int16_t>(v);
    case Type::Int: break;
  }
  return v;
}
// Makes v fit, if the instruction truncates.
[[gnu::always_inline]] inline bool fit(std::int32_t& v, const Instr& i) {
  if (fits(v, i.type)) return true;
  if (!i.wraps) return false;
  v = truncate(v, i.type);
  return true;
}
}  // namespace detail

// Division rounds towards zero, shifts take their count modulo 32, everything wraps at 32 bits. Requires b != 0 for
// Div and Mod, and a binary value operator.
[[gnu::always_inline]] constexpr std::int32_t apply(Op op, std::int32_t a, std::int32_t b) {
  using detail::raw;
  using detail::wrap;
  switch (op) {
    case Op::Mul: return wrap(raw(a) * raw(b));
    case Op::Div: return b == -1 ? wrap(0U - raw(a)) : a / b;
    case Op::Mod: return b == -1 ? 0 : a % b;
    case Op::Add: return wrap(raw(a) + raw(b));
    case Op::Sub: return wrap(raw(a) - raw(b));
    case Op::Shl: return wrap(raw(a) << (raw(b) & 31U));
    case Op::Shr: return a >> (raw(b) & 31U);
    case Op::Lt: return a < b;
    case Op::Le: return a <= b;
    case Op::Gt: return a > b;
    case Op::Ge: return a >= b;
    case Op::Eq: return a == b;
    case Op::Ne: return a != b;
    case Op::BitAnd: return a & b;
    case Op::BitOr: return a | b;
    case Op::BitXor: return a ^ b;
    default: return 0;
  }
}

// Runs the code at `start`. For a guard: True or False, or an error. For effects: True when done, NotNow if the Port
// refused a store (what was done so far stays done: the caller undoes), or an error.
template <class Port>
EvalResult evaluate(const Program& program, Code start, Port& port) {
  const Instr* const code = program.code.data();
  const Instr* pc = code + start;
  std::int32_t* const words = port.words();
  const std::uint32_t shared = program.shared_cells;
  const auto get = [&](std::uint32_t i) -> std::int32_t {
    if constexpr (Port::direct) {
      return words[i];
    } else {
      return i < shared ? port.load(i) : words[i];
    }
  };
  for (;;) {
    switch (pc->op) {
#define HEDDLE_IR_BINARY(name)                         \
  case Op::name: {                                     \
    const std::int32_t a = get(pc->a), b = get(pc->b); \
    words[pc->d] = apply(Op::name, a, b);              \
    break;                                             \
  }
      HEDDLE_IR_BINARY(Mul)
      HEDDLE_IR_BINARY(Add)
      HEDDLE_IR_BINARY(Sub)
      HEDDLE_IR_BINARY(Shl)
      HEDDLE_IR_BINARY(Shr)
      HEDDLE_IR_BINARY(Lt)
      HEDDLE_IR_BINARY(Le)
      HEDDLE_IR_BINARY(Gt)
      HEDDLE_IR_BINARY(Ge)
      HEDDLE_IR_BINARY(Eq)
      HEDDLE_IR_BINARY(Ne)
      HEDDLE_IR_BINARY(BitAnd)
      HEDDLE_IR_BINARY(BitOr)
      HEDDLE_IR_BINARY(BitXor)
#undef HEDDLE_IR_BINARY
      case Op::Div:
      case Op::Mod: {
        const std::int32_t a = get(pc->a), b = get(pc->b);
        if (b == 0) return {Status::DivisionByZero, pc->site};
        words[pc->d] = apply(pc->op, a, b);
        break;
      }
      case Op::Neg: words[pc->d] = detail::wrap(0U - detail::raw(get(pc->a))); break;
      case Op::BitNot: words[pc->d] = ~get(pc->a); break;
      case Op::Not: words[pc->d] = get(pc->a) == 0; break;
      case Op::Copy: words[pc->d] = get(pc->a); break;
      case Op::See:
        if constexpr (requires { port.see(pc->a, pc->b); }) words[pc->d] = port.see(pc->a, pc->b);
        else words[pc->d] = get(pc->a);
        break;
      case Op::LoadIndex: {
        const std::uint32_t index = detail::raw(get(pc->b));
        if (index >= pc->c) return {Status::BadIndex, pc->site};
        words[pc->d] = get(pc->a + index);
        break;
      }
      case Op::Store: {
        std::int32_t value = get(pc->a);
        if (!detail::fit(value, *pc)) return {Status::OutOfRange, pc->site};
        port.set(pc->d, value);
        break;
      }
      case Op::StoreAdd:
      case Op::StoreSub: {
        const std::int32_t a = get(pc->a), b = get(pc->b);
        std::int32_t value = pc->op == Op::StoreAdd ? apply(Op::Add, a, b) : apply(Op::Sub, a, b);
        if (!detail::fit(value, *pc)) return {Status::OutOfRange, pc->site};
        port.set(pc->d, value);
        break;
      }
      case Op::StoreShared: {
        std::int32_t value = get(pc->a);
        if (!detail::fit(value, *pc)) return {Status::OutOfRange, pc->site};
        if (!port.store(pc->d, value, pc->atomic)) return {Status::NotNow, pc->site};
        break;
      }
      case Op::StoreIndex:
      case Op::StoreIndexShared: {
        const std::uint32_t index = detail::raw(get(pc->b));
        if (index >= pc->c) return {Status::BadIndex, pc->site};
        std::int32_t value = get(pc->a);
        if (!detail::fit(value, *pc)) return {Status::OutOfRange, pc->site};
        if (pc->op == Op::StoreIndex) {
          port.set(pc->d + index, value);
        } else if (!port.store(pc->d + index, value, pc->atomic)) {
          return {Status::NotNow, pc->site};
        }
        break;
      }
      case Op::Jump: pc = code + pc->c; continue;
      case Op::JumpIf:
        if (get(pc->a) != 0) {
          pc = code + pc->c;
          continue;
        }
        break;
      case Op::JumpUnless:
        if (get(pc->a) == 0) {
          pc = code + pc->c;
          continue;
        }
        break;
#define HEDDLE_IR_JUMP(name, operation)                \
  case Op::name: {                                     \
    const std::int32_t a = get(pc->a), b = get(pc->b); \
    if (a operation b) {                               \
      pc = code + pc->c;                               \
      continue;                                        \
    }                                                  \
    break;                                             \
  }
        HEDDLE_IR_JUMP(JumpLt, <)
        HEDDLE_IR_JUMP(JumpLe, <=)
        HEDDLE_IR_JUMP(JumpGt, >)
        HEDDLE_IR_JUMP(JumpGe, >=)
        HEDDLE_IR_JUMP(JumpEq, ==)
        HEDDLE_IR_JUMP(JumpNe, !=)
#undef HEDDLE_IR_JUMP
      case Op::JumpIndexEq:
      case Op::JumpIndexNe: {
        const std::uint32_t index = detail::raw(get(pc->b));
        if (index >= pc[1].c) return {Status::BadIndex, pc->site};
        const std::int32_t a = get(pc->a + index), b = get(pc->d);
        if ((a == b) == (pc->op == Op::JumpIndexEq)) {
          pc = code + pc->c;
          continue;
        }
        ++pc;  // the Length
        break;
      }
      case Op::True: return {Status::True, core::no_site};
      case Op::False: return {Status::False, core::no_site};
      case Op::Fail: return {static_cast<Status>(pc->a), pc->site};
      case Op::Length:
      case Op::And:
      case Op::Or:
      case Op::Imply:
      case Op::Const:
      case Op::Var:
      case Op::Index:
      case Op::InState:
      case Op::Seen:
      case Op::Cond:
      case Op::Pair:
      case Op::ChannelLength:
      case Op::Item:
      case Op::Message: HEDDLE_ASSERT(false && "no instruction");
    }
    ++pc;
  }
}

}  // namespace heddle::ir
