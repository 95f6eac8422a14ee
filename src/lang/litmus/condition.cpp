// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lang/litmus/lexer.h"

namespace heddle::lang::litmus {

namespace {

class FinalPart {
 public:
  FinalPart(Test& test, Lexer& lex, const FindRegister& find) : test_(test), lex_(lex), find_(find) {}

  void parse() {
    bool seen = false;
    for (;;) {
      while (lex_.accept(";")) {}
      if (lex_.at_end()) break;
      if (lex_.accept("locations")) locations();
      else if (lex_.is("filter")) {
        if (test_.has_filter) lex_.fail("a test has one filter");
        lex_.take();
        test_.has_filter = true;
        test_.filter = formula();
      } else if (lex_.is("<<")) {
        skip_block();
      } else {
        if (seen) lex_.fail(fmt::format("'{}' is not expected after the condition", lex_.peek().text));
        condition();
        seen = true;
      }
    }
    if (!seen) {
      test_.condition.quantifier = Quantifier::Forall;
      test_.condition.formula = Formula{};
    }
    // As herd7 lists them: registers by thread, then memory.
    std::stable_sort(test_.shown.begin(), test_.shown.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Observed &x = test_.observed[a], &y = test_.observed[b];
      if ((x.thread < 0) != (y.thread < 0)) return y.thread < 0;
      if (x.thread != y.thread) return x.thread < y.thread;
      return in_order(x.text, y.text);
    });
    static const char* const words[] = {"exists", "~exists", "forall"};
    const Formula& f = test_.condition.formula;
    test_.condition.text = fmt::format("{} ({})", words[static_cast<int>(test_.condition.quantifier)], show(f, test_));
  }

 private:
  // Letters as letters, numbers as numbers: X5 comes before X10.
  static bool in_order(std::string_view a, std::string_view b) {
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto number = [&](std::string_view& s) {
      std::size_t n = 0;
      while (n < s.size() && digit(s[n])) ++n;
      const std::string_view taken = s.substr(0, n);
      s.remove_prefix(n);
      return std::pair(taken.size(), taken);
    };
    while (!a.empty() && !b.empty()) {
      if (digit(a[0]) && digit(b[0])) {
        const auto x = number(a), y = number(b);
        if (x != y) return x < y;
        continue;
      }
      if (a[0] != b[0]) return a[0] < b[0];
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
    return a.size() < b.size();
  }

  // << … >>, left over from other tools
  void skip_block() {
    const std::size_t end = lex_.text().find(">>", lex_.position());
    if (end == std::string_view::npos) lex_.fail("this block has no '>>'");
    lex_.seek(end + 2);
  }

  Quantifier quantifier() {
    if (lex_.accept("exists")) return Quantifier::Exists;
    if (lex_.accept("forall")) return Quantifier::Forall;
    if (lex_.accept("~") || lex_.accept("not")) {
      lex_.expect("exists");
      return Quantifier::NotExists;
    }
    lex_.fail(fmt::format("'exists', '~exists' or 'forall' expected before '{}'", lex_.peek().text));
  }

  void condition() {
    if (lex_.accept("final")) {
      test_.condition.formula = formula();
      lex_.accept(";");
      test_.condition.quantifier = Quantifier::Exists;
      if (!lex_.accept("with")) return;
      while (lex_.peek().kind ==
             TokenKind::Name) {  // what models were once expected to say; the formula is what counts
        lex_.take();
        lex_.expect(":");
        quantifier();
        lex_.accept(";");
      }
      return;
    }
    test_.condition.quantifier = quantifier();
    test_.condition.formula = formula();
  }

  void locations() {
    lex_.expect("[");
    while (!lex_.accept("]")) {
      if (lex_.accept(";")) continue;
      const Observed o = observed();
      // `x int*;`: a type may follow
      while (lex_.peek().kind == TokenKind::Name || lex_.is("*")) lex_.take();
      shown(test_.observe(o));
      if (!lex_.is("]")) lex_.expect(";");
    }
  }

  void shown(std::uint32_t index) {
    if (std::find(test_.shown.begin(), test_.shown.end(), index) == test_.shown.end()) test_.shown.push_back(index);
  }

  Formula formula() { return implies(); }

  Formula implies() {
    Formula left = disjunction();
    if (!lex_.accept("=>")) return left;
    Formula f;
    f.kind = Formula::Kind::Implies;
    f.parts.push_back(std::move(left));
    f.parts.push_back(implies());
    return f;
  }

  Formula disjunction() {
    Formula first = conjunction();
    if (!lex_.is("\\/") && !lex_.is("||")) return first;
    Formula f;
    f.kind = Formula::Kind::Or;
    f.parts.push_back(std::move(first));
    while (lex_.accept("\\/") || lex_.accept("||")) f.parts.push_back(conjunction());
    return f;
  }

  Formula conjunction() {
    Formula first = unary();
    if (!lex_.is("/\\") && !lex_.is("&&")) return first;
    Formula f;
    f.kind = Formula::Kind::And;
    f.parts.push_back(std::move(first));
    while (lex_.accept("/\\") || lex_.accept("&&")) f.parts.push_back(unary());
    return f;
  }

  Formula unary() {
    if (++depth_ > 1000) lex_.fail("the formula is nested too deeply");
    Formula f;
    if (lex_.accept("~") || lex_.accept("not") || lex_.accept("!")) {
      f.kind = Formula::Kind::Not;
      f.parts.push_back(unary());
    } else if (lex_.accept("(")) {
      f = implies();
      lex_.expect(")");
    } else if (lex_.accept("true")) {
      f.kind = Formula::Kind::True;
    } else if (lex_.accept("false")) {
      f.kind = Formula::Kind::False;
    } else {
      f = atom();
    }
    --depth_;
    return f;
  }

  Formula atom() {
    Formula f;
    f.left_index = test_.observe(observed());
    shown(f.left_index);
    if (lex_.accept("!=") || lex_.accept("<>")) f.kind = Formula::Kind::Differ;
    else {
      if (!lex_.accept("==")) lex_.expect("=");
      f.kind = Formula::Kind::Equal;
    }
    if (lex_.peek().kind == TokenKind::Number || lex_.is("-")) {
      const std::size_t at = lex_.position();
      const std::uint64_t n = lex_.expect_number();
      if (!lex_.is(":")) {
        f.value = core::Value(n);
        return f;
      }
      lex_.seek(at);
      f.right_is_observed = true;
      f.right_index = test_.observe(observed());
      shown(f.right_index);
      return f;
    }
    if (lex_.is("[") || lex_.is("*")) {
      f.right_is_observed = true;
      f.right_index = test_.observe(observed());
      shown(f.right_index);
      return f;
    }
    lex_.accept("&");
    const Token name = lex_.expect_name("a number or the name of a variable");
    const auto v = find_variable(name);
    std::uint64_t offset = 0;
    if (lex_.accept("+")) offset = lex_.expect_number();
    f.value = core::Value::address(v + 1, static_cast<std::uint32_t>(offset));
    return f;
  }

  std::uint32_t find_variable(const Token& name) {
    for (std::uint32_t i = 0; i < test_.variables.size(); ++i)
      if (test_.variables[i].name == name.text) return i;
    throw Mistake{name.at, fmt::format("there is no variable '{}'", name.text), {}};
  }

  // `1:X0`, `P1:EAX`, `x`, `[x]`, `x[2]`, `*x`
  Observed observed() {
    Observed o;
    const Token t = lex_.peek();
    const bool named = t.kind == TokenKind::Name && t.text.size() > 1 && t.text[0] == 'P' &&
                       std::all_of(t.text.begin() + 1, t.text.end(),
                                   [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
    if (t.kind == TokenKind::Number || named) {
      lex_.take();
      if (lex_.accept(":")) {
        const auto number = named ? parse_number(t.text.substr(1)) : std::optional<std::uint64_t>(t.number);
        const Token name = lex_.expect_name("a register");
        const auto found =
            number && *number < test_.threads.size() ? find_(static_cast<int>(*number), name) : std::nullopt;
        if (!found) throw Mistake{t.at, fmt::format("there is no register '{}:{}'", t.text, name.text), {}};
        o.thread = static_cast<int>(*number);
        o.reg = found->reg;
        o.type = found->type;
        o.text = fmt::format("{}:{}", o.thread, found->shown);
        return o;
      }
      lex_.seek(t.at);
    }
    const bool bracket = lex_.accept("[");
    lex_.accept("*");
    const Token name = lex_.expect_name("a variable or register");
    o.variable = find_variable(name);
    if (bracket && lex_.is("]")) lex_.take();
    const Variable& v = test_.variables[o.variable];
    o.type = v.type;
    o.text = v.name;
    if (lex_.is("[")) {
      lex_.take();
      const std::uint64_t element = lex_.expect_number();
      lex_.expect("]");
      if (element >= v.initial.size())
        throw Mistake{name.at, fmt::format("'{}' has {} elements", v.name, v.initial.size()), {}};
      o.element = static_cast<std::uint32_t>(element);
      o.text = fmt::format("{}[{}]", v.name, element);
    }
    o.text = "[" + o.text + "]";
    return o;
  }

  Test& test_;
  Lexer& lex_;
  const FindRegister& find_;
  unsigned depth_ = 0;
};

}  // namespace

bool begins_final_part(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("~")) return true;
  for (std::string_view word : {"exists", "forall", "locations", "filter", "final", "not", "<<"})
    if (rest.starts_with(word)) {
      const char next = rest.size() > word.size() ? rest[word.size()] : ' ';
      if (std::isalnum(static_cast<unsigned char>(next)) || next == '_' || next == ':') continue;
      if (word != "not") return true;
      // RISC-V has an instruction of this name.
      const std::size_t after = rest.find_first_not_of(" \t\r\n", word.size());
      const std::string_view follows = after == std::string_view::npos ? "" : rest.substr(after);
      return follows.starts_with("exists") || follows.starts_with("(");
    }
  return false;
}

void parse_final_part(Test& test, std::string_view text, std::size_t at, const FindRegister& find_register) {
  Lexer lex(text, at);
  FinalPart(test, lex, find_register).parse();
}

}  // namespace heddle::lang::litmus
