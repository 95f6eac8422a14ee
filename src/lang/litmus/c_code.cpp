// Threads and statements of C tests.
// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/c_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/litmus/c_compiler.h"

namespace heddle::lang::litmus {

CLocals CCompiler::thread() {
  scopes_.emplace_back();
  lex_.expect("(");
  if (lex_.accept("void")) lex_.expect(")");
  else if (!lex_.accept(")")) {
    do parameter();
    while (lex_.accept(","));
    lex_.expect(")");
  }
  block();
  land(returns_);
  Op end;
  std::tie(end.line, end.column) = around_.place_of(lex_.position());
  code_.ops.push_back(end);
  return std::move(locals_);
}

void CCompiler::parameter() {
  const auto type = accept_c_type(lex_);
  if (!type) lex_.fail("a type expected");
  if (!type->is_pointer()) lex_.fail("parameters of threads are pointers to variables");
  const Token name = lex_.expect_name("a variable's name");
  Name n;
  n.is_parameter = true;
  n.type = *type;
  if (scopes_[0].count(name.text) > 0)
    throw Mistake{name.at, fmt::format("'{}' is a parameter already", name.text), {}};
  n.address = around_.declare(name, type->pointed_to());
  scopes_[0].emplace(name.text, n);
}

void CCompiler::block() {
  lex_.expect("{");
  scopes_.emplace_back();
  while (!lex_.accept("}")) statement();
  scopes_.pop_back();
}

void CCompiler::scoped_statement() {
  scopes_.emplace_back();
  statement();
  scopes_.pop_back();
}

void CCompiler::statement() {
  const Nesting nesting(*this);
  statement_ = lex_.position();
  used_temporaries_ = 0;
  simple_or_compound();
}

void CCompiler::simple_or_compound() {
  if (lex_.is("{")) return block();
  if (lex_.accept(";")) return;
  if (lex_.accept("if")) return if_statement();
  if (lex_.accept("while")) return while_statement();
  if (lex_.accept("do")) return do_statement();
  if (lex_.accept("for")) return for_statement();
  if (lex_.is("break") || lex_.is("continue")) {
    if (loops_.empty()) lex_.fail(fmt::format("'{}' outside a loop", lex_.peek().text));
    auto& jumps = lex_.is("break") ? loops_.back().breaks : loops_.back().continues;
    jumps.push_back(jump(0));
    lex_.take();
    lex_.expect(";");
    return;
  }
  if (lex_.accept("return")) {
    if (!lex_.is(";")) lex_.fail("a thread returns no value");
    returns_.push_back(jump(0));
    lex_.expect(";");
    return;
  }
  if (const auto type = accept_c_type(lex_)) declaration(*type);
  else expression();
  lex_.expect(";");
}

void CCompiler::if_statement() {
  std::vector<std::size_t> otherwise;
  condition_false_jumps(otherwise);
  scoped_statement();
  if (!lex_.is("else")) return land(otherwise);
  const std::size_t done = jump(0);
  land(otherwise);
  lex_.take();
  scoped_statement();
  land({done});
}

void CCompiler::while_statement() {
  std::vector<std::size_t> out;
  const std::uint32_t top = here();
  condition_false_jumps(out);
  loops_.emplace_back();
  scoped_statement();
  jump(top);
  for (const std::size_t j : loops_.back().continues) code_.ops[j].target = top;
  end_loop(std::move(out));
}

void CCompiler::do_statement() {
  const std::uint32_t top = here();
  loops_.emplace_back();
  scoped_statement();
  land(loops_.back().continues);
  lex_.expect("while");
  std::vector<std::size_t> out;
  used_temporaries_ = 0;
  condition_false_jumps(out);
  lex_.expect(";");
  jump(top);
  end_loop(std::move(out));
}

// The step is read after the body, so that an iteration has one backward jump, as with `while`.
void CCompiler::for_statement() {
  scopes_.emplace_back();
  lex_.expect("(");
  if (!lex_.is(";")) {
    if (const auto type = accept_c_type(lex_)) declaration(*type);
    else expression();
  }
  lex_.expect(";");
  const std::uint32_t top = here();
  std::vector<std::size_t> out;
  if (!lex_.is(";")) {
    const Term condition = value(expression());
    Op branch;
    branch.kind = OpKind::Branch;
    branch.a = computed(Alu::LogicalNot, condition.operand, Operand::value(0), condition.at);
    out.push_back(code_.ops.size());
    emit(branch, condition.at);
  }
  lex_.expect(";");
  const std::size_t step_at = lex_.position();
  for (unsigned depth = 0; depth > 0 || !lex_.is(")"); lex_.take()) {
    if (lex_.at_end()) lex_.fail("')' is missing at the end of the text");
    if (lex_.is("(")) ++depth;
    if (lex_.is(")")) --depth;
  }
  lex_.expect(")");
  loops_.emplace_back();
  scoped_statement();
  land(loops_.back().continues);
  const std::size_t behind = lex_.position();
  lex_.seek(step_at);
  statement_ = step_at;
  used_temporaries_ = 0;
  if (!lex_.is(")")) expression();
  lex_.expect(")");
  lex_.seek(behind);
  jump(top);
  scopes_.pop_back();
  end_loop(std::move(out));
}

void CCompiler::end_loop(std::vector<std::size_t> out) {
  out.insert(out.end(), loops_.back().breaks.begin(), loops_.back().breaks.end());
  loops_.pop_back();
  land(out);
}

void CCompiler::condition_false_jumps(std::vector<std::size_t>& jumps) {
  lex_.expect("(");
  const std::size_t at = lex_.position();
  const Term condition = value(expression());
  lex_.expect(")");
  Op branch;
  branch.kind = OpKind::Branch;
  branch.a = computed(Alu::LogicalNot, condition.operand, Operand::value(0), at);
  jumps.push_back(code_.ops.size());
  emit(branch, at);
}

std::size_t CCompiler::jump(std::uint32_t to) {
  Op op;
  op.kind = OpKind::Jump;
  op.target = to;
  emit(op, lex_.position());
  return code_.ops.size() - 1;
}

void CCompiler::land(const std::vector<std::size_t>& jumps) {
  for (std::size_t j : jumps) code_.ops[j].target = here();
}

// The stars behind the type's words belong to the first name only.
void CCompiler::declaration(const CType& first) {
  CType type = first;
  do {
    const Token name = lex_.expect_name("a variable's name");
    if (lex_.is("[")) lex_.fail("local arrays are not supported");
    Name n;
    declare_local(name, type, n);
    used_temporaries_ = 0;
    if (lex_.accept("=")) {
      Term object;
      object.kind = Term::Kind::Local;
      object.operand = Operand::of(n.reg);
      object.type = type;
      assign(object, value(assignment()), name.at);
    } else {
      around_.no_value(lex_.position());
    }
    if (!lex_.is(",")) break;
    lex_.take();
    type.stars = 0;
    while (lex_.accept("*"))
      if (++type.stars > 8) lex_.fail("this pointer has too many stars");
  } while (true);
}

// Blocks that are not inside one another share the register of a name, if its type is the same: at most one of the two
// is alive, and a condition can name it.
void CCompiler::declare_local(const Token& token, const CType& type, Name& n) {
  const std::string name(token.text);
  if (scopes_.size() == 2 && scopes_[0].count(name) > 0)
    throw Mistake{token.at, fmt::format("'{}' is a parameter already", name), {}};
  if (scopes_.back().count(name) > 0)
    throw Mistake{token.at, fmt::format("'{}' is declared in this block already", name), {}};
  n.type = type;
  std::vector<Name>& all = all_of_name_[name];
  for (const Name& other : all) {
    const bool alive = std::any_of(scopes_.begin(), scopes_.end(), [&](const Scope& s) {
      const auto found = s.find(name);
      return found != s.end() && found->second.reg == other.reg;
    });
    if (!alive && other.type.same_values(type)) n.reg = other.reg;
  }
  if (n.reg == no_register) {
    if (code_.registers.size() > 20'000) throw Mistake{token.at, "the thread has too many variables", {}};
    n.reg = code_.append(all.empty() ? name : fmt::format("${}'{}", name, all.size()));
    all.push_back(n);
  }
  scopes_.back()[name] = n;
  CLocal& local = locals_[name];
  if (scopes_.size() == 2) local = {n.reg, type, false};
  else if (local.reg == no_register) local = {n.reg, type, false};
  else if (local.reg != n.reg && scopes_[1].count(name) == 0) local.several = true;
}

CLocals compile_c_thread(Lexer& lex, ThreadCode& code, const CSurroundings& around) {
  return CCompiler(lex, code, around).thread();
}

}  // namespace heddle::lang::litmus
