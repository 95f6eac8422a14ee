// SPDX-License-Identifier: Apache-2.0
#include "lang/dve/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ir/build.h"

namespace heddle::dve {

namespace {

// Number of letters to insert, drop or change.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

const char* kind_name(Symbol::Kind kind) {
  switch (kind) {
    case Symbol::Kind::Variable: return "a variable";
    case Symbol::Kind::Constant: return "a constant";
    case Symbol::Kind::Channel: return "a channel";
    case Symbol::Kind::Process: return "a process";
  }
  return "";
}

}  // namespace

void Names::import() {
  for (std::uint32_t i = 0; i < program_.processes.size(); ++i) {
    locals_.emplace_back();
    states_.emplace_back();
    globals_[program_.processes[i].name] = {Symbol::Kind::Process, i, 0};
    for (std::uint32_t s = 0; s < program_.processes[i].states.size(); ++s)
      states_[i][program_.processes[i].states[s].name] = s;
  }
  const auto put = [&](std::uint32_t process, const std::string& name, Symbol symbol) {
    (process == ir::none ? globals_ : locals_[process])[name] = symbol;
  };
  for (std::uint32_t i = 0; i < program_.channels.size(); ++i)
    put(ir::none, program_.channels[i].name, {Symbol::Kind::Channel, i, 0});
  for (const ir::Constant& c : program_.constants_named) put(c.process, c.name, {Symbol::Kind::Constant, 0, c.value});
  for (std::uint32_t i = 0; i < program_.variables.size(); ++i) {
    put(program_.variables[i].process, program_.variables[i].name, {Symbol::Kind::Variable, i, 0});
  }
}

void Names::declare(std::uint32_t process, const Token& token, Symbol symbol) {
  if (symbol.kind == Symbol::Kind::Process) {
    locals_.resize(std::max<std::size_t>(locals_.size(), symbol.number + 1));
    states_.resize(locals_.size());
  }
  Scope& scope = process == ir::none ? globals_ : locals_[process];
  const auto [at, fresh] = scope.try_emplace(std::string(text_of(source_, token)), symbol);
  if (!fresh) mistake(source_, token, fmt::format("`{}` is already {} here", at->first, kind_name(at->second.kind)));
}

void Names::declare_state(std::uint32_t process, const Token& token, std::uint32_t number) {
  if (!states_[process].try_emplace(std::string(text_of(source_, token)), number).second) {
    mistake(source_, token, fmt::format("state `{}` is declared twice", text_of(source_, token)));
  }
}

void Names::unknown(std::uint32_t process, const Token& token, const char* what) const {
  const bool wants_process = std::string_view(what) == "process";
  const std::string wanted(text_of(source_, token));
  std::string best;
  std::size_t least = std::min<std::size_t>(3, (wanted.size() + 1) / 2 + 1);
  const auto offer = [&](const std::string& name) {
    const std::size_t d = wanted.size() > 100 || name.size() > 100 ? 100 : distance(wanted, name);
    if (d < least || (d == least && !best.empty() && name < best)) {
      least = d;
      best = name;
    }
  };
  for (const auto& [name, symbol] : globals_)
    if ((symbol.kind == Symbol::Kind::Process) == wants_process) offer(name);
  if (process < locals_.size()) {
    for (const auto& [name, symbol] : locals_[process]) offer(name);
  }
  for (std::size_t p = 0; p < locals_.size() && !wants_process; ++p)  // a process's own, without its process
    if (locals_[p].contains(wanted)) best = fmt::format("{}->{}", program_.processes[p].name, wanted);
  mistake(source_, token, fmt::format("there is no {} `{}`", what, wanted.substr(0, 80)),
          best.empty() ? "" : fmt::format("did you mean `{}`?", best));
}

Symbol Names::find(std::uint32_t process, const Token& token, const char* what) const {
  const std::string name(text_of(source_, token));
  if (process < locals_.size()) {
    if (const auto found = locals_[process].find(name); found != locals_[process].end()) return found->second;
  }
  if (const auto found = globals_.find(name); found != globals_.end()) return found->second;
  unknown(process, token, what);
}

std::uint32_t Names::state(std::uint32_t process, const Token& token) const {
  const std::string name(text_of(source_, token));
  if (const auto found = states_[process].find(name); found != states_[process].end()) return found->second;
  mistake(source_, token,
          fmt::format("process `{}` has no state `{}`", program_.processes[process].name, name.substr(0, 80)));
}

std::uint32_t Names::process(const Token& token) const {
  const auto found = globals_.find(std::string(text_of(source_, token)));
  if (found == globals_.end()) unknown(ir::none, token, "process");
  if (found->second.kind != Symbol::Kind::Process) {
    mistake(source_, token, fmt::format("`{}` is {}, not a process", found->first, kind_name(found->second.kind)));
  }
  return found->second.number;
}

core::Site Names::site(const Token& token, std::uint32_t process) const {
  core::SourcePlace place;
  place.file = source_.file;
  place.line = source_.line(token);
  place.column = source_.column(token);
  if (process != ir::none) place.function = program_.processes[process].name;
  return ir::add_site(program_, std::move(place));
}

const Token& Names::first_token(Node node) const {
  const SyntaxExpr* e = &syntax_.nodes[node];
  while (e->kind == SyntaxExpr::Kind::Binary) e = &syntax_.nodes[e->left];
  return e->kind == SyntaxExpr::Kind::State || e->foreign ? e->process : e->token;
}

ir::ExprId Names::name(std::uint32_t scope, const SyntaxExpr& e) const {
  Symbol symbol{};
  if (e.foreign) {
    const std::uint32_t owner = process(e.process);
    const std::string text(text_of(source_, e.token));
    const auto found = locals_[owner].find(text);
    if (found == locals_[owner].end()) {
      mistake(source_, e.token,
              fmt::format("process `{}` has no variable `{}`", program_.processes[owner].name, text.substr(0, 80)));
    }
    symbol = found->second;
  } else {
    symbol = find(scope, e.token);
  }
  const std::string_view text = text_of(source_, e.token);
  if (symbol.kind == Symbol::Kind::Constant) {
    if (e.left != no_node) mistake(source_, e.token, fmt::format("`{}` is no array", text));
    return ir::make_const(program_, symbol.value);
  }
  if (symbol.kind == Symbol::Kind::Process) {
    mistake(source_, e.token, fmt::format("`{}` is a process, not a variable", text),
            "write `P.state` or `P->variable`");
  }
  if (symbol.kind == Symbol::Kind::Channel)
    mistake(source_, e.token, fmt::format("`{}` is a channel, not a variable", text));
  const bool array = program_.variables[symbol.number].array;
  if (!array && e.left != no_node) mistake(source_, e.token, fmt::format("`{}` is no array", text));
  if (!array) return ir::make_var(program_, symbol.number);
  // The index of P->x[e] is the reader's expression, not the owner's. An array's name alone is its first element.
  const ir::ExprId index = e.left != no_node ? lower(scope, e.left) : ir::make_const(program_, 0);
  const ir::Variable& v = program_.variables[symbol.number];
  if (const ir::Expr& i = program_.expr(index);
      v.constant && i.op == ir::Op::Const && i.value >= 0 && static_cast<std::uint32_t>(i.value) < v.length) {
    return ir::make_const(program_, v.initial[static_cast<std::uint32_t>(i.value)]);
  }
  return ir::make_index(program_, symbol.number, index, site(e.token, scope));
}

ir::ExprId Names::lower(std::uint32_t scope, Node node) const {
  const SyntaxExpr& e = syntax_.nodes[node];
  switch (e.kind) {
    case SyntaxExpr::Kind::Number: return ir::make_const(program_, e.token.number);
    case SyntaxExpr::Kind::Name: return name(scope, e);
    case SyntaxExpr::Kind::State: {
      const std::uint32_t owner = process(e.process);
      return ir::make_in_state(program_, owner, state(owner, e.token));
    }
    case SyntaxExpr::Kind::Unary: return ir::make_unary(program_, e.op, lower(scope, e.left));
    case SyntaxExpr::Kind::Binary: break;
  }
  const ir::ExprId left = lower(scope, e.left), right = lower(scope, e.right);
  const bool divides = e.op == ir::Op::Div || e.op == ir::Op::Mod;
  return ir::make_binary(program_, e.op, left, right, divides ? site(e.token, scope) : core::no_site);
}

std::int32_t Names::constant(std::uint32_t scope, Node node, const char* what) const {
  const ir::Expr& e = program_.expr(lower(scope, node));
  if (e.op != ir::Op::Const)
    mistake(source_, first_token(node), fmt::format("{} has to be a constant", what),
            "neither variables nor a division by zero may be in it");
  return e.value;
}

ir::Assignment Names::target(std::uint32_t scope, const Token& token, Node index) const {
  const Symbol symbol = find(scope, token);
  const std::string_view text = text_of(source_, token);
  const bool constant = symbol.kind == Symbol::Kind::Constant ||
                        (symbol.kind == Symbol::Kind::Variable && program_.variables[symbol.number].constant);
  if (constant) mistake(source_, token, fmt::format("`{}` is a constant and cannot be assigned to", text));
  if (symbol.kind != Symbol::Kind::Variable)
    mistake(source_, token, fmt::format("`{}` is {}, not a variable", text, kind_name(symbol.kind)));
  const bool array = program_.variables[symbol.number].array;
  if (!array && index != no_node) mistake(source_, token, fmt::format("`{}` is no array", text));
  ir::Assignment a;
  a.var = symbol.number;
  if (array) a.index = index != no_node ? lower(scope, index) : ir::make_const(program_, 0);
  a.site = site(token, scope);
  return a;
}

}  // namespace heddle::dve
