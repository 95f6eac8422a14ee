// Formulas and terms.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>

#include "lang/cubicle/parser_state.h"

namespace heddle::cubicle {

namespace {

constexpr unsigned max_depth = 200;       // nesting of expressions: keeps the stack small whatever the input
constexpr std::size_t max_size = 200000;  // of all expressions after expansion of predicates, <=> and if
constexpr std::int64_t max_number = 1000000000;

Formula make(Formula::Kind kind, Place place, std::vector<Formula> children = {}) {
  Formula f;
  f.kind = kind;
  f.place = place;
  f.children = std::move(children);
  return f;
}

Formula negate(Formula f) {
  const Place place = f.place;
  return make(Formula::Kind::Not, place, {std::move(f)});
}

std::size_t size_of(const Formula& f) {
  std::size_t n = 1;
  for (const Formula& c : f.children) n += size_of(c);
  return n;
}

bool quantified(const Formula& f) {
  if (f.kind == Formula::Kind::Forall || f.kind == Formula::Kind::Exists) return true;
  for (const Formula& c : f.children)
    if (quantified(c)) return true;
  return false;
}

bool fenced(const Formula& f) {
  if (f.kind == Formula::Kind::Fence) return true;
  for (const Formula& c : f.children)
    if (fenced(c)) return true;
  return false;
}

}  // namespace

void Parser::spend(Place place) {
  if (++spent_ > max_size) fail(place, "the expressions of this system are too large once predicates are expanded");
}

Formula Parser::formula(Scope& scope) {
  if (++depth_ > max_depth) fail(peek().place, "expressions are nested too deeply");
  Formula left = implication(scope);
  while (is("<=>")) {
    const Place place = take().place;
    Formula right = implication(scope);
    spent_ += size_of(left) + size_of(right);
    spend(place);
    if (fenced(left) || fenced(right)) fail(place, "fence() may only be joined by &&");
    Formula both = make(Formula::Kind::And, place, {left, right});
    Formula none = make(Formula::Kind::And, place, {negate(std::move(left)), negate(std::move(right))});
    left = make(Formula::Kind::Or, place, {std::move(both), std::move(none)});
  }
  --depth_;
  return left;
}

Formula Parser::implication(Scope& scope) {
  if (++depth_ > max_depth) fail(peek().place, "expressions are nested too deeply");
  Formula left = disjunction(scope);
  if (is("=>")) {
    const Place place = take().place;
    Formula right = implication(scope);
    if (fenced(left) || fenced(right)) fail(place, "fence() may only be joined by &&");
    left = make(Formula::Kind::Or, place, {negate(std::move(left)), std::move(right)});
  }
  --depth_;
  return left;
}

Formula Parser::disjunction(Scope& scope) {
  Formula left = conjunction(scope);
  if (!is("||")) return left;
  Formula result = make(Formula::Kind::Or, peek().place);
  result.children.push_back(std::move(left));
  while (is("||")) {
    take();
    result.children.push_back(conjunction(scope));
  }
  return result;
}

Formula Parser::conjunction(Scope& scope) {
  Formula left = negation(scope);
  if (!is("&&")) return left;
  Formula result = make(Formula::Kind::And, peek().place);
  result.children.push_back(std::move(left));
  while (accept("&&")) result.children.push_back(negation(scope));
  return result;
}

Formula Parser::negation(Scope& scope) {
  if (++depth_ > max_depth) fail(peek().place, "expressions are nested too deeply");
  spend(peek().place);
  const Place place = peek().place;
  Formula result;
  if (accept_word("not")) {
    result = negate(negation(scope));
    if (fenced(result)) fail(place, "fence() cannot be negated");
  } else if (accept_word("if")) {
    Formula c = formula(scope);
    if (!accept_word("then")) fail(peek().place, "expected 'then'");
    Formula a = formula(scope);
    if (!accept_word("else")) fail(peek().place, "expected 'else'");
    Formula b = formula(scope);
    spent_ += size_of(c);
    Formula yes = make(Formula::Kind::And, place, {c, std::move(a)});
    Formula no = make(Formula::Kind::And, place, {negate(std::move(c)), std::move(b)});
    result = make(Formula::Kind::Or, place, {std::move(yes), std::move(no)});
    if (fenced(result)) fail(place, "fence() may only be joined by &&");
  } else if (is_word("forall_other") || is_word("exists_other") || is_word("forall") || is_word("exists")) {
    const std::string word = take().text;
    result = quantifier(scope, word.starts_with("forall"), word.ends_with("_other"));
  } else if (is_word("fence") && is("(", 1)) {
    take();
    take();
    expect(")", "after 'fence('");
    if (scope.where != Where::Guard && scope.where != Where::Predicate)
      fail(place, "fence() may stand in the guard of a transition only");
    if (scope.where == Where::Guard && scope.actor == no_slot)
      fail(place, "fence() needs an acting process", "put the transition's parameter in brackets: ([p])");
    result = make(Formula::Kind::Fence, place);
  } else if (is("(") && !parenthesised_term()) {
    take();
    result = formula(scope);
    expect(")", "after a formula");
  } else {
    Predicate* predicate = nullptr;
    if (peek().kind == Token::Kind::Lower && is("(", 1))
      for (Predicate& p : predicates_)
        if (p.name == peek().text) predicate = &p;
    if (predicate == nullptr && peek().kind == Token::Kind::Lower && is("(", 1))
      fail(place, "there is no predicate '" + peek().text + "'");
    result = predicate != nullptr ? call(scope, *predicate) : comparison(scope);
  }
  --depth_;
  return result;
}

// Whether the parenthesis that opens here holds a term: an operator of terms or comparisons follows where it closes.
bool Parser::parenthesised_term() const {
  unsigned depth = 0;
  for (std::size_t i = 0; at_ + i < tokens_.size(); ++i) {
    if (is("(", i)) ++depth;
    if (is(")", i) && --depth == 0) {
      for (const char* sign : {"+", "-", "*", "=", "<>", "<", "<=", ">", ">="})
        if (is(sign, i + 1)) return true;
      return false;
    }
  }
  return false;
}

Slot Parser::bind(Scope& scope, const Token& word) {
  if (scope.slots->size() >= first_concrete) fail(word.place, "more than 16 process variables in one block");
  if (let_of(scope, word) != nullptr) fail(word.place, "'" + word.text + "' is the name of a value here");
  const auto slot = static_cast<Slot>(scope.slots->size());
  scope.slots->push_back(word.text);
  scope.processes.emplace_back(word.text, slot);
  return slot;
}

Formula Parser::quantifier(Scope& scope, bool universal, bool other) {
  const Token word = name(Token::Kind::Lower, "a process variable");
  const Formula::Kind kind = universal ? Formula::Kind::Forall : Formula::Kind::Exists;
  if (scope.where == Where::Body) fail(word.place, "quantifiers cannot stand in assignments");
  if (scope.where == Where::Init) fail(word.place, "init takes its processes as parameters, not by quantifiers");
  // `<>` is followed by processes that the variable differs from, or by further variables; all are pairwise different.
  std::vector<Token> names{word};
  std::vector<Slot> excluded;
  if (other) {
    excluded = scope.parameters;
  } else {
    while (accept("<>") || (!excluded.empty() && accept(","))) {
      if (peek().kind == Token::Kind::Concrete || is_process(scope, peek().text)) excluded.push_back(process(scope));
      else names.push_back(name(Token::Kind::Lower, "a process variable"));
    }
  }
  const std::size_t outer = scope.processes.size();
  std::vector<Slot> bound;
  for (const Token& n : names) bound.push_back(bind(scope, n));
  expect(".", "after a quantified variable");
  Formula body = formula(scope);
  scope.processes.resize(outer);
  if (quantified(body)) fail(word.place, "quantifiers cannot be nested");

  // fence() is moved out of the quantifier. All else stays inside: with no other process a universal guard holds.
  Formula outside = make(Formula::Kind::And, word.place);
  Formula inside = make(Formula::Kind::And, word.place);
  if (body.kind != Formula::Kind::And) body = make(Formula::Kind::And, word.place, {std::move(body)});
  for (Formula& c : body.children) (c.kind == Formula::Kind::Fence ? outside : inside).children.push_back(std::move(c));
  if (fenced(inside)) fail(word.place, "fence() may only be joined by &&");
  // The first variable is the outermost; each of the others differs from those before it.
  for (std::size_t i = bound.size(); i-- > 0;) {
    Formula here = make(kind, names[i].place, {std::move(inside)});
    here.bound = bound[i];
    here.excluded = excluded;
    here.excluded.insert(here.excluded.end(), bound.begin(), bound.begin() + static_cast<std::ptrdiff_t>(i));
    inside = std::move(here);
  }
  if (outside.children.empty()) return inside;
  outside.children.push_back(std::move(inside));
  return outside;
}

bool Parser::is_process(const Scope& scope, const std::string& word) {
  return std::any_of(scope.processes.begin(), scope.processes.end(), [&](const auto& p) { return p.first == word; });
}

// The body is parsed again with the predicate's names bound to the caller's processes and terms.
Formula Parser::call(Scope& scope, Predicate& predicate) {
  const Token word = take();
  predicate.used = true;
  expect("(", "after a predicate's name");
  std::vector<std::pair<std::string, Slot>> processes;
  std::vector<std::pair<std::string, Term>> terms;
  std::size_t count = 0;
  while (!accept(")")) {
    if (count < predicate.parameters.size()) {
      Term argument = sum(scope);
      if (argument.kind == Term::Kind::Process) processes.emplace_back(predicate.parameters[count], argument.process);
      else terms.emplace_back(predicate.parameters[count], std::move(argument));
    } else {
      sum(scope);
    }
    ++count;
    accept(",");
  }
  if (count != predicate.parameters.size())
    fail(word.place, "'" + word.text + "' takes " + std::to_string(predicate.parameters.size()) + " arguments, not " +
                         std::to_string(count));
  const std::size_t back = at_;
  at_ = predicate.body;
  std::swap(scope.processes, processes);
  std::swap(scope.lets, terms);
  Formula result = formula(scope);
  expect("}", "after the predicate's body");
  std::swap(scope.processes, processes);
  std::swap(scope.lets, terms);
  at_ = back;
  return result;
}

TypeId Parser::common_type(Term& a, Term& b, Place place) {
  const auto constant = [](const Term& t) { return t.kind == Term::Kind::Linear && t.monomials.empty(); };
  if (a.type == type_real && b.type == type_int && constant(b)) b.type = type_real;
  if (b.type == type_real && a.type == type_int && constant(a)) a.type = type_real;
  if (a.type != b.type)
    fail(place,
         "the two sides have different types: " + system_.types[a.type].name + " and " + system_.types[b.type].name);
  return a.type;
}

Formula Parser::comparison(Scope& scope) {
  Formula result = make(Formula::Kind::Atom, peek().place);
  Term left = sum(scope);
  const Token sign = peek();
  static constexpr std::string_view signs[] = {"=", "<>", "<", "<=", ">", ">="};
  std::size_t which = 6;
  for (std::size_t i = 0; i < 6; ++i)
    if (is(signs[i])) which = i;
  if (which == 6) {
    if (left.type != type_bool) fail(sign.place, "expected a comparison after this term");
    Term yes;
    yes.kind = Term::Kind::Constructor;
    yes.type = type_bool;
    yes.constructor = 1;
    result.terms = {std::move(left), std::move(yes)};
    return result;
  }
  take();
  Term right = sum(scope);
  const TypeId type = common_type(left, right, sign.place);
  if (which >= 2 && type != type_int && type != type_real && type != type_proc)
    fail(sign.place, "values of type " + system_.types[type].name + " are not ordered");
  if (which >= 2 && type == type_proc) system_.ordered = true;
  if (which >= 4) std::swap(left, right);
  static constexpr Compare ops[] = {Compare::Equal,     Compare::NotEqual, Compare::Less,
                                    Compare::LessEqual, Compare::Less,     Compare::LessEqual};
  result.op = ops[which];
  result.terms = {std::move(left), std::move(right)};
  return result;
}

namespace {

bool fits(std::int64_t n) { return n <= max_number && n >= -max_number; }

// a * x + y over rationals, or nothing if the numbers become too large.
bool scale_add(const Rational& a, const Rational& x, Rational& y) {
  const std::int64_t den = a.den * x.den;
  const std::int64_t num = a.num * x.num * y.den + y.num * den;
  const std::int64_t all = den * y.den;
  const std::int64_t g = std::gcd(num, all);
  y = g == 0 ? Rational{} : Rational{num / g, all / g};
  return fits(y.num) && y.den <= 10000;
}

bool same(const Access& a, const Access& b) {
  return a.symbol == b.symbol && a.args[0] == b.args[0] && a.args[1] == b.args[1] && a.viewer == b.viewer;
}

// into += factor * term; both are numeric.
bool add(Term& into, const Rational& factor, const Term& term) {
  if (!scale_add(factor, term.constant, into.constant)) return false;
  for (const Monomial& m : term.monomials) {
    Monomial* found = nullptr;
    for (Monomial& old : into.monomials)
      if (same(old.access, m.access)) found = &old;
    if (found == nullptr) {
      into.monomials.push_back({{0, 1}, m.access});
      found = &into.monomials.back();
    }
    if (!scale_add(factor, m.factor, found->factor)) return false;
  }
  std::erase_if(into.monomials, [](const Monomial& m) { return m.factor.num == 0; });
  return into.monomials.size() <= 6;
}

bool numeric(const Term& t) { return t.type == type_int || t.type == type_real; }

}  // namespace

Term Parser::sum(Scope& scope) {
  if (++depth_ > max_depth) fail(peek().place, "expressions are nested too deeply");
  const Place place = peek().place;
  Term result = product(scope);
  while (is("+") || is("-")) {
    const Token sign = take();
    Term right = product(scope);
    if (!numeric(result) || !numeric(right)) fail(sign.place, "only numbers can be added");
    common_type(result, right, sign.place);
    Term total;
    total.kind = Term::Kind::Linear;
    total.type = result.type;
    if (!add(total, {1, 1}, result) || !add(total, {sign.text == "+" ? 1 : -1, 1}, right))
      fail(sign.place, "this sum is too large");
    result = std::move(total);
  }
  result.place = place;
  --depth_;
  return result;
}

Term Parser::product(Scope& scope) {
  spend(peek().place);
  Term result = factor(scope);
  while (is("*")) {
    const Token sign = take();
    Term right = factor(scope);
    if (!numeric(result) || !numeric(right)) fail(sign.place, "only numbers can be multiplied");
    common_type(result, right, sign.place);
    if (!result.monomials.empty()) std::swap(result, right);
    if (!result.monomials.empty()) fail(sign.place, "a product of two variables is not linear");
    Term total;
    total.kind = Term::Kind::Linear;
    total.type = result.type;
    if (!add(total, result.constant, right)) fail(sign.place, "this product is too large");
    result = std::move(total);
  }
  return result;
}

Term Parser::number() {
  const Token token = take();
  Term result;
  result.place = token.place;
  std::string digits = token.text;
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) {
    result.type = type_real;
    for (std::size_t i = point + 1; i < digits.size(); ++i) result.constant.den *= (i - point <= 4 ? 10 : 1);
    if (digits.size() - point - 1 > 4) fail(token.place, "numbers have at most four decimals");
    digits.erase(point, 1);
  }
  if (digits.size() > 9) fail(token.place, "this number is too large");
  result.constant.num = std::stoll(digits);
  const std::int64_t g = std::gcd(result.constant.num, result.constant.den);
  if (g > 1) result.constant = {result.constant.num / g, result.constant.den / g};
  return result;
}

const Term* Parser::let_of(const Scope& scope, const Token& name) {
  if (name.kind != Token::Kind::Lower) return nullptr;
  for (std::size_t i = scope.lets.size(); i-- > 0;)
    if (scope.lets[i].first == name.text) return &scope.lets[i].second;
  return nullptr;
}

Slot Parser::process(Scope& scope) {
  const Token token = take();
  if (token.kind == Token::Kind::Concrete) {
    if (token.text.size() > 2 || std::stoul(token.text) < 1 || std::stoul(token.text) > max_concrete)
      fail(token.place, "processes are named #1 to #" + std::to_string(max_concrete));
    const auto k = static_cast<unsigned>(std::stoul(token.text));
    if (k > system_.concrete) {
      system_.concrete = k;
      greatest_ = token.place;
    }
    return static_cast<Slot>(first_concrete + k - 1);
  }
  if (const Term* let = let_of(scope, token)) {
    if (let->kind != Term::Kind::Process) fail(token.place, "'" + token.text + "' is a value, no process variable");
    return let->process;
  }
  if (token.kind == Token::Kind::Lower)
    for (std::size_t i = scope.processes.size(); i-- > 0;)
      if (scope.processes[i].first == token.text) return scope.processes[i].second;
  fail(token.place, "there is no process variable '" + token.text + "' here");
}

Term Parser::factor(Scope& scope) {
  if (++depth_ > max_depth) fail(peek().place, "expressions are nested too deeply");
  const Token token = peek();
  Term result;
  result.place = token.place;
  switch (token.kind) {
    case Token::Kind::Number: result = number(); break;
    case Token::Kind::Upper: {
      const auto c = constructors_.find(token.text);
      if (c == constructors_.end()) {
        result = access(scope, no_slot, token.place);
        break;
      }
      take();
      result.kind = Term::Kind::Constructor;
      result.type = c->second.first;
      result.constructor = c->second.second;
      break;
    }
    case Token::Kind::Lower:
    case Token::Kind::Concrete: {
      if (const Term* let = let_of(scope, token)) {
        take();
        result = *let;
        break;
      }
      const Slot slot = process(scope);
      if (accept("@")) {
        result = access(scope, slot, token.place);
        break;
      }
      result.kind = Term::Kind::Process;
      result.type = type_proc;
      result.process = slot;
      break;
    }
    default:
      if (accept("-")) {
        const Term inner = factor(scope);
        if (!numeric(inner)) fail(token.place, "only numbers have a sign");
        result.kind = Term::Kind::Linear;
        result.type = inner.type;
        if (!add(result, {-1, 1}, inner)) fail(token.place, "this number is too large");
      } else if (accept("(")) {
        result = sum(scope);
        expect(")", "after a term");
      } else {
        if (token.kind == Token::Kind::Error) fail(token.place, token.text);
        fail(token.place,
             "expected a term, found " + (token.kind == Token::Kind::End ? token.text : "'" + token.text + "'"));
      }
  }
  --depth_;
  return result;
}

Term Parser::access(Scope& scope, Slot viewer, Place viewer_place) {
  const Token word = name(Token::Kind::Upper, "the name of a variable or array");
  const auto it = symbols_.find(word.text);
  if (it == symbols_.end()) fail(word.place, "there is no variable or constructor '" + word.text + "'");
  const Symbol& symbol = system_.symbols[it->second];
  Term result;
  result.kind = symbol.type == type_int || symbol.type == type_real ? Term::Kind::Linear : Term::Kind::Access;
  result.type = symbol.type;
  result.place = word.place;
  Monomial m;
  m.factor = {1, 1};
  m.access.symbol = it->second;
  m.access.viewer = viewer;
  if (symbol.arity > 0) {
    expect("[", "after the array '" + word.text + "'");
    for (unsigned i = 0; i < symbol.arity; ++i) {
      if (i > 0) expect(",", "between two indices");
      m.access.args[i] = process(scope);
    }
    expect("]", "after the indices");
  }
  if (viewer != no_slot && !symbol.weak)
    fail(viewer_place, "'" + word.text + "' is not weak: all processes see the same");
  check_access(scope, symbol, m.access, word.place);
  result.monomials.push_back(m);
  return result;
}

// The access rules of weak systems (docs/formats.md).
void Parser::check_access(const Scope& scope, const Symbol& symbol, const Access& access, Place place) const {
  switch (scope.where) {
    case Where::Predicate: return;  // checked where it is used
    case Where::Init:
      if (access.viewer != no_slot)
        fail(place, "in init all processes see the same: write '" + symbol.name + "' without @");
      return;
    case Where::Bad:
      if (symbol.weak && access.viewer == no_slot)
        fail(place, "'" + symbol.name + "' is weak: say which process sees it", "for example p @ " + symbol.name);
      return;
    case Where::Guard:
    case Where::Body:
      if (access.viewer != no_slot)
        fail(place, "a transition reads weak names as its acting process: write '" + symbol.name + "' without @");
      if (symbol.weak && scope.actor == no_slot)
        fail(place, "the transition reads the weak '" + symbol.name + "', but has no acting process",
             "put its parameter in brackets: ([p])");
      if (system_.has_weak() && !symbol.weak && !symbol.constant && symbol.arity > 0 && access.args[0] != scope.actor)
        fail(place, "a process may only read its own cell of '" + symbol.name + "', which is not weak",
             scope.actor == no_slot ? "there is no acting process: put its parameter in brackets, ([p])" : "");
      return;
  }
}

}  // namespace heddle::cubicle
