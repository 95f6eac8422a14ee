// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/promela/parser_state.h"

namespace heddle::promela {
namespace {

struct Infix {
  std::string_view text;
  unsigned level;
  ir::Op op;
};

// As in C, weakest first; all associate to the left.
constexpr std::array infixes{Infix{"||", 1, ir::Op::Or},    Infix{"&&", 2, ir::Op::And},   Infix{"|", 3, ir::Op::BitOr},
                             Infix{"^", 4, ir::Op::BitXor}, Infix{"&", 5, ir::Op::BitAnd}, Infix{"==", 6, ir::Op::Eq},
                             Infix{"!=", 6, ir::Op::Ne},    Infix{"<", 7, ir::Op::Lt},     Infix{"<=", 7, ir::Op::Le},
                             Infix{">", 7, ir::Op::Gt},     Infix{">=", 7, ir::Op::Ge},    Infix{"<<", 8, ir::Op::Shl},
                             Infix{">>", 8, ir::Op::Shr},   Infix{"+", 9, ir::Op::Add},    Infix{"-", 9, ir::Op::Sub},
                             Infix{"*", 10, ir::Op::Mul},   Infix{"/", 10, ir::Op::Div},   Infix{"%", 10, ir::Op::Mod}};

constexpr std::array<std::string_view, 5> channel_tests{"len", "empty", "full", "nempty", "nfull"};

constexpr unsigned max_nesting = 300, max_tree = 500;

}  // namespace

Parser::Nesting::Nesting(Parser& p) : parser(p) {
  if (++p.depth_ > max_nesting) p.fail("this is nested too deeply", fmt::format("at most {} levels", max_nesting));
}

Node Parser::number(std::int32_t value, const Token& at) const {
  Node n;
  n.token = at;
  n.number = value;
  return n;
}

Node Parser::variable(const Reference& r, const Token& at) const {
  Node n;
  n.kind = Node::Kind::Variable;
  n.token = at;
  n.reference = r;
  for (const Reference::Part& part : r.parts)
    for (const Node& index : part.index) n.depth = std::max(n.depth, index.depth + 1);
  return measured(std::move(n));
}

Node Parser::measured(Node n) const {
  for (const Node& child : n.children) n.depth = std::max(n.depth, child.depth + 1);
  if (n.depth > max_tree) fail(n.token, "this expression is nested too deeply", "take it apart");
  return n;
}

Node Parser::binary(ir::Op op, Node left, Node right, const Token& at) const {
  Node n;
  n.kind = Node::Kind::Binary;
  n.token = at;
  n.op = op;
  n.children.push_back(std::move(left));
  n.children.push_back(std::move(right));
  return measured(std::move(n));
}

Node Parser::condition() {
  Node node = expression();
  if (token().kind != Tok::End) fail(fmt::format("{} is not expected here", describe(source_, token())));
  return node;
}

Node Parser::expression(unsigned level) {
  const Nesting nesting(*this);
  Node left = unary();
  unsigned operators = 0;
  for (;;) {
    const auto found = std::ranges::find_if(infixes, [&](const Infix& i) { return is(i.text); });
    if (found == infixes.end() || found->level <= level) return left;
    if (++operators > max_nesting) fail("this expression is too long", "take it apart");
    const Token at = token();
    next();
    left = binary(found->op, std::move(left), expression(found->level), at);
  }
}

Node Parser::unary() {
  for (const auto& [spelled, op] : {std::pair{"!", ir::Op::Not}, {"~", ir::Op::BitNot}, {"-", ir::Op::Neg}}) {
    if (!is(spelled)) continue;
    const Nesting nesting(*this);
    Node n;
    n.kind = Node::Kind::Unary;
    n.token = token();
    n.op = op;
    next();
    n.children.push_back(unary());
    return measured(std::move(n));
  }
  return primary();
}

// ( expression ) or ( condition -> then : else )
Node Parser::parenthesised() {
  next();
  Node inner = expression();
  if (is("->")) {
    Node n;
    n.kind = Node::Kind::Conditional;
    n.token = token();
    next();
    n.children.push_back(std::move(inner));
    n.children.push_back(expression());
    expect(":", "in a conditional expression (condition -> value : value)");
    n.children.push_back(expression());
    inner = measured(std::move(n));
  }
  expect(")", "at the end of the expression");
  return inner;
}

Node Parser::primary() {
  const Token at = token();
  if (is("(")) return parenthesised();
  if (at.kind == Tok::Number) {
    next();
    return number(at.number, at);
  }
  if (at.kind != Tok::Name) fail(fmt::format("an expression is expected here, not {}", describe(source_, at)));
  const std::string_view word = text(at);
  if (word == "true" || word == "false" || word == "skip") {
    next();
    return number(word != "false", at);
  }
  Node n;
  n.token = at;
  if (word == "timeout" || word == "_pid" || word == "_nr_pr") {
    next();
    n.kind = word == "timeout" ? Node::Kind::Timeout
             : word == "_pid"  ? Node::Kind::ProcessId
                               : Node::Kind::ProcessCount;
    if (word == "_pid" && proctype_ == none) fail(at, "`_pid` has no value outside of a process");
    return n;
  }
  if (std::ranges::find(channel_tests, word) != channel_tests.end() && is(ahead(), "(")) {
    next();
    next();
    n.kind = Node::Kind::ChannelTest;
    n.name = word;
    n.reference = reference(false);
    expect(")", "behind the channel");
    return n;
  }
  if (word == "run")
    fail("`run` inside an expression is not supported", "use it as a statement: run P(…); or x = run P(…)");
  refuse_unsupported();
  if (const auto found = model_.mtypes.find(std::string(word));
      found != model_.mtypes.end() && find(std::string(word)) == none) {
    next();
    return number(found->second, at);
  }
  if (find(std::string(word)) == none && (is(ahead(), "@") || is(ahead(), "[") || is(ahead(), ":"))) return remote(at);
  return after_reference(variable(reference(false), at));
}

// P@label, P[e]@label, P:x, P[e]:x
Node Parser::remote(const Token& at) {
  Node n;
  n.token = at;
  n.name = name("a process");
  if (accept("[")) {
    n.children.push_back(expression());
    expect("]", "behind the number of the process");
  }
  if (accept("@")) {
    n.kind = Node::Kind::AtLabel;
    n.label = name("a label");
    model_.observed.emplace(n.name, n.label);
    return n;
  }
  if (!is(":"))
    fail(at, fmt::format("`{}` is not declared", n.name),
         "a variable is declared before it is used; a process is "
         "named as in P@label, P[1]@label or P[1]:x");
  next();
  n.kind = Node::Kind::LocalOf;
  n.label = name("a local variable");
  return n;
}

// channel?[arguments] and channel??[arguments]
Node Parser::after_reference(Node n) {
  if (!(is("?") || is("??")) || !is(ahead(), "[")) return n;
  n.kind = Node::Kind::Poll;
  n.random = is("??");
  next();
  next();
  for (Argument& a : arguments("]")) {
    Node item;
    item.token = n.token;
    item.kind = Node::Kind::Anything;
    if (!a.value.empty()) item = std::move(a.value.front());
    n.children.push_back(std::move(item));
  }
  return n;
}

Reference Parser::reference(bool written) {
  Reference r;
  for (;;) {
    Reference::Part part;
    part.token = token();
    if (r.parts.empty() && is("_")) {
      if (!written) fail("`_` can only be written");
      next();
      return r;
    }
    part.name = name("a variable");
    if (r.parts.empty()) {
      r.symbol = find(part.name);
      if (r.symbol == none) {
        const bool constant = model_.mtypes.contains(part.name);
        fail(part.token,
             constant ? fmt::format("`{}` is a constant", part.name) : fmt::format("`{}` is not declared", part.name),
             constant ? "" : "a variable is declared before it is used");
      }
      if (written) model_.symbols[r.symbol].assigned = true;
    }
    if (accept("[")) {
      part.index.push_back(expression());
      expect("]", "behind the index");
    }
    r.parts.push_back(std::move(part));
    if (!(is(".") && ahead().kind == Tok::Name)) return r;
    next();
  }
}

}  // namespace heddle::promela
