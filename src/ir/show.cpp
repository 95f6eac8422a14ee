// Names, values and expressions for people.
// SPDX-License-Identifier: Apache-2.0
#include "ir/code.h"
#include "ir/program.h"

namespace heddle::ir {

const char* error_kind(Status s) {
  switch (s) {
    case Status::OutOfRange: return "value-range";
    case Status::BadIndex: return "array-index";
    case Status::DivisionByZero: return "division-by-zero";
    case Status::Assertion: return "assertion";
    case Status::Blocked: return "blocked-step";
    default: return "none";
  }
}

const char* error_text(Status s) {
  switch (s) {
    case Status::OutOfRange: return "a value does not fit the variable that it is assigned to";
    case Status::BadIndex: return "an array index is out of range";
    case Status::DivisionByZero: return "division by zero";
    case Status::Assertion: return "an assertion does not hold";
    case Status::Blocked: return "a statement inside a d_step cannot be executed";
    default: return "no error";
  }
}

std::string Program::word_name(std::uint32_t flat) const {
  if (flat >= variable_words) return "#" + std::to_string(flat);
  if (const std::uint32_t v = variable_of[flat]; v != none) {
    const Variable& variable = variables[v];
    std::string text =
        variable.process == none ? variable.name : processes[variable.process].name + "." + variable.name;
    if (variable.array) text += "[" + std::to_string(flat - variable.base) + "]";
    return text;
  }
  if (owner[flat] != none) return processes[owner[flat]].name;
  for (const Channel& channel : channels) {
    if (channel.capacity == 0 || flat < channel.base || flat > channel.base + channel.capacity * channel.arity())
      continue;
    if (flat == channel.base) return "length of " + channel.name;
    const std::uint32_t item = flat - channel.base - 1;
    std::string text = channel.name + "[" + std::to_string(item / channel.arity()) + "]";
    if (channel.arity() > 1) text += "." + std::to_string(item % channel.arity());
    return text;
  }
  return "#" + std::to_string(flat);
}

std::string Program::show_value(std::uint32_t flat, std::int32_t value) const {
  if (flat < variable_words && variable_of[flat] == none && owner[flat] != none) {
    const Process& process = processes[owner[flat]];
    if (static_cast<std::uint32_t>(value) < process.states.size())
      return process.states[static_cast<std::uint32_t>(value)].name;
  }
  return std::to_string(value);
}

const char* symbol(Op op) {
  switch (op) {
    case Op::Neg: return "-";
    case Op::BitNot: return "~";
    case Op::Not: return "not ";
    case Op::Mul: return "*";
    case Op::Div: return "/";
    case Op::Mod: return "%";
    case Op::Add: return "+";
    case Op::Sub: return "-";
    case Op::Shl: return "<<";
    case Op::Shr: return ">>";
    case Op::Lt: return "<";
    case Op::Le: return "<=";
    case Op::Gt: return ">";
    case Op::Ge: return ">=";
    case Op::Eq: return "==";
    case Op::Ne: return "!=";
    case Op::BitAnd: return "&";
    case Op::BitOr: return "|";
    case Op::BitXor: return "^";
    case Op::And: return "and";
    case Op::Or: return "or";
    case Op::Imply: return "imply";
    default: return "?";
  }
}

namespace {

// Fully parenthesised below the top, so that it reads the same whatever the reader thinks of precedence.
void write(const Program& p, ExprId id, bool top, std::string& out) {
  const Expr& e = p.expr(id);
  switch (e.op) {
    case Op::Const: out += std::to_string(e.value); return;
    case Op::Var:
    case Op::Index: {
      const Variable& v = p.variables[e.var];
      if (v.process != none) out += p.processes[v.process].name + "->";
      out += v.name;
      if (e.op == Op::Index) {
        out += "[";
        write(p, e.left, true, out);
        out += "]";
      }
      return;
    }
    case Op::Seen: {
      const Variable& v = p.variables[e.var];
      out += p.processes[static_cast<std::uint32_t>(e.value)].name + " @ " + v.name;
      if (e.left != no_expr) out += "[" + std::to_string(p.expr(e.left).value) + "]";
      return;
    }
    case Op::InState: {
      const Process& process = p.processes[e.var];
      out += process.name + "." + process.states[static_cast<std::uint32_t>(e.value)].name;
      return;
    }
    case Op::ChannelLength: out += "len(" + p.channels[e.var].name + ")"; return;
    case Op::Item: {
      const auto arity = static_cast<std::int32_t>(p.channels[e.var].arity());
      out += p.channels[e.var].name + "[" + std::to_string(e.value / arity) + "]." + std::to_string(e.value % arity);
      return;
    }
    case Op::Message: out += "item " + std::to_string(e.value); return;
    case Op::Cond:
      out += "(";
      write(p, e.left, false, out);
      out += " -> ";
      write(p, p.expr(e.right).left, false, out);
      out += " : ";
      write(p, p.expr(e.right).right, false, out);
      out += ")";
      return;
    default: break;
  }
  if (!top) out += "(";
  if (e.right == no_expr) {
    out += symbol(e.op);
    write(p, e.left, false, out);
  } else {
    write(p, e.left, false, out);
    out += std::string(" ") + symbol(e.op) + " ";
    write(p, e.right, false, out);
  }
  if (!top) out += ")";
}

}  // namespace

std::string Program::show(ExprId e) const {
  std::string out;
  write(*this, e, true, out);
  return out;
}

}  // namespace heddle::ir
