// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/c_code.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace heddle::lang::litmus {

namespace {

using core::Order;
using core::RmwOp;

class Compiler {
 public:
  using Declare = std::function<core::Value(std::string_view, std::uint8_t, bool)>;
  using PlaceOf = std::function<std::pair<unsigned, unsigned>(std::size_t)>;
  Compiler(Lexer& lex, ThreadCode& code, const Declare& declare, const PlaceOf& place_of)
      : lex_(lex), code_(code), declare_(declare), place_of_(place_of) {}

  void thread() {
    lex_.expect("(");
    if (!lex_.accept(")")) {
      do parameter();
      while (lex_.accept(","));
      lex_.expect(")");
    }
    block();
    Op end;
    std::tie(end.line, end.column) = place_of_(lex_.position());
    code_.ops.push_back(end);
  }

 private:
  struct Pointer {
    core::Value address;
    std::uint8_t size;
    bool is_volatile;
  };

  void parameter() {
    const auto type = accept_c_type(lex_);
    if (!type) lex_.fail("a type expected");
    std::uint8_t size = type->size;
    unsigned stars = 0;
    while (lex_.accept("*")) ++stars;
    const bool is_volatile = type->is_volatile || lex_.accept("volatile");
    lex_.accept("const");
    if (stars == 0) lex_.fail("parameters of threads are pointers to variables");
    if (stars > 1) size = 8;
    const Token name = lex_.expect_name("a variable's name");
    pointers_[std::string(name.text)] = {declare_(name.text, size, type->is_signed), size, is_volatile};
  }

  // Expressions leave their value in an operand; temporaries are registers that begin with $, reused by depth.
  Register temporary() { return code_.add(fmt::format("$e{}", depth_++)); }

  Op& emit(Op op, std::size_t at) {
    std::tie(op.line, op.column) = place_of_(at);
    op.text = std::string(lex_.text().substr(
        statement_, std::min(lex_.text().find_first_of(";\n", statement_), lex_.text().size()) - statement_));
    code_.ops.push_back(std::move(op));
    return code_.ops.back();
  }
  void compute(Alu alu, Register dst, Operand a, Operand b, std::size_t at) {
    Op op;
    op.kind = OpKind::Compute;
    op.alu = alu;
    op.dst = dst;
    op.a = a;
    op.b = b;
    // ints are kept extended to 64 bits with their sign, so that addresses and numbers go through the same operations.
    emit(op, at);
  }
  Operand computed(Alu alu, Operand a, Operand b, std::size_t at) {
    const Register t = temporary();
    compute(alu, t, a, b, at);
    return Operand::of(t);
  }

  Operand access(Op op, std::size_t at) {
    if (op.kind != OpKind::Store && op.kind != OpKind::Fence) {
      op.dst = temporary();
      op.sign_extend = op.size < 8;
    }
    const Register dst = op.dst;
    emit(std::move(op), at);
    return dst == no_register ? Operand::value(0) : Operand::of(dst);
  }

  // Of an address: the size of what it points to goes by the first parameter that occurs in it.
  struct Target {
    Operand address;
    std::uint8_t size = 4;
    bool is_volatile = false;
  };
  Target target() {
    pointee_ = nullptr;
    Target t;
    t.address = binary(0);
    if (pointee_ != nullptr) {
      t.size = pointee_->size;
      t.is_volatile = pointee_->is_volatile;
    }
    return t;
  }

  Order order() {
    const Token t = lex_.expect_name("a memory order");
    static const std::map<std::string_view, Order> orders = {
        {"memory_order_relaxed", Order::Relaxed}, {"memory_order_consume", Order::Acquire},
        {"memory_order_acquire", Order::Acquire}, {"memory_order_release", Order::Release},
        {"memory_order_acq_rel", Order::AcqRel},  {"memory_order_seq_cst", Order::SeqCst}};
    const auto found = orders.find(t.text);
    if (found == orders.end()) throw Mistake{t.at, fmt::format("'{}' is not a memory order", t.text), {}};
    return found->second;
  }

  std::optional<Operand> atomic_function(const Token& name) {
    std::string_view n = name.text;
    const bool is_explicit = n.ends_with("_explicit");
    const std::string base(is_explicit ? n.substr(0, n.size() - 9) : n);
    Op op;
    op.order = op.failure = Order::SeqCst;
    const auto closing_order = [&] {
      if (is_explicit) {
        lex_.expect(",");
        op.order = op.failure = order();
      }
      lex_.expect(")");
    };
    const auto aim = [&](Target t) {
      op.address = t.address;
      op.offset = Operand::value(0);
      op.size = t.size;
      op.is_volatile = t.is_volatile;
    };
    if (n == "atomic_thread_fence" || n == "atomic_signal_fence") {
      lex_.expect("(");
      op.order = order();
      lex_.expect(")");
      op.kind = OpKind::Fence;
      if (n == "atomic_signal_fence" || op.order == Order::Relaxed) return Operand::value(0);
      return access(op, name.at);
    }
    if (base == "atomic_load") {
      lex_.expect("(");
      aim(target());
      closing_order();
      op.kind = OpKind::Load;
      return access(op, name.at);
    }
    if (base == "atomic_store" || base == "atomic_init") {
      lex_.expect("(");
      aim(target());
      lex_.expect(",");
      op.a = expression();
      closing_order();
      op.kind = OpKind::Store;
      return access(op, name.at);
    }
    static const std::map<std::string_view, RmwOp> rmws = {
        {"atomic_exchange", RmwOp::Xchg}, {"atomic_fetch_add", RmwOp::Add}, {"atomic_fetch_sub", RmwOp::Sub},
        {"atomic_fetch_and", RmwOp::And}, {"atomic_fetch_or", RmwOp::Or},   {"atomic_fetch_xor", RmwOp::Xor}};
    if (const auto found = rmws.find(base); found != rmws.end()) {
      lex_.expect("(");
      aim(target());
      lex_.expect(",");
      op.a = expression();
      closing_order();
      op.kind = OpKind::Rmw;
      op.rmw = found->second;
      return access(op, name.at);
    }
    if (base == "atomic_compare_exchange_strong" || base == "atomic_compare_exchange_weak") {
      lex_.expect("(");
      aim(target());
      lex_.expect(",");
      const Target expected = target();
      lex_.expect(",");
      op.a = expression();
      if (is_explicit) {
        lex_.expect(",");
        op.order = order();
        lex_.expect(",");
        op.failure = order();
      }
      lex_.expect(")");
      // *expected is memory: read before, written back on failure.
      Op read;
      read.kind = OpKind::Load;
      read.address = expected.address;
      read.offset = Operand::value(0);
      read.size = expected.size;
      op.b = access(read, name.at);
      op.kind = OpKind::Rmw;
      op.rmw = RmwOp::Cas;
      op.weak = base.ends_with("weak");
      const Operand old = access(op, name.at);
      const Operand success = computed(Alu::Eq, old, op.b, name.at);
      const std::size_t skip = code_.ops.size();
      Op branch;
      branch.kind = OpKind::Branch;
      branch.a = success;
      emit(branch, name.at);
      Op write = read;
      write.kind = OpKind::Store;
      write.a = old;
      access(write, name.at);
      code_.ops[skip].target = static_cast<std::uint32_t>(code_.ops.size());
      return success;
    }
    return std::nullopt;
  }

  Operand primary() {
    const Token& t = lex_.peek();
    if (t.kind == TokenKind::Number) return Operand::value(static_cast<std::int64_t>(lex_.take().number));
    if (t.kind == TokenKind::Sign && t.text == "(") {
      const std::size_t at = t.at;
      lex_.take();
      if (accept_c_type(lex_)) {  // a cast changes nothing here
        while (lex_.accept("*")) {}
        lex_.expect(")");
        return unary();
      }
      (void)at;
      const Operand inner = expression();
      lex_.expect(")");
      return inner;
    }
    if (t.kind != TokenKind::Name)
      lex_.fail(lex_.at_end() ? "the text ends inside an expression"
                              : fmt::format("'{}' does not begin an expression", t.text));
    const Token name = lex_.take();
    if (lex_.is("(")) {
      const unsigned before = depth_;
      if (auto value = atomic_function(name)) return *value;
      depth_ = before;
      throw Mistake{name.at, fmt::format("the function '{}' is not supported", name.text), {}};
    }
    if (const auto found = pointers_.find(std::string(name.text)); found != pointers_.end()) {
      if (pointee_ == nullptr) pointee_ = &found->second;
      const Operand address = Operand::of(found->second.address);
      if (!lex_.is("[")) return address;
      return element(found->second, address);  // x[i] is *(x + i)
    }
    const Register r = code_.find(std::string(name.text));
    if (r == no_register) throw Mistake{name.at, fmt::format("'{}' is not declared", name.text), {}};
    return Operand::of(r);
  }

  Operand element(const Pointer& p, Operand address) {
    const std::size_t at = lex_.expect("[").at;
    Op load;
    load.kind = OpKind::Load;
    load.address = address;
    const Operand index = expression();
    load.offset = computed(Alu::Mul, index, Operand::value(p.size), at);
    load.size = p.size;
    load.is_volatile = p.is_volatile;
    lex_.expect("]");
    return access(load, at);
  }

  Operand unary() {
    const std::size_t at = lex_.position();
    if (lex_.accept("-")) return computed(Alu::Sub, Operand::value(0), unary(), at);
    if (lex_.accept("+")) return unary();
    if (lex_.accept("!")) return computed(Alu::LogicalNot, unary(), Operand::value(0), at);
    if (lex_.accept("~")) return computed(Alu::Xor, unary(), Operand::value(-1), at);
    if (lex_.accept("&")) return unary();  // &x of a parameter: its address
    if (lex_.accept("*")) {
      const Pointer* outer = pointee_;
      pointee_ = nullptr;
      Op load;
      load.kind = OpKind::Load;
      load.address = unary();
      load.offset = Operand::value(0);
      if (pointee_ != nullptr) {
        load.size = pointee_->size;
        load.is_volatile = pointee_->is_volatile;
      }
      pointee_ = outer;
      return access(load, at);
    }
    return primary();
  }

  Operand binary(int least) {
    struct Row {
      std::string_view sign;
      int level;
      Alu alu;
    };
    static constexpr Row rows[] = {{"||", 1, Alu::Or},  {"&&", 2, Alu::And}, {"|", 3, Alu::Or},  {"^", 4, Alu::Xor},
                                   {"&", 5, Alu::And},  {"==", 6, Alu::Eq},  {"!=", 6, Alu::Ne}, {"<", 7, Alu::Lt},
                                   {"<=", 7, Alu::Le},  {">", 7, Alu::Gt},   {">=", 7, Alu::Ge}, {"<<", 8, Alu::Shl},
                                   {">>", 8, Alu::Sar}, {"+", 9, Alu::Add},  {"-", 9, Alu::Sub}, {"*", 10, Alu::Mul},
                                   {"/", 10, Alu::Div}, {"%", 10, Alu::Rem}};
    if (++nesting_ > 200) lex_.fail("this expression is nested too deeply");
    Operand left = unary();
    for (;;) {
      const Row* row = nullptr;
      for (const Row& r : rows)
        if (lex_.is(r.sign) && r.level > least) row = &r;
      if (row == nullptr) break;
      const std::size_t at = lex_.take().at;
      const Pointer* points = pointee_;
      if (row->level <= 2) {  // the right side may read memory: only if the left does not decide
        left = lazily(left, row->level == 1, row->level, at);
        continue;
      }
      Operand right = binary(row->level);
      // Adding to a pointer counts elements.
      if (points != nullptr && is_address(left) && (row->alu == Alu::Add || row->alu == Alu::Sub))
        right = computed(Alu::Mul, right, Operand::value(points->size), at);
      left = computed(row->alu, left, right, at);
    }
    --nesting_;
    return left;
  }

  static bool is_address(const Operand& o) { return !o.is_register() && o.constant.pointer; }

  Operand lazily(Operand left, bool is_or, int level, std::size_t at) {
    const Register result = temporary();
    compute(Alu::Ne, result, left, Operand::value(0), at);
    Op branch;
    branch.kind = OpKind::Branch;
    branch.a = Operand::of(result);
    if (!is_or) {
      const Register inverted = temporary();
      compute(Alu::LogicalNot, inverted, Operand::of(result), Operand::value(0), at);
      branch.a = Operand::of(inverted);
    }
    const std::size_t skip = code_.ops.size();
    emit(branch, at);
    const Operand right = binary(level);
    compute(Alu::Ne, result, right, Operand::value(0), at);
    code_.ops[skip].target = static_cast<std::uint32_t>(code_.ops.size());
    return Operand::of(result);
  }

  Operand expression() { return binary(0); }

  void block() {
    lex_.expect("{");
    while (!lex_.accept("}")) statement();
  }

  void condition_false_jumps(std::vector<std::size_t>& jumps) {
    lex_.expect("(");
    const std::size_t at = lex_.position();
    const Operand value = expression();
    lex_.expect(")");
    Op branch;
    branch.kind = OpKind::Branch;
    branch.a = computed(Alu::LogicalNot, value, Operand::value(0), at);
    jumps.push_back(code_.ops.size());
    emit(branch, at);
  }
  std::size_t jump(std::uint32_t to) {
    Op op;
    op.kind = OpKind::Jump;
    op.target = to;
    emit(op, lex_.position());
    return code_.ops.size() - 1;
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.ops.size()); }
  void land(const std::vector<std::size_t>& jumps) {
    for (std::size_t j : jumps) code_.ops[j].target = here();
  }

  void statement() {
    if (++nesting_ > 200) lex_.fail("statements are nested too deeply");
    statement_ = lex_.position();
    depth_ = 0;
    pointee_ = nullptr;
    simple_or_compound();
    --nesting_;
  }

  void simple_or_compound() {
    if (lex_.is("{")) return block();
    if (lex_.accept(";")) return;
    if (lex_.accept("if")) {
      std::vector<std::size_t> otherwise, done;
      condition_false_jumps(otherwise);
      statement();
      if (lex_.is("else")) {
        done.push_back(jump(0));
        land(otherwise);
        lex_.take();
        statement();
        land(done);
      } else {
        land(otherwise);
      }
      return;
    }
    if (lex_.accept("while")) {
      std::vector<std::size_t> out;
      const std::uint32_t top = here();
      condition_false_jumps(out);
      breaks_.emplace_back();
      statement();
      jump(top);
      out.insert(out.end(), breaks_.back().begin(), breaks_.back().end());
      breaks_.pop_back();
      return land(out);
    }
    if (lex_.accept("do")) {
      const std::uint32_t top = here();
      breaks_.emplace_back();
      statement();
      lex_.expect("while");
      std::vector<std::size_t> out;
      depth_ = 0;
      condition_false_jumps(out);
      lex_.expect(";");
      jump(top);
      out.insert(out.end(), breaks_.back().begin(), breaks_.back().end());
      breaks_.pop_back();
      return land(out);
    }
    if (lex_.accept("break")) {
      if (breaks_.empty()) lex_.fail("'break' outside a loop");
      breaks_.back().push_back(jump(0));
      lex_.expect(";");
      return;
    }
    if (accept_c_type(lex_)) return declaration();
    assignment_or_call();
  }

  void declaration() {
    do {
      while (lex_.accept("*")) {}
      const Token name = lex_.expect_name("a variable's name");
      if (pointers_.count(std::string(name.text)))
        throw Mistake{name.at, fmt::format("'{}' is a parameter already", name.text), {}};
      const Register r = code_.add(std::string(name.text));
      depth_ = 0;
      if (lex_.accept("=")) move(r, expression(), name.at);
    } while (lex_.accept(","));
    lex_.expect(";");
  }

  // A value that an access has just left in a temporary goes straight to its variable: no extra step for the reader.
  void move(Register to, Operand value, std::size_t at) {
    if (value.is_register() && !code_.ops.empty() && code_.ops.back().dst == value.reg &&
        code_.registers[value.reg][0] == '$' &&
        (code_.ops.back().kind == OpKind::Load || code_.ops.back().kind == OpKind::Rmw)) {
      code_.ops.back().dst = to;
      return;
    }
    compute(Alu::Move, to, value, {}, at);
  }

  void assignment_or_call() {
    const std::size_t at = lex_.position();
    if (lex_.accept("*")) {
      pointee_ = nullptr;
      Op store;
      store.kind = OpKind::Store;
      store.address = unary();
      store.offset = Operand::value(0);
      if (pointee_ != nullptr) {
        store.size = pointee_->size;
        store.is_volatile = pointee_->is_volatile;
      }
      lex_.expect("=");
      store.a = expression();
      access(store, at);
      lex_.expect(";");
      return;
    }
    const Token& t = lex_.peek();
    if (t.kind == TokenKind::Name) {
      const std::string name(t.text);
      const auto pointer = pointers_.find(name);
      const Token first = lex_.take();
      if (pointer != pointers_.end() && lex_.accept("[")) {
        Op store;
        store.kind = OpKind::Store;
        store.address = Operand::of(pointer->second.address);
        store.offset = computed(Alu::Mul, expression(), Operand::value(pointer->second.size), at);
        store.size = pointer->second.size;
        store.is_volatile = pointer->second.is_volatile;
        lex_.expect("]");
        lex_.expect("=");
        store.a = expression();
        access(store, at);
        lex_.expect(";");
        return;
      }
      if (lex_.accept("=")) {
        if (pointer != pointers_.end())
          throw Mistake{at, fmt::format("'{}' is a parameter and cannot be assigned to", name), {}};
        const Register r = code_.find(name);
        if (r == no_register) throw Mistake{at, fmt::format("'{}' is not declared", name), {}};
        move(r, expression(), at);
        lex_.expect(";");
        return;
      }
      lex_.seek(first.at);
    }
    expression();
    lex_.expect(";");
  }

  Lexer& lex_;
  ThreadCode& code_;
  const Declare& declare_;
  const PlaceOf& place_of_;
  std::map<std::string, Pointer> pointers_;
  const Pointer* pointee_ = nullptr;
  unsigned depth_ = 0;
  unsigned nesting_ = 0;
  std::size_t statement_ = 0;
  std::vector<std::vector<std::size_t>> breaks_;
};

}  // namespace

std::optional<CType> accept_c_type(Lexer& lex) {
  static const std::map<std::string_view, CType> types = {{"int", {4, true, false, false}},
                                                          {"atomic_int", {4, true, false, true}},
                                                          {"unsigned", {4, false, false, false}},
                                                          {"char", {1, true, false, false}},
                                                          {"short", {2, true, false, false}},
                                                          {"long", {8, true, false, false}},
                                                          {"int8_t", {1, true, false, false}},
                                                          {"int16_t", {2, true, false, false}},
                                                          {"int32_t", {4, true, false, false}},
                                                          {"int64_t", {8, true, false, false}},
                                                          {"uint8_t", {1, false, false, false}},
                                                          {"uint16_t", {2, false, false, false}},
                                                          {"uint32_t", {4, false, false, false}},
                                                          {"uint64_t", {8, false, false, false}},
                                                          {"atomic_uint", {4, false, false, true}},
                                                          {"atomic_long", {8, true, false, true}},
                                                          {"intptr_t", {8, true, false, false}},
                                                          {"uintptr_t", {8, false, false, false}},
                                                          {"atomic_bool", {1, false, false, true}},
                                                          {"bool", {1, false, false, false}},
                                                          {"_Bool", {1, false, false, false}},
                                                          {"signed", {4, true, false, false}},
                                                          {"atomic_uintptr_t", {8, false, false, true}},
                                                          {"atomic_intptr_t", {8, true, false, true}}};
  CType result;
  bool any = false;
  bool is_unsigned = false;
  for (;;) {
    const Token& t = lex.peek();
    if (t.kind != TokenKind::Name) break;
    if (t.text == "volatile") result.is_volatile = any = true;
    else if (t.text == "const" || t.text == "register") any = true;
    else if (t.text == "_Atomic") {
      result.is_atomic = any = true;
      lex.take();
      if (lex.accept("(")) {
        const auto inner = accept_c_type(lex);
        if (!inner) lex.fail("a type expected");
        result.size = inner->size;
        result.is_signed = inner->is_signed;
        lex.expect(")");
      }
      continue;
    } else if (const auto found = types.find(t.text); found != types.end()) {
      if (t.text == "unsigned") is_unsigned = true;
      if (t.text != "signed" && !(any && t.text == "int")) result.size = found->second.size;
      result.is_signed = found->second.is_signed && !is_unsigned;
      result.is_atomic |= found->second.is_atomic;
      any = true;
    } else {
      break;
    }
    lex.take();
  }
  if (!any) return std::nullopt;
  return result;
}

void compile_c_thread(Lexer& lex, ThreadCode& code,
                      const std::function<core::Value(std::string_view, std::uint8_t, bool)>& declare,
                      const std::function<std::pair<unsigned, unsigned>(std::size_t)>& place_of) {
  Compiler(lex, code, declare, place_of).thread();
}

}  // namespace heddle::lang::litmus
