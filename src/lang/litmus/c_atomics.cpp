// The functions that C tests may call: those of <stdatomic.h>, and locks (C11's mtx_lock, the kernel's spin_lock).
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "lang/litmus/c_compiler.h"

namespace heddle::lang::litmus {

using core::Order;
using core::RmwOp;

// Orders that C11 forbids for an operation (7.17.7) are refused.
Order CCompiler::order(Use use) {
  const Token t = lex_.expect_name("a memory order");
  struct Row {
    std::string_view name;
    Order order;
    bool load, store;
  };
  static constexpr Row rows[] = {
      {"memory_order_relaxed", Order::Relaxed, true, true},  {"memory_order_consume", Order::Acquire, true, false},
      {"memory_order_acquire", Order::Acquire, true, false}, {"memory_order_release", Order::Release, false, true},
      {"memory_order_acq_rel", Order::AcqRel, false, false}, {"memory_order_seq_cst", Order::SeqCst, true, true}};
  for (const Row& row : rows) {
    if (row.name != t.text) continue;
    if ((use == Use::Load && !row.load) || (use == Use::Store && !row.store) || (use == Use::Failure && !row.load))
      throw Mistake{t.at,
                    fmt::format("C11 does not allow {} for {}", t.text,
                                use == Use::Load    ? "a load"
                                : use == Use::Store ? "a store"
                                                    : "the failure of a compare-exchange"),
                    {}};
    return row.order;
  }
  throw Mistake{t.at, fmt::format("'{}' is not a memory order", t.text), {}};
}

// The object that a function's first argument points to.
CCompiler::Term CCompiler::target() {
  const Term t = value(assignment());
  return object_at(t);
}

std::optional<CCompiler::Term> CCompiler::call(const Token& name) {
  const std::string_view n = name.text;
  const bool is_explicit = n.ends_with("_explicit");
  const std::string_view base = is_explicit ? n.substr(0, n.size() - 9) : n;
  Term none;
  none.at = name.at;
  const auto last_order = [&](Use use) {
    Order o = Order::SeqCst;
    if (is_explicit) {
      lex_.expect(",");
      o = order(use);
    }
    lex_.expect(")");
    return o;
  };
  if (n == "atomic_thread_fence" || n == "atomic_signal_fence") {
    lex_.expect("(");
    Op op;
    op.kind = OpKind::Fence;
    op.order = op.failure = order(Use::Fence);
    lex_.expect(")");
    if (n == "atomic_thread_fence" && op.order != Order::Relaxed) emit(op, name.at);
    return none;
  }
  if (base == "atomic_load") {
    lex_.expect("(");
    const Term object = target();
    return loaded(access(OpKind::Load, object, last_order(Use::Load)), object, name.at);
  }
  if (base == "atomic_store" || n == "atomic_init" || base == "atomic_flag_clear") {
    lex_.expect("(");
    const Term object = target();
    Term stored;
    stored.operand = Operand::value(0);
    if (base != "atomic_flag_clear") {
      lex_.expect(",");
      stored = assigned(value(assignment()), object.type);
    }
    Op op = access(OpKind::Store, object, last_order(Use::Store));
    if (n == "atomic_init") op.order = op.failure = Order::Plain;  // no atomic access (C11 7.17.2.2)
    op.a = stored.operand;
    emit(op, name.at);
    return none;
  }
  struct Row {
    std::string_view name;
    RmwOp op;
  };
  static constexpr Row rows[] = {{"atomic_exchange", RmwOp::Xchg}, {"atomic_fetch_add", RmwOp::Add},
                                 {"atomic_fetch_sub", RmwOp::Sub}, {"atomic_fetch_and", RmwOp::And},
                                 {"atomic_fetch_or", RmwOp::Or},   {"atomic_fetch_xor", RmwOp::Xor}};
  for (const Row& row : rows) {
    if (row.name != base) continue;
    lex_.expect("(");
    const Term object = target();
    const CType& type = object.type;
    const bool sum = row.op == RmwOp::Add || row.op == RmwOp::Sub;
    if (row.op != RmwOp::Xchg && ((type.is_bool && !type.is_pointer()) || (type.is_pointer() && !sum)))
      throw Mistake{name.at, fmt::format("'{}' does not go with a variable of this type", base), {}};
    lex_.expect(",");
    const std::size_t at = lex_.position();
    Operand operand;
    if (type.is_pointer() && sum) {
      operand = computed(Alu::Mul, value(assignment()).operand, Operand::value(type.pointed_to().bytes()), at);
    } else {
      operand = assigned(value(assignment()), type).operand;
    }
    Op op = access(OpKind::Rmw, object, last_order(Use::ReadModifyWrite));
    op.rmw = row.op;
    op.a = operand;
    return loaded(op, object, name.at);
  }
  if (base == "atomic_flag_test_and_set") {
    lex_.expect("(");
    const Term object = target();
    Op op = access(OpKind::Rmw, object, last_order(Use::ReadModifyWrite));
    op.rmw = RmwOp::Xchg;
    op.a = Operand::value(1);
    return loaded(op, object, name.at);
  }
  if (base == "atomic_compare_exchange_strong") return compare_exchange(name, false, is_explicit);
  if (base == "atomic_compare_exchange_weak") return compare_exchange(name, true, is_explicit);
  if (n == "mtx_lock" || n == "mtx_unlock" || n == "spin_lock" || n == "spin_unlock") return lock(name);
  return std::nullopt;
}

CCompiler::Term CCompiler::compare_exchange(const Token& name, bool weak, bool with_orders) {
  lex_.expect("(");
  const Term object = target();
  lex_.expect(",");
  const std::size_t expected_at = lex_.position();
  const Term pointer = assignment();
  const Term expected = object_at(pointer);
  if (expected.type.bytes() != object.type.bytes())
    throw Mistake{expected_at, "what is expected must have the size of the variable", {}};
  lex_.expect(",");
  const Term wanted = assigned(value(assignment()), object.type);
  Op op = access(OpKind::Rmw, object, Order::SeqCst);
  if (with_orders) {
    lex_.expect(",");
    op.order = order(Use::ReadModifyWrite);
    lex_.expect(",");
    op.failure = order(Use::Failure);
  }
  lex_.expect(")");
  op.rmw = RmwOp::Cas;
  op.weak = weak;
  op.a = wanted.operand;
  // A copy: the comparison is with what was expected before.
  Term before = value(expected);
  before.at = name.at;
  before = converted(before, object.type);
  op.b = before.operand;
  op.status = temporary();
  const Register status = op.status;
  const Term old = loaded(op, object, name.at);
  Term success;
  success.operand = Operand::of(status);
  success.type = c_bool;
  success.at = name.at;
  if (expected.kind == Term::Kind::Local) {
    // After success the values are equal: it makes no difference to write what was found in both cases.
    compute(conversion(old.type, expected.type), expected.operand.reg, old.operand, Operand::value(0), name.at);
    return success;
  }
  // *expected is memory: read before, written back on failure.
  const std::size_t skip = code_.ops.size();
  Op branch;
  branch.kind = OpKind::Branch;
  branch.a = success.operand;
  emit(branch, name.at);
  assign(expected, old, name.at);
  land({skip});
  return success;
}

// A lock is a variable that is 0 when free. Taking it waits until it is: executions in which a thread waits for ever
// have no final state.
CCompiler::Term CCompiler::lock(const Token& name) {
  lex_.expect("(");
  const Term object = target();
  lex_.expect(")");
  Term none;
  none.at = name.at;
  if (name.text.ends_with("unlock")) {
    Op op = access(OpKind::Store, object, Order::Release);
    op.a = Operand::value(0);
    emit(op, name.at);
    return none;
  }
  Op op = access(OpKind::Rmw, object, Order::Acquire);
  op.rmw = RmwOp::Cas;
  op.waits = true;
  op.a = Operand::value(1);
  op.b = Operand::value(0);
  loaded(op, object, name.at);
  return none;
}

}  // namespace heddle::lang::litmus
