// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/parser_state.h"

namespace heddle::promela {
namespace {

constexpr std::size_t most_tokens = std::size_t{1} << 20;
constexpr unsigned most_expansions = 10000;

}  // namespace

Statement Parser::assignment(const Reference& r, Node value, const Token& at) const {
  Statement s;
  s.kind = Statement::Kind::Assign;
  s.first = s.last = at;
  s.reference = r;
  s.value.push_back(std::move(value));
  return s;
}

Statement Parser::condition_of(Node node, const Token& at) const {
  Statement s;
  s.first = s.last = at;
  s.value.push_back(std::move(node));
  return s;
}

// Statements up to `end` (which stays), separated by ; or ->. `leading`: declarations at the start have initial
// values, as in the body of a proctype; elsewhere an initialiser is an assignment, which is a step.
Sequence Parser::sequence(std::string_view end, bool leading) {
  const Nesting nesting(*this);
  Sequence list;
  const Token open = token();
  for (;;) {
    while (accept(";") || accept("->")) {}
    if (is(end) || (end != "}" && is("::"))) break;
    if (token().kind == Tok::End) fail(fmt::format("`{}` is expected before the end of the text", end));
    if (is("}") || is("fi") || is("od")) fail(fmt::format("{} is not expected here", describe(source_, token())));
    statement(list, leading && list.empty());
    refuse_unsupported();
    const bool closed = is(tokens_[at_ - 1], "}") || is(tokens_[at_ - 1], "fi") || is(tokens_[at_ - 1], "od");
    if (!closed && !is(";") && !is("->") && !is(end) && !is("::") && !is("fi") && !is("od"))
      fail(fmt::format("`;` is expected before {}", describe(source_, token())));
  }
  if (list.empty() && !leading) fail(open, "there is no statement here", "use `skip`");
  return list;
}

void Parser::statement(Sequence& list, bool leading) {
  Statement s;
  s.first = token();
  while (token().kind == Tok::Name && is(ahead(), ":") && !is("else")) {
    s.labels.push_back(name("a label"));
    next();
    while (accept(";")) {}
  }
  refuse_unsupported();
  if (s.labels.empty() && starts_declaration()) return declaration(*locals_, leading ? nullptr : &list);
  if (is("}")) {  // a label at the end of a block: a statement that does nothing
    s.value.push_back(number(1, token()));
    s.last = s.first;
    list.push_back(std::move(s));
    return;
  }
  if (is("if") || is("do")) s = choice(std::move(s));
  else if (is("for") && is(ahead(), "(")) s = for_loop(std::move(s));
  else if (is("select") && is(ahead(), "(")) s = select(std::move(s));
  else if (is("atomic") || is("d_step") || is("{")) {
    s.kind = is("{") ? Statement::Kind::Block : is("atomic") ? Statement::Kind::Atomic : Statement::Kind::Deterministic;
    if (!is("{")) next();
    expect("{", "before the block");
    scopes_.emplace_back();
    s.body.push_back(sequence("}", false));
    scopes_.pop_back();
    next();
  } else if (token().kind == Tok::Name && is(ahead(), "(") && inlines_.contains(std::string(text(token())))) {
    expand_inline();
    Sequence body;
    statement(body, false);
    s.kind = Statement::Kind::Block;
    s.body.push_back(std::move(body));
  } else {
    return simple_statement(list, std::move(s));
  }
  s.last = tokens_[at_ - 1];
  list.push_back(std::move(s));
}

void Parser::simple_statement(Sequence& list, Statement s) {
  const auto done = [&](Statement finished) {
    finished.last = tokens_[at_ - 1];
    list.push_back(std::move(finished));
  };
  if (accept("goto")) {
    s.kind = Statement::Kind::Goto;
    s.name = name("a label");
    return done(std::move(s));
  }
  if (accept("break")) {
    s.kind = Statement::Kind::Break;
    return done(std::move(s));
  }
  if (accept("else")) {
    s.kind = Statement::Kind::Else;
    return done(std::move(s));
  }
  if (is("assert")) {
    next();
    s.kind = Statement::Kind::Assert;
    s.value.push_back(expression());
    return done(std::move(s));
  }
  if ((is("printf") || is("printm")) && is(ahead(), "(")) return done(print(std::move(s)));
  if (is("run")) return done(run(std::move(s)));
  const bool memory = (is("store") || is("load")) && is(ahead(), "(");
  if ((memory || is("sync") || is("sync_all") || is("sync_stores")) && find(std::string(text(token()))) == none)
    return done(memory_operation(std::move(s)));
  // An assignment or a channel operation begins with a variable; anything else is a condition.
  if (token().kind == Tok::Name && (find(std::string(text(token()))) != none || is("_"))) {
    const std::size_t start = at_;
    const Reference r = is("_") ? reference(true) : reference(false);
    const auto written = [&] {
      if (r.symbol != none) model_.symbols[r.symbol].assigned = true;
    };
    const Token at = token();
    if (accept("=")) {
      written();
      if (is("run")) {
        s.reference = r;
        return done(run(std::move(s)));
      }
      s.kind = Statement::Kind::Assign;
      s.reference = r;
      s.value.push_back(expression());
      return done(std::move(s));
    }
    if (is("++") || is("--")) {
      written();
      s.kind = Statement::Kind::Assign;
      s.reference = r;
      s.value.push_back(binary(is("++") ? ir::Op::Add : ir::Op::Sub, variable(r, at), number(1, at), at));
      next();
      return done(std::move(s));
    }
    s.reference = r;
    if (is("!") || is("!!")) return done(send(std::move(s)));
    if ((is("?") || is("??")) && !is(ahead(), "[")) return done(receive(std::move(s)));
    s.reference.reset();
    at_ = start;
  }
  s.value.push_back(expression());
  done(std::move(s));
}

Statement Parser::choice(Statement s) {
  const bool loop = is("do");
  s.kind = loop ? Statement::Kind::Do : Statement::Kind::If;
  const char* const end = loop ? "od" : "fi";
  next();
  if (!is("::")) fail(fmt::format("`::` is expected before the first option, not {}", describe(source_, token())));
  while (accept("::")) {
    scopes_.emplace_back();
    s.body.push_back(sequence(end, false));
    scopes_.pop_back();
  }
  expect(end, "behind the last option");
  return s;
}

// for (i : a .. b) { … } is i = a; do :: i <= b -> …; i++ :: else -> break od, and so is for (i in array).
Statement Parser::for_loop(Statement s) {
  next();
  next();
  const Token at = token();
  const Reference i = reference(true);
  Node low = number(0, at), high = number(0, at);
  if (accept("in")) {
    const Reference over = reference(false);
    const Symbol& symbol = model_.symbols[over.symbol];
    if (!symbol.array || over.parts.size() != 1 || !over.parts[0].index.empty())
      fail(at, "`for (i in a)` goes over an array");
    high = number(static_cast<std::int32_t>(symbol.length) - 1, at);
  } else {
    expect(":", "behind the variable of the loop");
    low = expression();
    expect("..", "between the bounds of the loop");
    high = expression();
  }
  expect(")", "behind the bounds of the loop");
  expect("{", "before the body of the loop");
  Sequence body;
  body.push_back(condition_of(binary(ir::Op::Le, variable(i, at), std::move(high), at), at));
  scopes_.emplace_back();
  for (Statement& inner : sequence("}", false)) body.push_back(std::move(inner));
  scopes_.pop_back();
  next();
  body.push_back(assignment(i, binary(ir::Op::Add, variable(i, at), number(1, at), at), at));
  Statement otherwise, leave, loop;
  otherwise.kind = Statement::Kind::Else;
  leave.kind = Statement::Kind::Break;
  loop.kind = Statement::Kind::Do;
  otherwise.first = otherwise.last = leave.first = leave.last = loop.first = loop.last = at;
  loop.body.push_back(std::move(body));
  loop.body.push_back({std::move(otherwise), std::move(leave)});
  s.kind = Statement::Kind::Block;
  s.body.push_back({assignment(i, std::move(low), at), std::move(loop)});
  return s;
}

// select (i : a .. b) with constants is a choice of assignments; else it is i = a; do :: i < b -> i++ :: break od.
Statement Parser::select(Statement s) {
  next();
  next();
  const Token at = token();
  const Reference i = reference(true);
  expect(":", "behind the variable");
  Node low = expression();
  expect("..", "between the bounds");
  Node high = expression();
  expect(")", "behind the bounds");
  if (low.kind == Node::Kind::Number && high.kind == Node::Kind::Number && high.number - low.number < 256) {
    s.kind = Statement::Kind::If;
    for (std::int32_t v = low.number; v <= high.number; ++v) s.body.push_back({assignment(i, number(v, at), at)});
    if (s.body.empty()) fail(at, "there is no value between the bounds");
    return s;
  }
  Statement leave, loop;
  leave.kind = Statement::Kind::Break;
  loop.kind = Statement::Kind::Do;
  leave.first = leave.last = loop.first = loop.last = at;
  loop.body.push_back({condition_of(binary(ir::Op::Lt, variable(i, at), std::move(high), at), at),
                       assignment(i, binary(ir::Op::Add, variable(i, at), number(1, at), at), at)});
  loop.body.push_back({std::move(leave)});
  s.kind = Statement::Kind::Block;
  s.body.push_back({assignment(i, std::move(low), at), std::move(loop)});
  return s;
}

Statement Parser::run(Statement s) {
  next();
  s.kind = Statement::Kind::Run;
  s.name = name("a proctype");
  expect("(", "behind the name of the proctype");
  while (!is(")")) {
    s.value.push_back(expression());
    if (!accept(",") && !is(")")) fail("`,` or `)` is expected between arguments");
  }
  next();
  return s;
}

Statement Parser::print(Statement s) {
  next();
  next();
  s.kind = Statement::Kind::Print;
  if (token().kind == Tok::String) next();
  else s.value.push_back(expression());
  while (accept(",")) s.value.push_back(expression());
  expect(")", "behind what is printed");
  return s;
}

// store(x, e), load(x, e), sync, sync_all and sync_stores: accesses to shared memory said explicitly.
Statement Parser::memory_operation(Statement s) {
  if (is("sync") || is("sync_all") || is("sync_stores")) {
    s.kind = Statement::Kind::Fence;
    s.everybody = is("sync_all");
    s.among_stores = is("sync_stores");
    model_.orders_stores |= s.among_stores;
    next();
    if (accept("(")) expect(")", "behind `(`: a fence has no arguments");
    return s;
  }
  const bool store = is("store");
  next();
  next();
  const Token at = token();
  const Reference shared = reference(store);
  if (shared.symbol == none || model_.symbols[shared.symbol].proctype != none)
    fail(at, "`store` and `load` access a shared variable", "declare it outside of the proctypes");
  expect(",", "behind the shared variable");
  const Token second = token();
  const std::size_t start = at_;
  s.kind = Statement::Kind::Assign;
  if (store) {
    s.reference = shared;
    s.value.push_back(expression());
  } else {
    Node value = expression();
    if (value.kind == Node::Kind::Variable && model_.symbols[value.reference->symbol].proctype != none) {
      at_ = start;
      s.reference = reference(true);
      s.value.push_back(variable(shared, at));
    } else {
      s.kind = Statement::Kind::Condition;
      s.value.push_back(binary(ir::Op::Eq, variable(shared, at), std::move(value), second));
    }
  }
  expect(")", fmt::format("behind the arguments of `{}`", store ? "store" : "load"));
  return s;
}

// q!a,b and q!a(b)
Statement Parser::send(Statement s) {
  s.kind = Statement::Kind::Send;
  s.sorted = is("!!");
  next();
  s.value.push_back(expression());
  if (accept("(")) {
    while (!is(")")) {
      s.value.push_back(expression());
      if (!accept(",") && !is(")")) fail("`,` or `)` is expected between items");
    }
    next();
    return s;
  }
  while (accept(",")) s.value.push_back(expression());
  return s;
}

// q?a,b   q?a(b)   q?<a,b>   and ?? for each
Statement Parser::receive(Statement s) {
  s.kind = Statement::Kind::Receive;
  s.random = is("??");
  next();
  if (accept("<")) {
    s.keep = true;
    s.arguments = arguments(">");
    return s;
  }
  s.arguments.push_back(argument());
  if (accept("(")) {
    for (Argument& a : arguments(")")) s.arguments.push_back(std::move(a));
    return s;
  }
  while (accept(",")) s.arguments.push_back(argument());
  return s;
}

std::vector<Argument> Parser::arguments(std::string_view end) {
  std::vector<Argument> list;
  while (!is(end)) {
    list.push_back(argument());
    if (accept("(")) {
      for (Argument& a : arguments(")")) list.push_back(std::move(a));
    } else if (!accept(",") && !is(end)) {
      fail(fmt::format("`,` or `{}` is expected between items, not {}", end, describe(source_, token())));
    }
  }
  next();
  return list;
}

Argument Parser::argument() {
  Argument a;
  if (is("eval") && is(ahead(), "(")) {
    next();
    next();
    a.value.push_back(expression());
    expect(")", "behind `eval(`");
  } else if (token().kind == Tok::Number || is("-") || is("true") || is("false") ||
             (token().kind == Tok::Name && model_.mtypes.contains(std::string(text(token()))) &&
              find(std::string(text(token()))) == none)) {
    a.value.push_back(unary());
  } else {
    a.target = reference(true);
  }
  return a;
}

// The tokens of the body stand where the call stood, with the arguments for the parameters.
void Parser::expand_inline() {
  const Token at = token();
  const std::size_t start = at_;
  Inline& definition = inlines_.at(std::string(text(at)));
  if (++definition.expansions > most_expansions) fail(at, fmt::format("`{}` expands itself", text(at)));
  next();
  next();
  std::vector<std::vector<Token>> given;
  for (unsigned open = 0; open != 0 || !is(")"); next()) {
    if (token().kind == Tok::End) fail(at, "this call has no end");
    if (given.empty()) given.emplace_back();
    if (open == 0 && is(",")) {
      given.emplace_back();
      continue;
    }
    open += is("(") || is("[");
    open -= is(")") || is("]");
    given.back().push_back(token());
  }
  if (given.size() != definition.parameters.size())
    fail(at, fmt::format("`{}` has {} parameters, not {}", text(at), definition.parameters.size(), given.size()));
  std::vector<Token> expanded;
  for (const Token& t : definition.body) {
    const auto found =
        t.kind == Tok::Name ? std::ranges::find(definition.parameters, text(t)) : definition.parameters.end();
    if (found == definition.parameters.end()) {
      expanded.push_back(t);
    } else {
      const auto& argument = given[static_cast<std::size_t>(found - definition.parameters.begin())];
      expanded.insert(expanded.end(), argument.begin(), argument.end());
    }
  }
  if (tokens_.size() + expanded.size() > most_tokens) fail(at, fmt::format("`{}` expands to too much text", text(at)));
  const auto from = tokens_.begin() + static_cast<std::ptrdiff_t>(start);
  const auto to = tokens_.begin() + static_cast<std::ptrdiff_t>(at_ + 1);
  tokens_.insert(tokens_.erase(from, to), expanded.begin(), expanded.end());
  at_ = start;
}

}  // namespace heddle::promela
