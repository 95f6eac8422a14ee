// Declarations.
// SPDX-License-Identifier: Apache-2.0
#include "lang/cubicle/parser.h"

#include <algorithm>

#include "core/input.h"
#include "lang/cubicle/parser_state.h"

namespace heddle::cubicle {

Parser::Parser(std::string_view text, std::string file) : tokens_(split(text)) {
  system_.file = std::move(file);
  system_.text = std::string(text);
  system_.types = {{"bool", Type::Kind::Enumeration, {"False", "True"}},
                   {"int", Type::Kind::Int, {}},
                   {"real", Type::Kind::Real, {}},
                   {"proc", Type::Kind::Proc, {}}};
  for (const Type& type : system_.types) types_.emplace(type.name, static_cast<TypeId>(types_.size()));
  constructors_["False"] = {type_bool, 0};
  constructors_["True"] = {type_bool, 1};
}

const Token& Parser::peek(std::size_t ahead) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }

Token Parser::take() {
  const Token token = peek();
  if (token.kind == Token::Kind::Error) fail(token.place, token.text);
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Parser::is(std::string_view sign, std::size_t ahead) const {
  return peek(ahead).kind == Token::Kind::Sign && peek(ahead).text == sign;
}

bool Parser::is_word(std::string_view word, std::size_t ahead) const {
  return peek(ahead).kind == Token::Kind::Lower && peek(ahead).text == word;
}

bool Parser::accept(std::string_view sign) {
  if (!is(sign)) return false;
  take();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!is_word(word)) return false;
  take();
  return true;
}

void Parser::expect(std::string_view sign, std::string_view purpose) {
  if (accept(sign)) return;
  const Token& found = peek();
  if (found.kind == Token::Kind::Error) fail(found.place, found.text);
  fail(found.place, "expected '" + std::string(sign) + "' " + std::string(purpose) + ", found " +
                        (found.kind == Token::Kind::End ? found.text : "'" + found.text + "'"));
}

Token Parser::name(Token::Kind kind, std::string_view what) {
  const Token token = peek();
  if (token.kind == Token::Kind::Error) fail(token.place, token.text);
  if (token.kind != kind)
    fail(token.place,
         "expected " + std::string(what) + ", found " +
             (token.kind == Token::Kind::End ? token.text : "'" + token.text + "'"),
         kind == Token::Kind::Upper ? "variables, arrays, constants and constructors begin in upper case"
                                    : "types, parameters and process variables begin in lower case");
  return take();
}

void Parser::fail(Place place, std::string message, std::string hint) const {
  support::Diagnostic d;
  d.file = system_.file;
  d.line = place.line;
  d.column = place.column;
  d.message = std::move(message);
  d.source_line = std::string(support::line_of(system_.text, place.line));
  d.hint = std::move(hint);
  throw d;
}

System Parser::run() {
  while (peek().kind != Token::Kind::End) declaration();
  check_complete();
  return std::move(system_);
}

void Parser::declaration() {
  const Token word = peek();
  if (word.kind == Token::Kind::Error) fail(word.place, word.text);
  if (accept_word("type")) return type_declaration();
  if (accept_word("weak")) {
    // Weak names restrict what a transition may access (check_access), so they have to be known before.
    if (!system_.transitions.empty()) fail(word.place, "weak names must be declared before the first transition");
    return symbol_declaration(true);
  }
  if (is_word("var") || is_word("array") || is_word("const")) return symbol_declaration(false);
  if (accept_word("predicate")) return predicate_declaration();
  if (accept_word("transition")) return transition();
  if (accept_word("number_procs")) {
    if (system_.number_procs != 0) fail(word.place, "there is a second number_procs");
    const Token n = name(Token::Kind::Number, "a number of processes");
    if (n.text.size() > 2 || n.text.find('.') != std::string::npos || std::stoul(n.text) < 1 || std::stoul(n.text) > 16)
      fail(n.place, "number_procs takes a number from 1 to 16");
    system_.number_procs = static_cast<unsigned>(std::stoul(n.text));
    return;
  }
  if (accept_word("init")) {
    if (has_init_) fail(word.place, "there is a second init");
    has_init_ = true;
    system_.init.place = word.place;
    return block(system_.init, Where::Init);
  }
  if (is_word("unsafe") || is_word("invariant") || is_word("candidate")) {
    const std::string kind = take().text;
    auto& blocks = kind == "unsafe" ? system_.unsafe : kind == "invariant" ? system_.invariants : system_.candidates;
    Block b;
    b.place = word.place;
    if (peek().kind == Token::Kind::Lower || peek().kind == Token::Kind::Upper) b.name = take().text;
    block(b, Where::Bad);
    blocks.push_back(std::move(b));
    return;
  }
  fail(word.place, "expected a declaration, found '" + word.text + "'",
       "a declaration begins with type, var, array, const, weak, predicate, init, unsafe, invariant, candidate, "
       "transition or number_procs");
}

void Parser::declare(const std::string& word, Place place) {
  const auto [it, fresh] = declared_.emplace(word, place);
  if (!fresh)
    fail(place, "'" + word + "' is declared a second time",
         "the first declaration is in line " + std::to_string(it->second.line));
}

void Parser::type_declaration() {
  const Token word = name(Token::Kind::Lower, "the name of a type");
  if (types_.count(word.text) != 0) fail(word.place, "the type '" + word.text + "' is declared a second time");
  Type type;
  type.name = word.text;
  const auto id = static_cast<TypeId>(system_.types.size());
  if (accept("=")) {
    type.kind = Type::Kind::Enumeration;
    accept("|");
    do {
      const Token c = name(Token::Kind::Upper, "a constructor");
      declare(c.text, c.place);
      if (constructors_.count(c.text) != 0) fail(c.place, "'" + c.text + "' is declared a second time");
      constructors_[c.text] = {id, static_cast<unsigned>(type.constructors.size())};
      type.constructors.push_back(c.text);
    } while (accept("|"));
    if (type.constructors.size() > 64) fail(word.place, "a type may have 64 constructors, this one has more");
  }
  types_[type.name] = id;
  system_.types.push_back(std::move(type));
}

TypeId Parser::type_name() {
  const Token word = name(Token::Kind::Lower, "a type");
  const auto it = types_.find(word.text);
  if (it == types_.end()) fail(word.place, "there is no type '" + word.text + "'");
  return it->second;
}

void Parser::symbol_declaration(bool weak) {
  const Token keyword = take();
  const bool array = keyword.text == "array", constant = keyword.text == "const";
  if (keyword.kind != Token::Kind::Lower || (!array && !constant && keyword.text != "var"))
    fail(keyword.place, "expected 'var' or 'array' after 'weak'");
  if (weak && constant) fail(keyword.place, "a constant cannot be weak");
  const Token word = name(Token::Kind::Upper, "a name");
  declare(word.text, word.place);
  if (constructors_.count(word.text) != 0) fail(word.place, "'" + word.text + "' is a constructor");
  Symbol symbol;
  symbol.name = word.text;
  symbol.place = word.place;
  symbol.weak = weak;
  symbol.constant = constant;
  if (array || (constant && is("["))) {
    expect("[", "before the array's indices");
    do {
      const Place place = peek().place;
      if (type_name() != type_proc) fail(place, "arrays are indexed by proc");
      ++symbol.arity;
    } while (accept(","));
    if (symbol.arity > 2) fail(word.place, "an array has one or two indices");
    expect("]", "after the array's indices");
  }
  expect(":", "before the type");
  symbol.type = type_name();
  if (system_.symbols.size() >= 1000) fail(word.place, "more than 1000 variables");
  symbols_[symbol.name] = static_cast<SymbolId>(system_.symbols.size());
  system_.symbols.push_back(std::move(symbol));
}

std::vector<Token> Parser::parameter_list(Token* actor) {
  std::vector<Token> names;
  expect("(", "before the parameters");
  while (!accept(")")) {
    if (is("[")) {
      const Token bracket = take();
      if (actor == nullptr) fail(bracket.place, "only a transition has an acting process");
      if (actor->kind != Token::Kind::End) fail(bracket.place, "there is a second acting process");
      names.push_back(name(Token::Kind::Lower, "a process variable"));
      *actor = names.back();
      expect("]", "after the acting process");
    } else {
      names.push_back(name(Token::Kind::Lower, "a process variable"));
    }
    for (std::size_t i = 0; i + 1 < names.size(); ++i)
      if (names[i].text == names.back().text)
        fail(names.back().place, "the parameter '" + names.back().text + "' is named twice");
    if (names.size() > 8) fail(names.back().place, "more than 8 parameters");
    accept(",");
  }
  return names;
}

void Parser::predicate_declaration() {
  const Token word = name(Token::Kind::Lower, "the name of a predicate");
  declare(word.text, word.place);
  Predicate predicate;
  predicate.name = word.text;
  std::vector<std::string> slots;
  Scope scope;
  scope.where = Where::Predicate;
  scope.slots = &slots;
  for (const Token& p : parameter_list(nullptr)) {
    predicate.parameters.push_back(p.text);
    scope.parameters.push_back(bind(scope, p));
  }
  expect("{", "before the predicate's body");
  predicate.body = at_;
  const unsigned depth = depth_;
  try {
    formula(scope);
    expect("}", "after the predicate's body");
  } catch (const support::Diagnostic& d) {
    if (predicate.parameters.empty()) throw;
    predicate.mistake = d;
    depth_ = depth;
    at_ = predicate.body;
    while (!is("}")) {
      if (peek().kind == Token::Kind::End || peek().kind == Token::Kind::Error) throw;
      take();
    }
    take();
  }
  predicates_.push_back(std::move(predicate));
}

void Parser::block(Block& b, Where where) {
  Scope scope;
  scope.where = where;
  scope.slots = &b.slots;
  if (is("("))
    for (const Token& p : parameter_list(nullptr)) scope.parameters.push_back(bind(scope, p));
  b.parameters = static_cast<unsigned>(b.slots.size());
  expect("{", "before the formula");
  b.formula = formula(scope);
  expect("}", "after the formula");
  if (where == Where::Bad) check_quantifiers(b.formula, true);
}

// Sets of unsafe states are existential: some processes violate, whatever the others do.
void Parser::check_quantifiers(const Formula& f, bool positive) const {
  if (f.kind == (positive ? Formula::Kind::Forall : Formula::Kind::Exists))
    fail(f.place, "a universal quantifier cannot stand in unsafe, invariant or candidate");
  for (const Formula& c : f.children) check_quantifiers(c, positive != (f.kind == Formula::Kind::Not));
}

void Parser::transition() {
  Transition t;
  const Token word = take();
  if (word.kind != Token::Kind::Lower && word.kind != Token::Kind::Upper)
    fail(word.place, "expected the name of a transition");
  t.name = word.text;
  t.place = word.place;
  Scope scope;
  scope.slots = &t.slots;
  Token actor;
  for (const Token& p : parameter_list(&actor)) {
    const Slot slot = bind(scope, p);
    scope.parameters.push_back(slot);
    if (actor.kind != Token::Kind::End && p.text == actor.text) t.actor = slot;
  }
  t.parameters = static_cast<unsigned>(t.slots.size());
  scope.actor = t.actor;
  if (accept_word("requires") || accept_word("require")) {
    expect("{", "before the guard");
    scope.where = Where::Guard;
    t.guard_begin = peek().place;
    t.guard = formula(scope);
    t.guard_end = peek().place;
    expect("}", "after the guard");
  }
  scope.where = Where::Body;
  t.body = peek().place;
  expect("{", "before the transition's assignments");
  while (!accept("}")) {
    if (accept_word("let")) {
      const Token v = name(Token::Kind::Lower, "the name of a value");
      expect("=", "in 'let'");
      const Term term = sum(scope);
      if (!accept_word("in")) fail(peek().place, "expected 'in' after the value of 'let'");
      scope.lets.emplace_back(v.text, term);
      continue;
    }
    update(t, scope);
    if (!accept(";") && !is("}")) expect(";", "after an assignment");
  }
  system_.transitions.push_back(std::move(t));
}

namespace {

// Whether a conjunct of the guard says that two processes differ.
bool tells_apart(const Formula& guard, Slot a, Slot b) {
  switch (guard.kind) {
    case Formula::Kind::And:
      return std::ranges::any_of(guard.children, [&](const Formula& c) { return tells_apart(c, a, b); });
    case Formula::Kind::Not: {
      Formula equal = guard.children[0];
      if (equal.kind != Formula::Kind::Atom || equal.op != Compare::Equal) return false;
      equal.op = Compare::NotEqual;
      return tells_apart(equal, a, b);
    }
    case Formula::Kind::Atom: {
      if (guard.op != Compare::NotEqual && guard.op != Compare::Less) return false;
      const Term &left = guard.terms[0], &right = guard.terms[1];
      if (left.kind != Term::Kind::Process || right.kind != Term::Kind::Process) return false;
      return (left.process == a && right.process == b) || (left.process == b && right.process == a);
    }
    default: return false;
  }
}

// Parameters are different processes, but #k may be any of them.
bool may_be_the_same(const Formula& guard, Slot a, Slot b) {
  return a == b || ((a >= first_concrete) != (b >= first_concrete) && !tells_apart(guard, a, b));
}

// a = b && rest
Formula same_process_and(Slot a, Slot b, Place place, Formula rest) {
  Formula equal;
  equal.kind = Formula::Kind::Atom;
  equal.place = place;
  equal.terms.resize(2);
  for (Term& t : equal.terms) {
    t.kind = Term::Kind::Process;
    t.type = type_proc;
    t.place = place;
  }
  equal.terms[0].process = a;
  equal.terms[1].process = b;
  Formula result;
  result.kind = Formula::Kind::And;
  result.place = place;
  result.children = {std::move(equal), std::move(rest)};
  return result;
}

}  // namespace

void Parser::update(Transition& t, Scope& scope) {
  const Token word = name(Token::Kind::Upper, "the name of a variable or array to assign");
  const auto it = symbols_.find(word.text);
  if (it == symbols_.end()) fail(word.place, "there is no variable '" + word.text + "'");
  const Symbol& symbol = system_.symbols[it->second];
  if (symbol.constant) fail(word.place, "'" + word.text + "' is a constant and cannot be assigned");
  Update u;
  u.symbol = it->second;
  u.place = word.place;
  const std::size_t outer = scope.processes.size();
  bool diagonal = false;  // A[j,j] := v is A[j,k] := case | j = k : v
  if (symbol.arity > 0) {
    expect("[", "before the array's indices");
    for (unsigned i = 0; i < symbol.arity; ++i) {
      if (i > 0) expect(",", "between two indices");
      diagonal = i == 1 && u.bound[0] && peek().text == scope.processes.back().first;
      if (!diagonal && (peek().kind == Token::Kind::Concrete || let_of(scope, peek()) != nullptr ||
                        is_process(scope, peek().text))) {
        u.args[i] = process(scope);
      } else {
        u.args[i] = bind(scope, name(Token::Kind::Lower, "a process variable"));
        u.bound[i] = true;
      }
    }
    expect("]", "after the array's indices");
  } else if (is("[")) {
    fail(peek().place, "'" + word.text + "' is no array");
  }
  if (system_.has_weak() && !symbol.weak && symbol.arity > 0 && (u.bound[0] || u.args[0] != scope.actor))
    fail(word.place, "a process may only write its own cell of '" + word.text + "', which is not weak",
         scope.actor == no_slot ? "there is no acting process: put its parameter in brackets, ([p])" : "");
  if (symbol.weak && scope.actor == no_slot)
    fail(word.place, "the transition writes the weak '" + word.text + "', but has no acting process",
         "put its parameter in brackets: ([p])");
  expect(":=", "in an assignment");
  u.arms = arms(symbol, scope);
  if (diagonal)
    for (Arm& arm : u.arms)
      arm.condition = same_process_and(u.args[0], u.args[1], word.place, std::move(arm.condition));
  scope.processes.resize(outer);
  const auto meets = [&](const Update& other, int i) {
    return u.bound[i] || other.bound[i] || may_be_the_same(t.guard, u.args[i], other.args[i]);
  };
  for (const Update& other : t.updates)
    if (other.symbol == u.symbol && meets(other, 0) && meets(other, 1)) {
      const bool same = u.bound[0] || other.bound[0] || u.bound[1] || other.bound[1] ||
                        (u.args[0] == other.args[0] && u.args[1] == other.args[1]);
      fail(word.place, "'" + word.text + "' is assigned twice; assignments are simultaneous",
           same ? "" : "a parameter may be the process with a number, unless the guard says that it differs: p <> #1");
    }
  t.updates.push_back(std::move(u));
}

std::vector<Arm> Parser::arms(const Symbol& symbol, Scope& scope) {
  std::vector<Arm> result;
  const auto value = [&](Arm& arm) {
    if (accept(".") || accept("?")) {
      arm.any = true;
      return;
    }
    const Place place = peek().place;
    arm.value = sum(scope);
    if (symbol.type == type_real && arm.value.type == type_int && arm.value.kind == Term::Kind::Linear &&
        arm.value.monomials.empty())
      arm.value.type = type_real;
    if (arm.value.type != symbol.type)
      fail(place, "'" + symbol.name + "' has type " + system_.types[symbol.type].name + ", this value has type " +
                      system_.types[arm.value.type].name);
  };
  if (!accept_word("case")) {
    Arm arm;
    value(arm);
    result.push_back(std::move(arm));
    return result;
  }
  bool ended = false;
  while (accept("|")) {
    const Place place = peek().place;
    if (ended) fail(place, "this arm is never reached: '_' stands before it");
    Arm arm;
    if (accept("_")) ended = true;
    else arm.condition = formula(scope);
    expect(":", "before the value of an arm");
    value(arm);
    result.push_back(std::move(arm));
  }
  if (result.empty()) fail(peek().place, "expected '|' after 'case'");
  return result;
}

void Parser::check_complete() {
  for (const Predicate& p : predicates_)
    if (p.mistake && !p.used) throw *p.mistake;
  if (!has_init_) fail({0, 0}, "the system has no init");
  if (system_.unsafe.empty()) fail({0, 0}, "the system has no unsafe states to look for");
  if (system_.number_procs != 0 && system_.concrete > system_.number_procs)
    fail(greatest_, "#" + std::to_string(system_.concrete) + " is named, but number_procs is " +
                        std::to_string(system_.number_procs));
  if (!system_.has_weak()) return;
  for (const Symbol& s : system_.symbols)
    if (!s.weak && !s.constant && s.arity == 0)
      fail(s.place, "the variable '" + s.name + "' must be weak, as the system has weak names",
           "declare it 'weak var', or make it an array that each process uses its own cell of");
}

support::Result<System> parse(std::string_view text, std::string file) {
  try {
    return Parser(text, std::move(file)).run();
  } catch (const support::Diagnostic& d) {
    return d;
  }
}

support::Result<System> parse_file(const std::string& file, const core::Budget* budget) {
  const auto text = core::read_input(file, budget);
  if (!text) return text.error();
  return parse(*text, file);
}

}  // namespace heddle::cubicle
