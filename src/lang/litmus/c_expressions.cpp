// Expressions of C tests, with C's types and conversions.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "lang/litmus/c_compiler.h"

namespace heddle::lang::litmus {

using core::Order;

// Temporaries are registers whose names begin with $; each statement begins with the first again.
Register CCompiler::temporary() {
  if (used_temporaries_ == temporaries_.size()) {
    if (used_temporaries_ == 20'000) lex_.fail("this statement is too long");
    temporaries_.push_back(code_.append(fmt::format("$e{}", used_temporaries_)));
  }
  return temporaries_[used_temporaries_++];
}

Op& CCompiler::emit(Op op, std::size_t at) {
  std::tie(op.line, op.column) = around_.place_of(at);
  const std::string_view rest = lex_.text().substr(statement_, 200);
  op.text = std::string(rest.substr(0, rest.find_first_of(";\n")));
  code_.ops.push_back(std::move(op));
  return code_.ops.back();
}

void CCompiler::compute(Alu alu, Register dst, Operand a, Operand b, std::size_t at, std::uint8_t faults) {
  Op op;
  op.kind = OpKind::Compute;
  op.alu = alu;
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.faults = faults;
  emit(op, at);
}

Operand CCompiler::computed(Alu alu, Operand a, Operand b, std::size_t at, std::uint8_t faults) {
  if (!a.is_register() && !b.is_register() && faults == 0)
    return Operand::of(litmus::compute(alu, 64, a.constant, b.constant));
  const Register t = temporary();
  compute(alu, t, a, b, at, faults);
  return Operand::of(t);
}

Op CCompiler::access(OpKind kind, const Term& object, Order order) const {
  Op op;
  op.kind = kind;
  op.address = object.operand;
  op.offset = object.offset;
  op.size = object.type.bytes();
  op.is_volatile = object.type.is_volatile;
  op.order = op.failure = order;
  return op;
}

// What an access that reads leaves behind: a value of the object's type.
CCompiler::Term CCompiler::loaded(Op op, const Term& object, std::size_t at) {
  op.dst = temporary();
  op.sign_extend = !object.type.is_pointer() && object.type.is_signed && op.size < 8;
  Term t;
  t.operand = Operand::of(op.dst);
  t.type = object.type.unqualified();
  t.at = at;
  emit(std::move(op), at);
  return t;
}

CCompiler::Term CCompiler::value(const Term& t) {
  switch (t.kind) {
    case Term::Kind::Value: return t;
    case Term::Kind::Local: {
      Term v = t;
      v.kind = Term::Kind::Value;
      v.type = t.type.unqualified();
      return v;
    }
    case Term::Kind::Memory: return loaded(access(OpKind::Load, t, Order::Plain), t, t.at);
    case Term::Kind::AddressOfLocal: break;
  }
  throw Mistake{t.at, "the address of a local variable is supported only as what a compare-exchange expects", {}};
}

CCompiler::Term CCompiler::converted(const Term& t, CType to) {
  Term v = value(t);
  const Alu alu = conversion(v.type, to);
  if (alu != Alu::Move) v.operand = computed(alu, v.operand, Operand::value(0), t.at);
  v.type = to.unqualified();
  v.is_parameter = false;
  return v;
}

CCompiler::Term CCompiler::assigned(const Term& t, CType to) {
  const Operand& o = t.operand;
  if (t.kind == Term::Kind::Value && !o.is_register() && !o.constant.pointer && to.bytes() == 4) {
    const auto n = static_cast<std::int64_t>(o.constant.bits);
    const bool huge = !t.type.is_signed && n < 0;
    if (huge || n < -(std::int64_t{1} << 31) || n >= std::int64_t{1} << 32)
      throw Mistake{t.at, "this number does not fit into 4 bytes", {}};
  }
  return converted(t, to);
}

// A value that an access has just left in a temporary goes straight to its variable: no extra step for the reader.
CCompiler::Term CCompiler::assign(const Term& object, const Term& from, std::size_t at) {
  const Term v = assigned(from, object.type);
  if (object.kind == Term::Kind::Memory) {
    Op store = access(OpKind::Store, object, Order::Plain);
    store.a = v.operand;
    emit(store, at);
    return v;
  }
  const Register to = object.operand.reg;
  const bool last = !code_.ops.empty() && v.operand.is_register() && code_.ops.back().dst == v.operand.reg &&
                    code_.registers[v.operand.reg][0] == '$' && used_temporaries_ > 0 &&
                    temporaries_[used_temporaries_ - 1] == v.operand.reg;
  if (last && (code_.ops.back().kind == OpKind::Load || code_.ops.back().kind == OpKind::Rmw))
    code_.ops.back().dst = to;
  else compute(Alu::Move, to, v.operand, {}, at);
  return value(object);
}

CCompiler::Term CCompiler::object_at(const Term& pointer) {
  if (pointer.kind == Term::Kind::AddressOfLocal) {
    Term t = pointer;
    t.kind = Term::Kind::Local;
    t.type = pointer.type.pointed_to();
    return t;
  }
  Term t = value(pointer);
  t.kind = Term::Kind::Memory;
  t.type = t.type.pointed_to();
  t.is_parameter = false;
  return t;
}

CCompiler::Term CCompiler::address_of(const Term& of) {
  Term t = of;
  switch (of.kind) {
    case Term::Kind::Local:
      t.kind = Term::Kind::AddressOfLocal;
      t.type = of.type.pointer_to();
      return t;
    case Term::Kind::Memory:
      t.kind = Term::Kind::Value;
      t.operand = computed(Alu::Add, of.operand, of.offset, of.at);
      t.offset = Operand::value(0);
      t.type = of.type.pointer_to();
      return t;
    default:
      if (!of.is_parameter) throw Mistake{of.at, "'&' needs a variable after it", {}};
      return t;
  }
}

CCompiler::Term CCompiler::expression() {
  Term t = assignment();
  while (lex_.accept(",")) {
    if (t.kind == Term::Kind::Memory) value(t);
    t = assignment();
  }
  if (t.kind == Term::Kind::Memory) return value(t);
  return t;
}

CCompiler::Term CCompiler::assignment() {
  const Nesting nesting(*this);
  Term left = conditional();
  static constexpr std::string_view compound[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  const bool plain = lex_.is("=");
  const bool with_operator = std::any_of(std::begin(compound), std::end(compound), [&](auto s) { return lex_.is(s); });
  if (!plain && !with_operator) return left;
  const Token sign = lex_.take();
  if (left.kind != Term::Kind::Local && left.kind != Term::Kind::Memory)
    throw Mistake{left.at, left.is_parameter ? "a parameter cannot be assigned to" : "this cannot be assigned to",
                  left.is_parameter ? "the variable itself is behind a '*'" : ""};
  if (plain) return assign(left, value(assignment()), left.at);
  if (left.kind == Term::Kind::Memory && left.type.is_atomic)
    throw Mistake{sign.at, fmt::format("'{}' on an atomic variable is not supported", sign.text),
                  "atomic_fetch_add and its like are"};
  const Term old = value(left);
  const Term right = value(assignment());
  return assign(left, arithmetic(sign.text.substr(0, sign.text.size() - 1), old, right, sign.at), left.at);
}

CCompiler::Term CCompiler::conditional() {
  Term condition = binary(0);
  if (!lex_.is("?")) return condition;
  const std::size_t at = lex_.take().at;
  condition = value(condition);
  const Register result = temporary();
  Op branch;
  branch.kind = OpKind::Branch;
  branch.a = computed(Alu::LogicalNot, condition.operand, Operand::value(0), at);
  const std::size_t otherwise = code_.ops.size();
  emit(branch, at);
  const Term first = value(expression());
  const std::size_t first_move = code_.ops.size();
  compute(Alu::Move, result, first.operand, Operand::value(0), at);
  const std::size_t done = jump(0);
  lex_.expect(":");
  land({otherwise});
  const Term second = value(conditional());
  const CType type = common(first.type, second.type);
  code_.ops[first_move].alu = conversion(first.type, type);
  compute(conversion(second.type, type), result, second.operand, Operand::value(0), at);
  land({done});
  Term t;
  t.operand = Operand::of(result);
  t.type = type;
  t.at = at;
  return t;
}

CCompiler::Term CCompiler::binary(int least) {
  struct Row {
    std::string_view sign;
    int level;
  };
  static constexpr Row rows[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
                                 {"!=", 6}, {"<", 7},  {"<=", 7}, {">", 7},  {">=", 7}, {"<<", 8},
                                 {">>", 8}, {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  const Nesting nesting(*this);
  Term left = unary();
  for (;;) {
    const Row* row = nullptr;
    if (lex_.peek().kind == TokenKind::Sign)
      for (const Row& r : rows)
        if (lex_.is(r.sign) && r.level > least) row = &r;
    if (row == nullptr) return left;
    const std::size_t at = lex_.take().at;
    left = value(left);
    if (row->level <= 2) left = lazily(left, row->level == 1, row->level, at);
    else left = arithmetic(row->sign, left, value(binary(row->level)), at);
  }
}

// The right side may read memory: only if the left does not decide.
CCompiler::Term CCompiler::lazily(const Term& left, bool is_or, int level, std::size_t at) {
  const Register result = temporary();
  compute(Alu::Ne, result, left.operand, Operand::value(0), at);
  Op branch;
  branch.kind = OpKind::Branch;
  branch.a = Operand::of(result);
  if (!is_or) branch.a = computed(Alu::LogicalNot, Operand::of(result), Operand::value(0), at);
  const std::size_t skip = code_.ops.size();
  emit(branch, at);
  const Term right = value(binary(level));
  compute(Alu::Ne, result, right.operand, Operand::value(0), at);
  land({skip});
  Term t;
  t.operand = Operand::of(result);
  t.at = at;
  return t;
}

CCompiler::Term CCompiler::arithmetic(std::string_view sign, Term left, Term right, std::size_t at) {
  struct Row {
    std::string_view sign;
    Alu on_signed, on_unsigned;
  };
  static constexpr Row rows[] = {
      {"|", Alu::Or, Alu::Or},    {"^", Alu::Xor, Alu::Xor},  {"&", Alu::And, Alu::And},  {"+", Alu::Add, Alu::Add},
      {"-", Alu::Sub, Alu::Sub},  {"*", Alu::Mul, Alu::Mul},  {"/", Alu::Div, Alu::DivU}, {"%", Alu::Rem, Alu::RemU},
      {"<<", Alu::Shl, Alu::Shl}, {">>", Alu::Sar, Alu::Shr}, {"==", Alu::Eq, Alu::Eq},   {"!=", Alu::Ne, Alu::Ne},
      {"<", Alu::Lt, Alu::LtU},   {"<=", Alu::Le, Alu::LeU},  {">", Alu::Gt, Alu::GtU},   {">=", Alu::Ge, Alu::GeU}};
  const Row& row = *std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.sign == sign; });
  const bool compares = row.on_signed >= Alu::Eq;
  Term t;
  t.at = at;
  if ((left.type.is_pointer() || right.type.is_pointer()) && !compares) {
    // Adding to a pointer counts elements.
    const bool plus = sign == "+", minus = sign == "-";
    if (!(plus || minus) || (left.type.is_pointer() && right.type.is_pointer()) || (minus && right.type.is_pointer()))
      throw Mistake{
          at, fmt::format("'{}' between these operands, of which one is a pointer, is not supported", sign), {}};
    if (right.type.is_pointer()) std::swap(left, right);
    const Operand scaled = computed(Alu::Mul, right.operand, Operand::value(left.type.pointed_to().bytes()), at);
    t.operand = computed(row.on_signed, left.operand, scaled, at);
    t.type = left.type;
    return t;
  }
  const bool shift = sign == "<<" || sign == ">>";
  const CType type = shift ? promoted(left.type) : common(left.type, right.type);
  left = converted(left, type);
  right = converted(right, shift ? promoted(right.type) : type);
  const bool as_signed = type.is_signed && !type.is_pointer();
  const std::uint8_t faults = shift || sign == "/" || sign == "%" ? type.bytes() : std::uint8_t{0};
  t.operand = computed(as_signed ? row.on_signed : row.on_unsigned, left.operand, right.operand, at, faults);
  t.type = compares ? c_int : type;
  // Results that may leave 32 bits come back into them.
  if (!compares && type.size == 4 && (shift || sign == "+" || sign == "-" || sign == "*" || sign == "/"))
    t.operand = computed(as_signed ? Alu::SignExtend32 : Alu::ZeroExtend32, t.operand, Operand::value(0), at);
  return t;
}

// ++ and --, before or behind the object.
CCompiler::Term CCompiler::step(const Term& object, bool up, bool before, std::size_t at) {
  if (object.kind != Term::Kind::Local && object.kind != Term::Kind::Memory)
    throw Mistake{object.at, "this cannot be assigned to", {}};
  if (object.kind == Term::Kind::Memory && object.type.is_atomic)
    throw Mistake{at, fmt::format("'{}' on an atomic variable is not supported", up ? "++" : "--"),
                  "atomic_fetch_add and its like are"};
  Term old = value(object);
  if (object.kind == Term::Kind::Local && !before) {
    const Register copy = temporary();
    compute(Alu::Move, copy, old.operand, {}, at);
    old.operand = Operand::of(copy);
  }
  Term one;
  one.operand = Operand::value(1);
  one.at = at;
  const Term next = converted(arithmetic(up ? "+" : "-", old, one, at), object.type);
  assign(object, next, at);
  return before ? next : old;
}

CCompiler::Term CCompiler::unary() {
  const Nesting nesting(*this);
  const std::size_t at = lex_.position();
  if (lex_.is("++") || lex_.is("--")) {
    const bool up = lex_.take().text == "++";
    return step(unary(), up, true, at);
  }
  if (lex_.is("-") || lex_.is("~")) {
    const bool minus = lex_.take().text == "-";
    Term zero;
    zero.operand = Operand::value(minus ? 0 : -1);
    const Term t = value(unary());
    if (t.type.is_pointer()) throw Mistake{at, "this sign does not go with a pointer", {}};
    Term result = arithmetic(minus ? "-" : "^", zero, t, at);
    result.at = at;
    return result;
  }
  if (lex_.accept("+")) {
    const Term t = value(unary());
    return converted(t, promoted(t.type));
  }
  if (lex_.accept("!")) {
    const Term t = value(unary());
    Term result;
    result.operand = computed(Alu::LogicalNot, t.operand, Operand::value(0), at);
    result.at = at;
    return result;
  }
  if (lex_.accept("&")) {
    Term t = address_of(unary());
    t.at = at;
    return t;
  }
  if (lex_.accept("*")) {
    Term t = object_at(unary());
    t.at = at;
    return t;
  }
  return postfix();
}

CCompiler::Term CCompiler::postfix() {
  Term t = primary();
  for (;;) {
    const std::size_t at = lex_.position();
    if (lex_.is("[")) t = element(t);
    else if (lex_.accept("++")) t = step(t, true, false, at);
    else if (lex_.accept("--")) t = step(t, false, false, at);
    else if (lex_.is(".") || lex_.is("->")) lex_.fail("structures are not supported");
    else return t;
  }
}

CCompiler::Term CCompiler::element(const Term& of) {
  Term pointer = value(of);
  const std::size_t at = lex_.expect("[").at;
  if (!pointer.type.is_pointer()) throw Mistake{at, "only a pointer can be indexed", {}};
  const Term index = value(expression());
  lex_.expect("]");
  Term t = object_at(pointer);
  t.offset = computed(Alu::Mul, index.operand, Operand::value(t.type.bytes()), at);
  return t;
}

CCompiler::Term CCompiler::primary() {
  const Token t = lex_.peek();
  if (t.kind == TokenKind::Number) {
    lex_.take();
    Term number;
    std::uint64_t bits = 0;
    std::tie(bits, number.type) = c_number(t);
    number.operand = Operand::of(core::Value(bits));
    number.at = t.at;
    return number;
  }
  if (t.kind == TokenKind::Sign && t.text == "(") {
    lex_.take();
    if (lex_.accept("void")) {
      lex_.expect(")");
      const Term dropped = unary();
      if (dropped.kind == Term::Kind::Memory) value(dropped);
      Term none;
      none.at = t.at;
      return none;
    }
    if (const auto type = accept_c_type(lex_)) {
      lex_.expect(")");
      const Term inner = unary();
      Term result = converted(inner, *type);
      result.at = t.at;
      return result;
    }
    Term inner = assignment();
    while (lex_.accept(",")) {
      if (inner.kind == Term::Kind::Memory) value(inner);
      inner = assignment();
    }
    lex_.expect(")");
    return inner;
  }
  if (t.kind != TokenKind::Name)
    lex_.fail(lex_.at_end() ? "the text ends inside an expression"
                            : fmt::format("'{}' does not begin an expression", t.text));
  return name();
}

CCompiler::Term CCompiler::name() {
  const Token token = lex_.take();
  for (std::string_view word : {"goto", "switch", "case", "default", "sizeof", "struct", "union", "enum", "typedef",
                                "float", "double", "static", "extern", "asm", "void"})
    if (token.text == word) throw Mistake{token.at, fmt::format("'{}' is not supported", word), {}};
  if (lex_.is("(")) {
    if (auto result = call(token)) return *result;
    throw Mistake{token.at, fmt::format("the function '{}' is not supported", token.text), {}};
  }
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->find(token.text);
    if (found == scope->end()) continue;
    const Name& n = found->second;
    Term t;
    t.kind = n.is_parameter ? Term::Kind::Value : Term::Kind::Local;
    t.operand = n.is_parameter ? Operand::of(n.address) : Operand::of(n.reg);
    t.type = n.type;
    t.at = token.at;
    t.is_parameter = n.is_parameter;
    return t;
  }
  if (token.text == "true" || token.text == "false" || token.text == "NULL") {
    Term t;
    t.operand = Operand::value(token.text == "true");
    t.at = token.at;
    return t;
  }
  throw Mistake{token.at, fmt::format("'{}' is not declared", token.text), {}};
}

}  // namespace heddle::lang::litmus
