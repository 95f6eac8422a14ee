// SPDX-License-Identifier: Apache-2.0
#include "axioms/cat_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "core/input.h"

namespace heddle::axioms::cat {

namespace {

struct Mistake {
  std::size_t at;
  std::string message;
};

struct Token {
  enum class Kind : std::uint8_t { Name, Text, Sign, End } kind = Kind::End;
  std::string_view text;
  std::size_t at = 0;
};

std::vector<Token> tokens_of(std::string_view s) {
  std::vector<Token> out;
  std::size_t i = 0;
  const auto name_char = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
  };
  while (i < s.size()) {
    const char c = s[i];
    const std::size_t begin = i;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (s.substr(i, 2) == "(*") {
      unsigned depth = 0;
      do {
        if (i >= s.size()) throw Mistake{begin, "this comment has no end"};
        if (s.substr(i, 2) == "(*") {
          ++depth;
          i += 2;
        } else if (s.substr(i, 2) == "*)") {
          --depth;
          i += 2;
        } else ++i;
      } while (depth > 0);
    } else if (s.substr(i, 2) == "//" || c == '#') {
      i = std::min(s.find('\n', i), s.size());
    } else if (c == '"') {
      const std::size_t end = s.find('"', i + 1);
      if (end == std::string_view::npos) throw Mistake{begin, "this text has no closing quote"};
      out.push_back({Token::Kind::Text, s.substr(i + 1, end - i - 1), begin});
      i = end + 1;
    } else if (std::isalpha(static_cast<unsigned char>(c))) {
      while (i < s.size() && name_char(s[i])) ++i;
      while (s[i - 1] == '-' || s[i - 1] == '.') --i;  // they join words, they do not end one
      out.push_back({Token::Kind::Name, s.substr(begin, i - begin), begin});
    } else if (c == '_' && !(i + 1 < s.size() && name_char(s[i + 1]))) {
      out.push_back({Token::Kind::Sign, s.substr(i++, 1), begin});
    } else if (s.substr(i, 3) == "^-1") {
      out.push_back({Token::Kind::Sign, s.substr(i, 3), begin});
      i += 3;
    } else if (s.substr(i, 2) == "^+" || s.substr(i, 2) == "^*" || s.substr(i, 2) == "^?") {
      out.push_back({Token::Kind::Sign, s.substr(i + 1, 1), begin});
      i += 2;
    } else {
      out.push_back({Token::Kind::Sign, s.substr(i++, 1), begin});
    }
  }
  out.push_back({Token::Kind::End, {}, s.size()});
  return out;
}

// What the files that models usually include define beyond the predefined names. Found only if there is no such file.
const std::map<std::string_view, std::string_view>& library() {
  static const std::map<std::string_view, std::string_view> files = {
      {"stdlib.cat", ""},
      {"cos.cat", ""},
      {"cos-opt.cat", ""},
      {"cos-no-opt.cat", ""},
      {"filters.cat",  // A: atomic accesses, P: all others
       "let A = X | A let P = M \\ A let atom = [A] let invrf = rf^-1 "
       "let MA(r) = r & (M * A) let AM(r) = r & (A * M) let AA(r) = r & (A * A) let WA(r) = r & (W * A) "
       "let AW(r) = r & (A * W) let RA(r) = r & (R * A) let AR(r) = r & (A * R) let AP(r) = r & (A * P) "
       "let PA(r) = r & (P * A) let PP(r) = r & (P * P)"},
      {"fences.cat", ""},
      {"x86fences.cat", "let mfence = fencerel(MFENCE) let lfence = fencerel(LFENCE) let sfence = fencerel(SFENCE)"},
      {"aarch64fences.cat",
       "let dmb.sy = fencerel(DMB.SY) let dmb.ld = fencerel(DMB.LD) let dmb.st = fencerel(DMB.ST) let isb = "
       "fencerel(ISB)"},
      {"ppcfences.cat",
       "let sync = fencerel(SYNC) let lwsync = fencerel(LWSYNC) let eieio = fencerel(EIEIO) let isync = "
       "fencerel(ISYNC) "
       "let ctrlisync = (ctrl & (_ * ISYNC)); po"}};
  return files;
}

// The names that are defined, in the order in which they came.
class Names {
 public:
  void insert(const std::string& name) {
    if (known_.insert(name).second) order_.push_back(name);
  }
  bool contains(const std::string& name) const { return known_.contains(name); }
  std::size_t size() const { return order_.size(); }
  // Forgets all but the first `size`.
  void shrink(std::size_t size) {
    for (; order_.size() > size; order_.pop_back()) known_.erase(order_.back());
  }

 private:
  std::set<std::string> known_;
  std::vector<std::string> order_;
};

class Parser {
 public:
  // `chain`: the files that are being read, this one last.
  Parser(std::string_view text, Program& program, Names& names, std::vector<std::string> chain,
         const core::Budget* budget)
      : text_(text),
        tokens_(tokens_of(text)),
        program_(program),
        names_(names),
        chain_(std::move(chain)),
        budget_(budget) {}

  void file() {
    title();
    while (peek().kind != Token::Kind::End) instruction(program_.instructions);
  }

 private:
  // An optional title: one or two words on one line, a text in quotes, or both. Anything more is a mistake, since a
  // misspelt first instruction would go unnoticed.
  void title() {
    const std::size_t line_end = std::min(text_.find('\n', peek().at), text_.size());
    unsigned words = 0;
    while (peek().kind == Token::Kind::Name && !keyword(peek().text)) {
      if (++words > 2 || peek().at >= line_end)
        fail(fmt::format("'{}' does not begin an instruction that is supported", peek().text));
      if (program_.title.empty()) program_.title = std::string(peek().text);
      ++at_;
    }
    if (peek().kind != Token::Kind::Text) return;
    program_.title = std::string(peek().text);
    ++at_;
  }

  static bool keyword(std::string_view s) {
    static const std::set<std::string_view> words = {
        "let",     "rec",    "and",         "in",     "as",      "acyclic",   "irreflexive",
        "empty",   "flag",   "show",        "unshow", "include", "procedure", "end",
        "call",    "with",   "from",        "try",    "if",      "then",      "else",
        "match",   "forall", "do",          "fun",    "enum",    "when",      "undefined_unless",
        "default", "assert", "instructions"};
    return words.contains(s);
  }

  const Token& peek() const { return tokens_[at_]; }
  bool is(std::string_view s) const {
    return peek().kind != Token::Kind::Text && peek().kind != Token::Kind::End && peek().text == s;
  }
  bool accept(std::string_view s) {
    if (!is(s)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view s) {
    if (!accept(s))
      fail(peek().kind == Token::Kind::End ? fmt::format("'{}' is missing at the end", s)
                                           : fmt::format("'{}' expected before '{}'", s, peek().text));
  }
  [[noreturn]] void fail(const std::string& message) const { throw Mistake{peek().at, message}; }
  std::string name() {
    if (peek().kind != Token::Kind::Name || keyword(peek().text))
      fail(peek().kind == Token::Kind::End ? "a name is missing at the end"
                                           : fmt::format("a name expected before '{}'", peek().text));
    return std::string(tokens_[at_++].text);
  }
  std::vector<std::string> params() {
    std::vector<std::string> list;
    expect("(");
    if (accept(")")) return list;
    do list.push_back(name());
    while (accept(","));
    expect(")");
    return list;
  }

  // Adds names for the length of a scope.
  class Scope {
   public:
    Scope(Names& names, const std::vector<std::string>& added) : names_(names), before_(names.size()) {
      for (const std::string& name : added) names.insert(name);
    }
    ~Scope() { names_.shrink(before_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Names& names_;
    std::size_t before_;
  };

  void bindings(bool recursive, std::vector<Binding>& out) {
    const std::size_t first = at_;
    if (recursive) {  // all names of the group are known in all of its bodies
      unsigned nesting = 0;
      for (std::size_t i = at_; i < tokens_.size(); ++i) {
        const Token& t = tokens_[i];
        if (t.kind == Token::Kind::Sign && (t.text == "(" || t.text == "[")) ++nesting;
        if (t.kind == Token::Kind::Sign && (t.text == ")" || t.text == "]") && nesting > 0) --nesting;
        if (nesting == 0 && t.kind == Token::Kind::Name &&
            (i == first || (tokens_[i - 1].kind == Token::Kind::Name && tokens_[i - 1].text == "and")))
          names_.insert(std::string(t.text));
        if (nesting == 0 && i > first && t.kind == Token::Kind::Name && keyword(t.text) && t.text != "and") break;
      }
    }
    do {
      Binding b;
      b.name = name();
      if (is("(")) {
        b.is_function = true;
        b.params = params();
      } else if (peek().kind == Token::Kind::Name && !keyword(peek().text)) {
        b.is_function = true;
        b.params = {name()};
      }
      if (recursive && b.is_function) fail("recursive functions are not supported");
      expect("=");
      const Scope scope(names_, b.params);
      b.body = expression();
      out.push_back(std::move(b));
    } while (accept("and"));
    for (const Binding& b : out) names_.insert(b.name);
  }

  void instruction(std::vector<Instruction>& out) {
    Instruction i;
    i.at = peek().at;
    if (accept("let")) {
      i.kind = Instruction::Kind::Let;
      i.recursive = accept("rec");
      bindings(i.recursive, i.bindings);
      if (is("when")) fail("'when' is not supported");
      out.push_back(std::move(i));
      return;
    }
    if (accept("include")) {
      if (peek().kind != Token::Kind::Text) fail("a file's name in quotes expected");
      return include(std::string(peek().text), out);
    }
    if (accept("show") || accept("unshow")) {  // for pictures only
      do {
        expression();
        if (accept("as")) name();
      } while (accept(","));
      return;
    }
    if (accept("procedure")) {
      i.kind = Instruction::Kind::Procedure;
      i.name = name();
      i.params = params();
      expect("=");
      {
        const Scope scope(names_, i.params);
        const auto outer = procedures_;
        while (!accept("end")) {
          if (peek().kind == Token::Kind::End) fail("the procedure has no 'end'");
          instruction(i.body);
        }
        procedures_ = outer;
      }
      procedures_.insert_or_assign(i.name, i.params.size());
      out.push_back(std::move(i));
      return;
    }
    if (accept("call")) {
      i.kind = Instruction::Kind::Call;
      const std::size_t at = peek().at;
      i.name = name();
      const auto found = procedures_.find(i.name);
      if (found == procedures_.end()) throw Mistake{at, fmt::format("there is no procedure '{}'", i.name)};
      expect("(");
      if (!accept(")")) {
        do i.args.push_back(expression());
        while (accept(","));
        expect(")");
      }
      if (i.args.size() != found->second)
        throw Mistake{at, fmt::format("'{}' takes {} arguments", i.name, found->second)};
      if (accept("as")) name();
      out.push_back(std::move(i));
      return;
    }
    if (is("with")) {
      // `with co from …`: the coherence orders are enumerated already.
      ++at_;
      if (name() != "co") fail("only 'co' can be taken from a set of orders");
      expect("from");
      skip_expression();
      return;
    }
    i.kind = Instruction::Kind::Test;
    i.flag = accept("flag");
    const bool undefined = !i.flag && accept("undefined_unless");
    i.flag |= undefined;
    i.negated = accept("~") != undefined;  // a flag is raised if its test holds
    if (accept("acyclic")) i.test = Instruction::Test::Acyclic;
    else if (accept("irreflexive")) i.test = Instruction::Test::Irreflexive;
    else if (accept("empty")) i.test = Instruction::Test::Empty;
    else
      fail(peek().kind == Token::Kind::End
               ? "the text ends inside an instruction"
               : fmt::format("'{}' does not begin an instruction that is supported", peek().text));
    i.expr = expression();
    if (accept("as")) i.name = name();
    out.push_back(std::move(i));
  }

  // The arguments may name what only other tools know (generate_cos, co0).
  void skip_expression() {
    unsigned nesting = 0;
    bool any = false;
    while (peek().kind != Token::Kind::End) {
      if (is("(")) ++nesting;
      else if (is(")") && nesting > 0) --nesting;
      else if (nesting == 0 && any && peek().kind == Token::Kind::Name) break;
      any = true;
      ++at_;
      if (nesting == 0 && !is("(")) break;
    }
  }

  void include(const std::string& file, std::vector<Instruction>& out) {
    const std::size_t at = peek().at;
    ++at_;
    std::string text;
    const std::filesystem::path path = (std::filesystem::path(chain_.back()).parent_path() / file).lexically_normal();
    std::vector<std::string> chain = chain_;
    if (std::find(chain.begin(), chain.end(), path.string()) != chain.end())
      throw Mistake{at, fmt::format("the file '{}' includes itself", file)};
    if (chain.size() >= 20) throw Mistake{at, "files include each other too deeply"};
    std::error_code none;
    if (core::unreadable(path.string()).empty() && !std::filesystem::is_directory(path, none)) {
      auto read = core::read_input(path.string(), budget_);
      if (!read) throw Mistake{at, fmt::format("'{}': {}", file, read.error().message)};
      text = std::move(*read);
      chain.push_back(path.string());
    } else if (const auto found = library().find(std::filesystem::path(file).filename().string());
               found != library().end()) {
      text = std::string(found->second);
    } else {
      throw Mistake{at, fmt::format("the file '{}' cannot be read", file)};
    }
    Program included;
    try {
      Parser inner(text, included, names_, std::move(chain), budget_);
      inner.procedures_ = procedures_;
      inner.file();
      procedures_ = inner.procedures_;
    } catch (const Mistake& m) {
      const auto line =
          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(m.at, text.size())), '\n') + 1;
      throw Mistake{at, fmt::format("in {}, line {}: {}", file, line, m.message)};
    }
    const auto place = [at](auto&& self, std::vector<Instruction>& list) -> void {
      for (Instruction& i : list) {
        i.at = at;
        self(self, i.body);
      }
    };
    place(place, included.instructions);
    out.insert(out.end(), std::make_move_iterator(included.instructions.begin()),
               std::make_move_iterator(included.instructions.end()));
  }

  static ExprPtr make(Expr::Kind kind, std::vector<ExprPtr> parts = {}) {
    auto e = std::make_shared<Expr>();
    e->kind = kind;
    e->parts = std::move(parts);
    return e;
  }

  // Weakest first: | ; \ & * (product), then what stands behind an operand.
  ExprPtr expression() { return level(0); }

  ExprPtr level(unsigned n) {
    static constexpr std::pair<std::string_view, Expr::Kind> operators[] = {{"|", Expr::Kind::Union},
                                                                            {";", Expr::Kind::Sequence},
                                                                            {"\\", Expr::Kind::Difference},
                                                                            {"&", Expr::Kind::Intersection}};
    if (n == std::size(operators)) return product();
    if (++nesting_ > 2000) fail("this expression is nested too deeply");
    // All operands of a chain become parts of one node: a long chain is no deep tree.
    std::vector<ExprPtr> parts{level(n + 1)};
    while (accept(operators[n].first)) parts.push_back(level(n + 1));
    --nesting_;
    return parts.size() == 1 ? parts.front() : make(operators[n].second, std::move(parts));
  }

  ExprPtr product() {
    ExprPtr left = postfix();
    for (unsigned factors = 1; is("*"); ++factors) {  // a star that nothing follows was taken by postfix()
      if (factors > longest_chain) fail("this product has too many factors");
      ++at_;
      left = make(Expr::Kind::Product, {left, postfix()});
    }
    return left;
  }

  bool begins_operand(const Token& t) const {
    if (t.kind == Token::Kind::Name) return !keyword(t.text) || t.text == "let" || t.text == "try";
    return t.kind == Token::Kind::Sign &&
           (t.text == "(" || t.text == "[" || t.text == "{" || t.text == "_" || t.text == "~" || t.text == "0");
  }
  // `hb* let …`: a new instruction begins, not a product's right side.
  bool product_follows() const {
    const Token& next = tokens_[at_ + 1];
    return begins_operand(next) && next.text != "let" && next.text != "try" &&
           !(next.text == "~" && tokens_[at_ + 2].kind == Token::Kind::Name && keyword(tokens_[at_ + 2].text));
  }

  ExprPtr postfix() {
    ExprPtr e = primary();
    for (unsigned operators = 0;; ++operators) {
      if (operators > longest_chain) fail("too many operators behind one operand");
      if (accept("^-1")) e = make(Expr::Kind::Inverse, {e});
      else if (accept("+")) e = make(Expr::Kind::Plus, {e});
      else if (accept("?")) e = make(Expr::Kind::Maybe, {e});
      else if (is("*") && !product_follows()) {
        ++at_;
        e = make(Expr::Kind::Star, {e});
      } else return e;
    }
  }

  ExprPtr primary() {
    if (++nesting_ > 2000) fail("this expression is nested too deeply");
    ExprPtr e = operand();
    --nesting_;
    return e;
  }

  ExprPtr operand() {
    if (accept("0")) return make(Expr::Kind::Empty);
    if (accept("_")) return make(Expr::Kind::Universe);
    if (accept("{")) {
      expect("}");
      return make(Expr::Kind::Empty);
    }
    if (accept("~")) return make(Expr::Kind::Complement, {postfix()});
    if (accept("(")) {
      ExprPtr e = expression();
      expect(")");
      return e;
    }
    if (accept("[")) {
      ExprPtr e = expression();
      expect("]");
      return make(Expr::Kind::Identity, {e});
    }
    if (accept("let")) {
      auto e = std::make_shared<Expr>();
      e->kind = Expr::Kind::Let;
      e->recursive = accept("rec");
      const Scope scope(names_, {});
      bindings(e->recursive, e->bindings);
      expect("in");
      e->parts.push_back(expression());
      return e;
    }
    if (accept("try")) {
      const bool outer = trying_;
      trying_ = true;
      ExprPtr first = expression();
      trying_ = outer;
      expect("with");
      ExprPtr second = expression();
      return make(Expr::Kind::Try, {first, second});
    }
    const std::size_t at = peek().at;
    auto e = std::make_shared<Expr>();
    e->kind = Expr::Kind::Name;
    e->name = name();
    if (!names_.contains(e->name) && !is_predefined(e->name) && !trying_)
      throw Mistake{at, fmt::format("'{}' is not defined", e->name)};
    if (is("(")) {
      ++at_;
      e->kind = Expr::Kind::Call;
      if (!accept(")")) {
        do e->parts.push_back(expression());
        while (accept(","));
        expect(")");
      }
    }
    return e;
  }

  static constexpr unsigned longest_chain = 100;  // of what nests with each operator

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Program& program_;
  Names& names_;
  std::map<std::string, std::size_t> procedures_;
  std::vector<std::string> chain_;
  const core::Budget* budget_;
  unsigned nesting_ = 0;
  bool trying_ = false;
};

}  // namespace

support::Result<Program> parse(const std::string& file, std::string_view text, const core::Budget* budget) {
  Program program;
  Names names;
  try {
    Parser(text, program, names, {std::filesystem::path(file).lexically_normal().string()}, budget).file();
    const auto checks = [](auto&& self, const std::vector<Instruction>& list) -> bool {
      return std::any_of(list.begin(), list.end(),
                         [&](const Instruction& i) { return i.kind == Instruction::Kind::Test || self(self, i.body); });
    };
    if (!checks(checks, program.instructions))
      throw Mistake{text.size(), "the model has no test: it allows everything"};
    return program;
  } catch (const Mistake& m) {
    return mistake(file, text, m.at, m.message);
  }
}

support::Diagnostic mistake(const std::string& file, std::string_view text, std::size_t at, std::string message) {
  at = std::min(at, text.size());
  support::Diagnostic d;
  d.file = file;
  d.line = static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  d.column = static_cast<unsigned>(at - (newline == std::string_view::npos ? 0 : newline + 1)) + 1;
  d.message = std::move(message);
  d.source_line = std::string(support::line_of(text, d.line));
  return d;
}

}  // namespace heddle::axioms::cat
