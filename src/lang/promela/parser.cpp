// SPDX-License-Identifier: Apache-2.0
#include "lang/promela/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/promela/parser_state.h"

namespace heddle::promela {
namespace {

struct Unsupported {
  std::string_view word, instead;
};

// Features of SPIN that are refused by name.
constexpr std::array unsupported{Unsupported{"unless", "take the escape apart into guards"},
                                 Unsupported{"provided", "put the condition before each statement"},
                                 Unsupported{"priority", "processes have no priorities"},
                                 Unsupported{"trace", "check it with a process or an LTL formula"},
                                 Unsupported{"notrace", "check it with a process or an LTL formula"},
                                 Unsupported{"c_code", "write it in Promela"},
                                 Unsupported{"c_expr", "write it in Promela"},
                                 Unsupported{"c_decl", "write it in Promela"},
                                 Unsupported{"c_state", "write it in Promela"},
                                 Unsupported{"c_track", "write it in Promela"},
                                 Unsupported{"enabled", "say it with the guards themselves"},
                                 Unsupported{"pc_value", "use a label: P[1]@label"},
                                 Unsupported{"np_", "progress is not checked"},
                                 Unsupported{"_last", "write a variable instead"},
                                 Unsupported{"_priority", "processes have no priorities"},
                                 Unsupported{"get_priority", "processes have no priorities"},
                                 Unsupported{"set_priority", "processes have no priorities"},
                                 Unsupported{"STDIN", "choose the value: select (x : 0 .. 9)"}};

struct BaseName {
  std::string_view word;
  Base base;
};
constexpr std::array base_names{
    BaseName{"bit", Base::Bit},     BaseName{"bool", Base::Bool}, BaseName{"byte", Base::Byte},
    BaseName{"short", Base::Short}, BaseName{"int", Base::Int},   BaseName{"mtype", Base::Mtype},
    BaseName{"pid", Base::Pid},     BaseName{"chan", Base::Chan}, BaseName{"unsigned", Base::Unsigned}};

constexpr std::array<std::string_view, 3> visibility{"hidden", "show", "local"};
constexpr std::array<std::string_view, 30> reserved{
    "if",   "fi",    "do",     "od",       "atomic", "d_step",  "goto",  "break", "else",   "skip",
    "run",  "init",  "active", "proctype", "inline", "typedef", "never", "ltl",   "assert", "printf",
    "true", "false", "len",    "eval",     "of",     "bit",     "bool",  "byte",  "chan",   "int"};

constexpr std::uint32_t most_cells = 1U << 20, most_messages = 1U << 12, most_processes = 255;

}  // namespace

Parser::Parser(Model& model, Source& source) : model_(model), source_(source), tokens_(tokens_of(source)), scopes_(1) {
  for (const std::uint32_t g : model.globals) scopes_[0].emplace(model.symbols[g].name, g);
}

void Parser::fail(const Token& at, std::string message, std::string hint) const {
  mistake(source_, at, std::move(message), std::move(hint));
}

void Parser::expect(std::string_view s, std::string_view where) {
  if (!accept(s)) fail(fmt::format("`{}` is expected {}, not {}", s, where, describe(source_, token())));
}

std::string Parser::name(std::string_view what) {
  const Token at = token();
  if (at.kind != Tok::Name || std::ranges::find(reserved, text(at)) != reserved.end())
    fail(fmt::format("the name of {} is expected here, not {}", what, describe(source_, at)));
  next();
  return std::string(text(at));
}

void Parser::refuse_unsupported() const {
  if (token().kind != Tok::Name) return;
  const auto found = std::ranges::find_if(unsupported, [&](const Unsupported& u) { return is(u.word); });
  if (found != unsupported.end() && find(std::string(found->word)) == none)
    fail(fmt::format("`{}` is not supported", found->word), std::string(found->instead));
}

std::uint32_t Parser::find(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  return none;
}

std::uint32_t Parser::add_symbol(Symbol symbol, std::vector<std::uint32_t>& symbols) {
  const auto number = static_cast<std::uint32_t>(model_.symbols.size());
  if (!scopes_.back().emplace(symbol.name, number).second || (proctype_ == none && model_.mtypes.contains(symbol.name)))
    fail(symbol.token, fmt::format("`{}` is declared twice", symbol.name));
  symbol.proctype = proctype_;
  model_.symbols.push_back(std::move(symbol));
  symbols.push_back(number);
  return number;
}

void Parser::model() {
  while (token().kind != Tok::End) {
    if (accept(";")) continue;
    refuse_unsupported();
    const Token at = token();
    if (is("mtype") && (is(ahead(), "=") || is(ahead(), "{") || is(ahead(), ":"))) mtype_declaration();
    else if (is("typedef")) structure();
    else if (is("inline")) inline_definition();
    else if (is("ltl")) formula();
    else if (is("never")) never();
    else if (is("proctype")) proctype(0);
    else if (is("init")) proctype(1);
    else if (accept("active")) {
      std::int32_t count = 1;
      if (accept("[")) {
        count = constant("the number of processes");
        expect("]", "behind the number of processes");
      }
      if (count < 1 || count > static_cast<std::int32_t>(most_processes))
        fail(at, fmt::format("there are 1 to {} processes", most_processes));
      if (!is("proctype")) fail("`proctype` is expected behind `active`");
      proctype(static_cast<std::uint32_t>(count));
    } else if (starts_declaration()) declaration(model_.globals, nullptr);
    else fail(fmt::format("a declaration or a proctype is expected here, not {}", describe(source_, at)));
  }
  const auto runs = [](const Proctype& p) { return p.active != 0; };
  if (std::ranges::none_of(model_.proctypes, runs))
    fail("no process runs", "a model has an `init` or an `active proctype`");
}

// mtype = { a, b }: numbered from 1, the last first, after those of earlier declarations; so is each mtype:set = { … }.
void Parser::mtype_declaration() {
  next();
  std::int32_t& before = mtype_counts_[accept(":") ? name("a set of names") : std::string()];
  accept("=");
  expect("{", "before the names of an mtype");
  std::vector<std::pair<std::string, Token>> names;
  do {
    const Token at = token();
    names.emplace_back(name("an mtype"), at);
  } while (accept(",") || (token().kind == Tok::Name));
  expect("}", "behind the names of an mtype");
  const auto count = static_cast<std::int32_t>(names.size());
  if (before + count > 255) fail(names.front().second, "there are at most 255 mtypes");
  for (std::int32_t i = 0; i < count; ++i) {
    const auto& [spelled, at] = names[static_cast<std::size_t>(i)];
    if (find(spelled) != none || !model_.mtypes.emplace(spelled, before + count - i).second)
      fail(at, fmt::format("`{}` is declared twice", spelled));
  }
  before += count;
}

void Parser::structure() {
  next();
  Structure s;
  const Token at = token();
  s.name = name("a type");
  if (std::ranges::any_of(model_.structures, [&](const Structure& t) { return t.name == s.name; }))
    fail(at, fmt::format("`{}` is declared twice", s.name));
  expect("{", "behind the name of the type");
  scopes_.emplace_back();
  std::vector<std::uint32_t> fields;
  while (!is("}")) {
    if (accept(";")) continue;
    if (!starts_declaration()) fail(fmt::format("a field is expected here, not {}", describe(source_, token())));
    declaration(fields, nullptr);
  }
  next();
  scopes_.pop_back();
  for (const std::uint32_t f : fields) {
    if (model_.symbols[f].channel) fail(model_.symbols[f].token, "a channel inside a typedef is not supported");
    s.fields.push_back(model_.symbols[f]);
  }
  if (s.fields.empty()) fail(at, fmt::format("`{}` has no field", s.name));
  model_.structures.push_back(std::move(s));
}

void Parser::inline_definition() {
  next();
  const Token at = token();
  const std::string called = name("an inline");
  Inline definition;
  expect("(", "behind the name of the inline");
  while (!is(")")) {
    definition.parameters.push_back(name("a parameter"));
    if (!accept(",") && !is(")")) fail("`,` or `)` is expected between parameters");
  }
  next();
  if (!is("{")) fail("`{` is expected before the body of an inline");
  unsigned open = 0;
  do {
    if (token().kind == Tok::End) fail(at, fmt::format("the body of `{}` has no end", called));
    open += is("{");
    open -= is("}");
    definition.body.push_back(token());
    next();
  } while (open != 0);
  if (!inlines_.emplace(called, std::move(definition)).second) fail(at, fmt::format("`{}` is declared twice", called));
}

// ltl name { formula }: the formula is kept as text.
void Parser::formula() {
  Formula f;
  f.token = token();
  next();
  if (token().kind == Tok::Name) f.name = name("a formula");
  expect("{", "before the formula");
  const Token first = token();
  Token last = first;
  for (unsigned open = 1;; next()) {
    if (token().kind == Tok::End) fail(f.token, "this formula has no end");
    open += is("{");
    open -= is("}");
    if (open == 0) break;
    last = token();
  }
  next();
  f.text = one_line(source_, first, last, std::string::npos);
  model_.formulas.push_back(std::move(f));
}

void Parser::never() {
  Proctype p;
  p.token = token();
  p.name = "never";
  p.claim = true;
  next();
  if (std::ranges::any_of(model_.proctypes, [](const Proctype& q) { return q.claim; }))
    fail(p.token, "there is more than one never claim");
  if (token().kind == Tok::Name) p.name = name("a claim");
  proctype_ = static_cast<std::uint32_t>(model_.proctypes.size());
  scopes_.emplace_back();
  locals_ = &p.locals;
  expect("{", "before the body of the claim");
  p.body = sequence("}", true);
  next();
  scopes_.pop_back();
  proctype_ = none;
  model_.proctypes.push_back(std::move(p));
}

void Parser::proctype(std::uint32_t active) {
  Proctype p;
  p.active = active;
  const bool init = is("init");
  p.token = token();
  next();
  p.name = "init";
  proctype_ = static_cast<std::uint32_t>(model_.proctypes.size());
  scopes_.emplace_back();
  if (!init) {
    p.token = token();
    p.name = name("a proctype");
    expect("(", "behind the name of the proctype");
    while (!is(")")) {
      if (accept(";") || accept(",")) continue;
      if (!starts_declaration()) fail(fmt::format("a parameter is expected here, not {}", describe(source_, token())));
      const std::size_t before = p.parameters.size();
      declaration(p.parameters, nullptr);
      for (std::size_t i = before; i < p.parameters.size(); ++i) {
        Symbol& symbol = model_.symbols[p.parameters[i]];
        symbol.parameter = symbol.assigned = true;
        if (symbol.array || symbol.type.base == Base::Structure || !symbol.initial.empty() || symbol.channel)
          fail(symbol.token, "a parameter is a scalar without an initial value");
      }
    }
    next();
  }
  if (std::ranges::any_of(model_.proctypes, [&](const Proctype& q) { return q.name == p.name; }))
    fail(p.token, fmt::format("`{}` is declared twice", p.name));
  refuse_unsupported();
  p.locals = p.parameters;
  locals_ = &p.locals;
  expect("{", "before the body of the proctype");
  p.body = sequence("}", true);
  next();
  scopes_.pop_back();
  proctype_ = none;
  model_.proctypes.push_back(std::move(p));
}

bool Parser::starts_declaration() const {
  if (token().kind != Tok::Name) return false;
  const std::string_view word = text(token());
  if (std::ranges::find(visibility, word) != visibility.end() && ahead().kind == Tok::Name) return true;
  if ((word == "xr" || word == "xs") && ahead().kind == Tok::Name) return true;
  return std::ranges::any_of(base_names, [&](const BaseName& b) { return b.word == word; }) ||
         (ahead().kind == Tok::Name &&
          std::ranges::any_of(model_.structures, [&](const Structure& s) { return s.name == word; }));
}

TypeName Parser::type_name() {
  const std::string_view word = text(token());
  TypeName type;
  if (const auto base = std::ranges::find_if(base_names, [&](const BaseName& b) { return b.word == word; });
      base != base_names.end()) {
    type.base = base->base;
    next();
    if (type.base == Base::Mtype && accept(":")) name("a set of names");
    return type;
  }
  const auto found = std::ranges::find_if(model_.structures, [&](const Structure& s) { return s.name == word; });
  if (found == model_.structures.end())
    fail(fmt::format("a type is expected here, not {}", describe(source_, token())));
  next();
  type.base = Base::Structure;
  type.structure = static_cast<std::uint32_t>(found - model_.structures.begin());
  return type;
}

// Numbers, names of an mtype, + - * / % and brackets.
std::int32_t Parser::constant(std::string_view what) {
  const Nesting nesting(*this);
  std::int32_t sum = constant_product(what);
  for (Token at = token(); at.kind == Tok::Punctuation && (text(at) == "+" || text(at) == "-"); at = token()) {
    const bool minus = text(at) == "-";
    next();
    const std::int64_t value = constant_product(what);
    sum = folded(at, minus ? sum - value : sum + value);
  }
  return sum;
}

std::int32_t Parser::folded(const Token& at, std::int64_t value) const {
  if (value < INT32_MIN || value > INT32_MAX) fail(at, "this number is too large");
  return static_cast<std::int32_t>(value);
}

std::int32_t Parser::constant_product(std::string_view what) {
  std::int32_t product = constant_factor(what);
  for (Token at = token(); at.kind == Tok::Punctuation && (text(at) == "*" || text(at) == "/" || text(at) == "%");
       at = token()) {
    const char op = text(at)[0];
    next();
    const std::int64_t value = constant_factor(what);
    if (op != '*' && value == 0) fail(at, "this divides by zero");
    product = folded(at, op == '*' ? product * value : op == '/' ? product / value : product % value);
  }
  return product;
}

std::int32_t Parser::constant_factor(std::string_view what) {
  const Nesting nesting(*this);
  const Token at = token();
  if (accept("-")) return folded(at, -std::int64_t{constant_factor(what)});
  if (accept("(")) {
    const std::int32_t value = constant(what);
    expect(")", "behind a number in brackets");
    return value;
  }
  std::int32_t value = 0;
  if (token().kind == Tok::Number) value = token().number;
  else if (const auto m = model_.mtypes.find(std::string(text(token()))); m != model_.mtypes.end()) value = m->second;
  else fail(at, fmt::format("{} is a number", what));
  next();
  return value;
}

void Parser::channel_shape(Symbol& symbol) {
  if (symbol.type.base != Base::Chan) fail("only a `chan` is initialised with a channel");
  expect("[", "before the capacity of a channel");
  const Token at = token();
  const std::int32_t capacity = constant("the capacity of a channel");
  if (capacity < 0 || capacity > static_cast<std::int32_t>(most_messages))
    fail(at, fmt::format("a channel holds 0 to {} messages", most_messages));
  expect("]", "behind the capacity of a channel");
  expect("of", "behind the capacity of a channel");
  expect("{", "before the types of a message");
  ChannelShape shape;
  shape.capacity = static_cast<std::uint32_t>(capacity);
  do {
    shape.fields.push_back(type_name());
    if (shape.fields.back().base == Base::Unsigned) fail("an unsigned item of a message is not supported", "use int");
  } while (accept(","));
  expect("}", "behind the types of a message");
  symbol.channel = std::move(shape);
}

void Parser::declarator(Symbol& symbol) {
  symbol.token = token();
  symbol.name = name("a variable");
  if (symbol.type.base == Base::Unsigned) {
    expect(":", "behind an unsigned variable, before its number of bits");
    const std::int32_t bits = constant("the number of bits");
    if (bits < 1 || bits > 31) fail(symbol.token, "an unsigned variable has 1 to 31 bits");
    symbol.type.bits = static_cast<unsigned>(bits);
  }
  if (accept("[")) {
    const std::int32_t length = constant("the length of an array");
    if (length < 1 || length > static_cast<std::int32_t>(most_cells))
      fail(symbol.token, fmt::format("an array has 1 to {} cells", most_cells));
    symbol.array = true;
    symbol.length = static_cast<std::uint32_t>(length);
    expect("]", "behind the length of the array");
  }
  if (!accept("=")) return;
  if (is("[")) return channel_shape(symbol);
  if (symbol.type.base == Base::Structure) fail(symbol.token, "a structure has no initial value of its own");
  if (accept("{")) {
    symbol.listed = true;
    do symbol.initial.push_back(expression());
    while (accept(","));
    expect("}", "behind the initial values");
    if (!symbol.array || symbol.initial.size() > symbol.length)
      fail(symbol.token, "there are more initial values than cells");
  } else {
    symbol.initial.push_back(expression());
  }
}

void Parser::declaration(std::vector<std::uint32_t>& symbols, Sequence* statements) {
  if (is("xr") || is("xs")) {  // a promise about who uses a channel: nothing depends on it here
    do {
      next();
      reference(false);
    } while (is(","));
    return;
  }
  while (std::ranges::find(visibility, text(token())) != visibility.end()) next();
  const TypeName type = type_name();
  do {
    Symbol symbol;
    symbol.type = type;
    declarator(symbol);
    if (statements != nullptr && !symbol.channel) {
      if (symbol.array && !symbol.initial.empty())
        fail(symbol.token, "an array is given initial values only before the first statement of a body");
      const Token at = symbol.token;
      const bool structure = symbol.type.base == Base::Structure;
      Node value = symbol.initial.empty() ? number(structure ? 1 : 0, at) : std::move(symbol.initial.front());
      symbol.initial.clear();
      symbol.assigned = true;
      Reference r;
      r.parts.push_back({symbol.name, {}, at});
      if (symbol.array) r.parts.front().index.push_back(number(0, at));
      r.symbol = add_symbol(std::move(symbol), symbols);
      statements->push_back(structure ? condition_of(std::move(value), at) : assignment(r, std::move(value), at));
      statements->back().last = tokens_[at_ - 1];
    } else {
      add_symbol(std::move(symbol), symbols);
    }
  } while (accept(","));
}

Model parse_model(Source source) {
  Model model;
  model.source = std::move(source);
  Parser(model, model.source).model();
  return model;
}

Node parse_condition(const Model& model, Source& condition) {
  Model names;  // the parser marks what is assigned; a condition assigns nothing
  names.symbols = model.symbols;
  names.globals = model.globals;
  names.structures = model.structures;
  names.mtypes = model.mtypes;
  return Parser(names, condition).condition();
}

}  // namespace heddle::promela
