// Parses and lowers in one pass: a statement becomes edges between the state before it and the state behind it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/input.h"
#include "ir/build.h"
#include "lang/rmm/lexer.h"
#include "lang/rmm/rmm.h"

namespace heddle::rmm {
namespace {

using ir::ExprId;

constexpr unsigned max_nesting = 200;
constexpr std::int32_t most_copies = 32;

struct Datum {
  std::string name;
  std::optional<std::int32_t> initial;  // none: any value of the domain
  std::int32_t low = 0, high = 0;
  Token token;
};

class Parser {
 public:
  explicit Parser(const Source& source) : source_(source), tokens_(without_macros(source, tokens_of(source))) {
    p_.name = source.file;
  }

  Loaded run() {
    if (!is("forbidden")) fail("a program begins with `forbidden`");
    next();
    std::vector<std::vector<Token>> forbidden;
    do {
      std::vector<Token> row;
      while ((token().kind == Token::Kind::Name && !heading()) || is("*")) {
        row.push_back(token());
        next();
      }
      if (!row.empty()) forbidden.push_back(std::move(row));
    } while (accept(";"));
    if (is("predicates"))
      while (!is("data") && !is("process") && token().kind != Token::Kind::End) next();
    if (accept("data"))
      for (const Datum& d : data()) shared(d, 1);
    if (!is("process")) fail("`process` is expected here");
    while (is("process")) process();
    if (token().kind != Token::Kind::End) fail("`process` or the end of the text is expected here");
    choose_initial_values();
    if (std::ranges::any_of(p_.edges, &ir::Edge::holds)) {
      p_.holder = add_variable("atomic", ir::none, 0, 1);
      p_.variables[p_.holder].hidden = true;
    }
    const ExprId bad = condition_of(forbidden);
    p_.propositions.push_back({"a forbidden combination of labels", bad});
    ir::finish(p_);
    return {std::move(p_), 0};
  }

 private:
  struct Copy {  // of the process that is being read
    std::uint32_t process = 0, number = 0, count = 1;
    std::map<std::string, std::uint32_t> registers;
    std::map<std::string, std::uint32_t> labels;
    std::map<std::string, Token> wanted;
    std::map<std::string, std::uint32_t> sections;  // by label: the section in which it stands
    struct Jump {
      Token label;
      std::uint32_t edge, section;
    };
    std::vector<Jump> jumps;
  };

  const Token& token() const { return tokens_[at_]; }
  const Token& ahead(std::size_t n = 1) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
  bool is(std::string_view s) const { return token().text == s; }
  void next() {
    if (at_ + 1 < tokens_.size()) ++at_;
  }
  bool accept(std::string_view s) {
    if (!is(s)) return false;
    next();
    return true;
  }
  void expect(std::string_view s) {
    if (!accept(s)) fail(fmt::format("`{}` is expected here", s));
  }
  [[noreturn]] void fail(std::string message, std::string hint = {}) const {
    mistake(source_, token(), std::move(message), std::move(hint));
  }
  bool heading() const { return is("predicates") || is("data") || is("process") || is("registers") || is("text"); }

  std::int32_t integer() {
    const bool minus = accept("-");
    if (token().kind != Token::Kind::Number) fail("a number is expected here");
    const std::int32_t value = token().number;
    next();
    return minus ? -value : value;
  }

  std::vector<Datum> data() {
    std::vector<Datum> list;
    while (token().kind == Token::Kind::Name && !heading()) {
      Datum d;
      d.token = token();
      d.name = std::string(token().text);
      next();
      expect("=");
      if (!accept("*")) d.initial = integer();
      d.low = d.high = d.initial.value_or(0);
      if (accept(":")) {
        if (accept("[")) {
          d.low = integer();
          expect(":");
          d.high = integer();
          expect("]");
          if (d.low > d.high || std::int64_t{d.high} - d.low > 255)
            mistake(source_, d.token, "a domain has 1 to 256 values");
        } else if (token().text == "Z") {
          next();
          if (!d.initial) mistake(source_, d.token, "any value of Z is not supported", "give a domain [0:1]");
        } else {
          fail("a domain [low:high] or Z is expected here");
        }
      } else if (!d.initial) {
        mistake(source_, d.token, "`*` needs a domain [low:high]");
      }
      list.push_back(std::move(d));
      accept(";");
    }
    return list;
  }

  std::uint32_t add_variable(const std::string& name, std::uint32_t process, std::int32_t initial,
                             std::uint32_t cells) {
    ir::Variable v;
    v.name = name;
    v.process = process;
    v.type = ir::Type::Int;
    v.array = cells != 1;
    v.length = cells;
    v.initial.assign(cells, initial);
    p_.variables.push_back(std::move(v));
    const auto number = static_cast<std::uint32_t>(p_.variables.size() - 1);
    if (process != ir::none) p_.processes[process].locals.push_back(number);
    return number;
  }

  void shared(const Datum& d, std::uint32_t cells) {
    const std::uint32_t v = add_variable(d.name, ir::none, d.initial.value_or(d.low), cells);
    if (!data_.emplace(d.name, v).second) mistake(source_, d.token, fmt::format("`{}` stands twice", d.name));
    if (cells != 1) block_of_[v] = blocks_.size();
    if (!d.initial) open_.emplace_back(d, v);
  }

  // A process block: its text is read once for each copy.
  void process() {
    const Token at = token();
    next();
    std::int32_t copies = 1;
    if (accept("(")) {
      copies = integer();
      expect(")");
    }
    if (copies < 1 || copies > most_copies) mistake(source_, at, fmt::format("there are 1 to {} copies", most_copies));
    if (accept("data"))
      for (const Datum& d : data()) shared(d, static_cast<std::uint32_t>(copies));
    std::vector<Datum> registers;
    if (accept("registers")) registers = data();
    expect("text");
    const std::size_t start = at_;
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(copies); ++k) {
      at_ = start;
      read_copy(k, static_cast<std::uint32_t>(copies), registers);
    }
    blocks_.push_back(static_cast<std::uint32_t>(copies));
  }

  void read_copy(std::uint32_t k, std::uint32_t copies, const std::vector<Datum>& registers) {
    copy_ = {};
    shared_.clear();
    copy_.process = static_cast<std::uint32_t>(p_.processes.size());
    copy_.number = k;
    copy_.count = copies;
    p_.processes.emplace_back();
    p_.processes.back().name = fmt::format("P{}", copy_.process);
    state("start");
    std::uint32_t begin = 0;
    for (const Datum& r : registers) {
      const std::uint32_t variable = add_variable(r.name, copy_.process, r.initial.value_or(r.low), 1);
      if (!copy_.registers.emplace(r.name, variable).second)
        mistake(source_, r.token, fmt::format("`{}` stands twice", r.name));
      if (r.initial) continue;
      const std::uint32_t chosen = state("");
      for (std::int32_t v = r.low; v <= r.high; ++v) {
        ir::Edge e = edge(begin, chosen, r.token);
        e.effects.push_back(assign(variable, ir::no_expr, ir::make_const(p_, v)));
        add(std::move(e));
      }
      begin = chosen;
    }
    starts_.push_back(copy_.process);
    const std::uint32_t end = state("end");
    sequence(begin, end);
    p_.processes[copy_.process].states[end].end = true;
    for (const auto& [name, at] : copy_.wanted)
      if (!copy_.sections.contains(name)) mistake(source_, at, fmt::format("there is no label `{}`", name));
    for (const Copy::Jump& jump : copy_.jumps) {
      const std::uint32_t to = copy_.sections.at(std::string(jump.label.text));
      if (to != 0 && to != jump.section) mistake(source_, jump.label, "this leads into a locked section");
      if (to == 0) p_.edges[jump.edge].holds = false;
    }
    labels_.push_back(std::move(copy_.labels));
  }

  // The number of the locked section that is being read; 0: none.
  std::uint32_t section() const { return inside_ == ir::none ? 0 : section_; }

  std::uint32_t state(const std::string& name) {
    auto& states = p_.processes[copy_.process].states;
    ir::ControlState s;
    s.name = name.empty() ? fmt::format("line {}", token().line) : name;
    states.push_back(std::move(s));
    return static_cast<std::uint32_t>(states.size() - 1);
  }

  ir::Edge edge(std::uint32_t from, std::uint32_t to, const Token& at) {
    ir::Edge e;
    e.process = copy_.process;
    e.source = from;
    e.target = to;
    e.fence = inside_ != ir::none;
    e.holds = inside_ != ir::none && to != inside_;
    core::SourcePlace place{source_.file, at.line, at.column, p_.processes[copy_.process].name, {}, false};
    place.text = line_of(at);
    e.site = ir::add_site(p_, std::move(place));
    return e;
  }
  // The line of a token, without blanks at its start and without an end that nobody reads.
  std::string line_of(const Token& at) const {
    constexpr std::size_t longest = 200;
    if (at.text.empty()) return {};  // the end of the text
    const std::string_view text = source_.text;
    const auto offset = static_cast<std::size_t>(at.text.data() - text.data());
    std::string_view line = text.substr(offset + 1 - at.column);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return std::string(line.substr(0, longest).substr(0, line.substr(0, longest).find('\n')));
  }
  void add(ir::Edge e) {
    e.number = static_cast<std::uint32_t>(p_.processes[e.process].edges.size());
    p_.processes[e.process].edges.push_back(static_cast<std::uint32_t>(p_.edges.size()));
    p_.edges.push_back(std::move(e));
  }
  ir::Assignment assign(std::uint32_t var, ExprId index, ExprId value, bool atomic = false) const {
    ir::Assignment a;
    a.var = var;
    a.index = index;
    a.value = value;
    a.atomic = atomic;
    return a;
  }

  // Statements separated by `;`, from one state to another.
  void sequence(std::uint32_t from, std::uint32_t to) {
    for (;;) {
      const std::size_t before = at_;
      // Whether another statement follows is known only after it: its target is a new state, merged with `to` if not.
      const std::uint32_t middle = state("");
      const std::size_t first = p_.edges.size();
      statement(from, middle);
      if (!accept(";") || is("}") || is("or") || is("process") || token().kind == Token::Kind::End) {
        redirect(middle, to, first);
        return;
      }
      if (at_ == before) fail("a statement is expected here");
      from = middle;
    }
  }

  // Edges to a state that nothing leaves, all of them from number `first` on, go to another instead.
  void redirect(std::uint32_t from, std::uint32_t to, std::size_t first) {
    for (std::size_t number = first; number < p_.edges.size(); ++number) {
      ir::Edge& e = p_.edges[number];
      if (e.target != from) continue;
      e.target = to;
      e.holds = e.holds && to != inside_;
    }
  }

  std::uint32_t label(const Token& at) {
    const std::string name(at.text);
    const auto [found, fresh] = copy_.labels.try_emplace(name, 0);
    if (fresh) {
      found->second = state(name);
      copy_.wanted.emplace(name, at);
    }
    return found->second;
  }

  void statement(std::uint32_t from, std::uint32_t to) {
    if (++depth_ > max_nesting) fail("this is nested too deeply");
    while (token().kind == Token::Kind::Name && ahead().text == ":" && !is("read") && !is("write") && !is("syncwr") &&
           !is("assume")) {
      const std::uint32_t here = label(token());
      if (!copy_.sections.emplace(token().text, section()).second)
        fail(fmt::format("the label `{}` stands twice", token().text));
      add(edge(from, here, token()));  // a step to the label: whoever jumps there lands at the same place
      from = here;
      next();
      next();
    }
    unlabelled(from, to);
    --depth_;
  }

  void unlabelled(std::uint32_t from, std::uint32_t to) {
    const Token at = token();
    if (accept("{")) {
      sequence(from, to);
      expect("}");
    } else if (is("locked") && ahead().text == "{") {
      next();
      next();
      const std::uint32_t outer = inside_;
      if (inside_ == ir::none) {
        inside_ = to;
        ++section_;
      }
      shared_.insert(from);
      sequence(from, to);
      inside_ = outer;
      expect("}");
    } else if (accept("either")) {
      expect("{");
      shared_.insert(from);
      do sequence(from, to);
      while (accept("or"));
      expect("}");
    } else if (accept("if")) {
      choice(from, to, at);
    } else if (accept("while")) {
      loop(from, to, at);
    } else if (accept("goto")) {
      const std::uint32_t target = label(token());
      copy_.jumps.push_back({token(), static_cast<std::uint32_t>(p_.edges.size()), section()});
      next();
      add(edge(from, target, at));
    } else {
      simple(from, to, at);
    }
  }

  void choice(std::uint32_t from, std::uint32_t to, const Token& at) {
    const ExprId condition = this->condition();
    expect("then");
    const std::uint32_t yes = state(""), no = state("");
    test(from, yes, condition, at);
    statement(yes, to);
    if (accept("else")) {
      test(from, no, ir::make_unary(p_, ir::Op::Not, condition), at);
      statement(no, to);
    } else {
      test(from, to, ir::make_unary(p_, ir::Op::Not, condition), at);
    }
  }

  // A round leads back to where the loop begins. Where something else begins there, too, as in `either { while … or … }`,
  // it is not to be chosen after a round: the test then stands twice.
  void loop(std::uint32_t from, std::uint32_t to, const Token& at) {
    const ExprId condition = this->condition();
    expect("do");
    const bool alone = !shared_.contains(from);
    const std::uint32_t body = state(""), again = alone ? from : state("");
    test(from, body, condition, at);
    statement(body, again);
    const ExprId over = ir::make_unary(p_, ir::Op::Not, condition);
    test(from, to, over, at);
    if (alone) return;
    test(again, body, condition, at);
    test(again, to, over, at);
  }

  void test(std::uint32_t from, std::uint32_t to, ExprId condition, const Token& at) {
    ir::Edge e = edge(from, to, at);
    e.guard = condition;
    add(std::move(e));
  }

  void simple(std::uint32_t from, std::uint32_t to, const Token& at) {
    ir::Edge e = edge(from, to, at);
    const bool within = inside_ != ir::none;
    if (accept("nop")) {
    } else if (accept("fence")) {
      e.fence = true;
    } else if (accept("assume")) {
      expect(":");
      e.guard = condition();
    } else if (accept("read")) {
      expect(":");
      if (token().text.starts_with("$")) {
        const std::uint32_t r = register_of();
        expect(":=");
        const auto [var, index] = location();
        e.effects.push_back(assign(r, ir::no_expr, cell(var, index)));
      } else {
        const auto [var, index] = location();
        expect("=");
        e.guard = ir::make_binary(p_, ir::Op::Eq, cell(var, index), expression(), core::no_site);
      }
    } else if (is("write") || is("syncwr") || is("locked")) {
      const bool locked = !is("write");
      if (accept("locked") && !is("write")) fail("`write` is expected behind `locked`");
      next();
      expect(":");
      const auto [var, index] = location();
      expect(":=");
      e.effects.push_back(assign(var, index, expression(), locked || within));
      e.fence = e.fence || locked;
    } else if (accept("cas")) {
      expect("(");
      const auto [var, index] = location();
      expect(",");
      e.guard = ir::make_binary(p_, ir::Op::Eq, cell(var, index), expression(), core::no_site);
      expect(",");
      e.effects.push_back(assign(var, index, expression(), true));
      e.fence = true;
      expect(")");
    } else if (token().text.starts_with("$")) {
      const std::uint32_t r = register_of();
      expect(":=");
      e.effects.push_back(assign(r, ir::no_expr, expression()));
    } else {
      fail("a statement is expected here");
    }
    add(std::move(e));
  }

  std::uint32_t register_of() {
    const auto found = copy_.registers.find(std::string(token().text));
    if (found == copy_.registers.end()) fail(fmt::format("`{}` is no register", token().text));
    next();
    return found->second;
  }

  // x, x[my], x[0], x[1]: this process's cell, then those of the others in order.
  std::pair<std::uint32_t, ExprId> location() {
    const auto found = data_.find(std::string(token().text));
    if (found == data_.end()) fail(fmt::format("`{}` is not declared under `data`", token().text));
    const ir::Variable& v = p_.variables[found->second];
    if (v.array && block_of_.at(found->second) != blocks_.size())
      fail(fmt::format("`{}` has one cell for each copy of another process", token().text));
    next();
    if (!accept("[")) {
      if (v.array) fail("which process's? write x[my], x[0] …");
      return {found->second, ir::no_expr};
    }
    std::uint32_t index = copy_.number;
    if (!accept("my")) {
      const std::int32_t other = integer();
      if (other < 0 || static_cast<std::uint32_t>(other) + 1 >= copy_.count) fail("there is no such other process");
      index = static_cast<std::uint32_t>(other);
      if (index >= copy_.number) ++index;
    }
    expect("]");
    if (!v.array) return {found->second, ir::no_expr};
    return {found->second, ir::make_const(p_, static_cast<std::int32_t>(index))};
  }

  ExprId cell(std::uint32_t var, ExprId index) {
    return index == ir::no_expr ? ir::make_var(p_, var) : ir::make_index(p_, var, index, core::no_site);
  }

  ExprId expression() {
    if (++depth_ > max_nesting) fail("this is nested too deeply");
    ExprId left = term();
    unsigned operators = 0;
    while (is("+") || is("-")) {
      if (++operators > max_nesting) fail("this expression is too long");
      const ir::Op op = is("+") ? ir::Op::Add : ir::Op::Sub;
      next();
      left = ir::make_binary(p_, op, left, term(), core::no_site);
    }
    --depth_;
    return left;
  }
  ExprId term() {
    if (accept("(")) {
      const ExprId e = expression();
      expect(")");
      return e;
    }
    if (is("-") || token().kind == Token::Kind::Number) return ir::make_const(p_, integer());
    if (token().text.starts_with("$")) return ir::make_var(p_, register_of());
    if (accept("my")) return ir::make_const(p_, static_cast<std::int32_t>(copy_.number));
    fail("a number or a register is expected here", "shared data is read by `read:`");
  }

  ExprId condition() {
    if (++depth_ > max_nesting) fail("this is nested too deeply");
    ExprId left = conjunction();
    for (unsigned n = 0; accept("||"); ++n) {
      if (n > max_nesting) fail("this condition is too long");
      left = ir::make_binary(p_, ir::Op::Or, left, conjunction(), core::no_site);
    }
    --depth_;
    return left;
  }
  ExprId conjunction() {
    ExprId left = comparison();
    for (unsigned n = 0; accept("&&"); ++n) {
      if (n > max_nesting) fail("this condition is too long");
      left = ir::make_binary(p_, ir::Op::And, left, comparison(), core::no_site);
    }
    return left;
  }
  ExprId comparison() {
    if (accept("!")) {
      if (++depth_ > max_nesting) fail("this is nested too deeply");
      const ExprId inner = comparison();
      --depth_;
      return ir::make_unary(p_, ir::Op::Not, inner);
    }
    if (accept("[")) {
      const ExprId inner = condition();
      expect("]");
      return inner;
    }
    if (accept("true")) return ir::make_const(p_, 1);
    if (accept("false")) return ir::make_const(p_, 0);
    const ExprId left = expression();
    for (const auto& [spelled, op] : {std::pair{"=", ir::Op::Eq},
                                      {"==", ir::Op::Eq},
                                      {"!=", ir::Op::Ne},
                                      {"<=", ir::Op::Le},
                                      {">=", ir::Op::Ge},
                                      {"<", ir::Op::Lt},
                                      {">", ir::Op::Gt}})
      if (accept(spelled)) return ir::make_binary(p_, op, left, expression(), core::no_site);
    fail("a comparison is expected here");
  }

  // Shared data with any value: a process of its own chooses before the others begin.
  void choose_initial_values() {
    if (open_.empty()) return;
    const std::uint32_t ready = add_variable("chosen", ir::none, 0, 1);
    copy_ = {};
    copy_.process = static_cast<std::uint32_t>(p_.processes.size());
    p_.processes.emplace_back();
    p_.processes.back().name = "initial values";
    std::uint32_t at = state("start");
    for (const auto& [d, var] : open_)
      for (std::uint32_t i = 0; i < p_.variables[var].length; ++i) {
        const std::uint32_t behind = state("choosing");
        for (std::int32_t v = d.low; v <= d.high; ++v) {
          ir::Edge e = edge(at, behind, d.token);
          e.fence = true;
          const ExprId index = p_.variables[var].array ? ir::make_const(p_, static_cast<std::int32_t>(i)) : ir::no_expr;
          e.effects.push_back(assign(var, index, ir::make_const(p_, v), true));
          add(std::move(e));
        }
        at = behind;
      }
    const std::uint32_t end = state("end");
    p_.processes[copy_.process].states[end].end = true;
    ir::Edge e = edge(at, end, open_.front().first.token);
    e.fence = true;
    e.effects.push_back(assign(ready, ir::no_expr, ir::make_const(p_, 1), true));
    add(std::move(e));
    for (const std::uint32_t p : starts_) wait_for(p, ready);
  }

  // A new initial state, left when the values are chosen.
  void wait_for(std::uint32_t process, std::uint32_t ready) {
    copy_.process = process;
    const std::uint32_t waiting = state("waiting");
    ir::Edge e = edge(waiting, p_.processes[process].initial, open_.front().first.token);
    e.guard = ir::make_binary(p_, ir::Op::Eq, ir::make_var(p_, ready), ir::make_const(p_, 1), core::no_site);
    add(std::move(e));
    p_.processes[process].initial = waiting;
  }

  // Rows of labels, one of which is met; copies of the same process may take theirs in any order.
  ExprId condition_of(const std::vector<std::vector<Token>>& rows) {
    std::vector<ExprId> some;
    for (const std::vector<Token>& row : rows) {
      if (row.size() != starts_.size())
        mistake(source_, row.front(), fmt::format("there are {} processes, but {} labels", starts_.size(), row.size()));
      std::vector<ExprId> blocks;
      std::uint32_t first = 0;
      for (const std::uint32_t copies : blocks_) {
        blocks.push_back(in_any_order(row, first, copies));
        first += copies;
      }
      some.push_back(joined(ir::Op::And, std::move(blocks)));
    }
    return some.empty() ? ir::make_const(p_, 0) : joined(ir::Op::Or, std::move(some));
  }

  // Processes first, first + 1, … of one block are at the labels of their part of the row.
  ExprId in_any_order(const std::vector<Token>& row, std::uint32_t first, std::uint32_t copies) {
    constexpr std::uint32_t most = 5;
    if (copies > most)
      mistake(source_, row.front(),
              fmt::format("forbidden labels of more than {} equal processes are not supported", most));
    std::vector<std::uint32_t> order(copies);
    for (std::uint32_t i = 0; i < copies; ++i) order[i] = first + i;
    std::vector<ExprId> some;
    do {
      std::vector<ExprId> all{ir::make_const(p_, 1)};
      for (std::uint32_t i = 0; i < copies; ++i) {
        const Token& label = row[order[i]];
        if (label.text == "*") continue;
        const auto found = labels_[first + i].find(std::string(label.text));
        if (found == labels_[first + i].end())
          mistake(source_, label, fmt::format("there is no label `{}`", label.text));
        all.push_back(ir::make_in_state(p_, starts_[first + i], found->second));
      }
      some.push_back(joined(ir::Op::And, std::move(all)));
    } while (std::ranges::next_permutation(order).found);
    return joined(ir::Op::Or, std::move(some));
  }

  // All of them by one operator, as a tree of little depth. Requires that there is one.
  ExprId joined(ir::Op op, std::vector<ExprId> parts) {
    while (parts.size() > 1) {
      for (std::size_t i = 0; i < parts.size() / 2; ++i)
        parts[i] = ir::make_binary(p_, op, parts[2 * i], parts[2 * i + 1], core::no_site);
      if (parts.size() % 2 != 0) parts[parts.size() / 2] = parts.back();
      parts.resize((parts.size() + 1) / 2);
    }
    return parts.front();
  }

  const Source& source_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  ir::Program p_;
  std::map<std::string, std::uint32_t> data_;
  std::vector<std::pair<Datum, std::uint32_t>> open_;
  std::vector<std::uint32_t> blocks_;              // copies of each process block
  std::map<std::uint32_t, std::size_t> block_of_;  // of data with one cell per copy: the block of its process
  std::vector<std::uint32_t> starts_;              // processes of the text
  std::vector<std::map<std::string, std::uint32_t>> labels_;  // of each: their states
  Copy copy_;
  std::set<std::uint32_t> shared_;   // states of it from which several statements go, or a section
  std::uint32_t inside_ = ir::none;  // of `locked { }`: the state behind it
  std::uint32_t section_ = 0;        // how many there have been
};

}  // namespace

support::Result<Loaded> load_text(std::string text, const std::string& file) {
  try {
    const Source source{file, std::move(text)};
    return Parser(source).run();
  } catch (Mistake& m) {
    return std::move(m.diagnostic);
  }
}

support::Result<Loaded> load(const std::string& path, const core::Budget* budget) {
  auto text = core::read_input(path, budget);
  if (!text) return text.error();
  if (text->starts_with("\xef\xbb\xbf")) text->erase(0, 3);  // a byte order mark
  return load_text(std::move(*text), path);
}

}  // namespace heddle::rmm
