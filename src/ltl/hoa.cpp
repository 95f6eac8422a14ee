// SPDX-License-Identifier: Apache-2.0
#include "ltl/hoa.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace heddle::ltl {
namespace {

constexpr std::size_t most_states = 1'000'000, most_atoms = 1000, deepest = 1000;

struct Token {
  enum class Kind { End, Header, Name, Number, Text, Alias, Marker, Sign } kind = Kind::End;
  std::string_view text;  // of a Header without its colon, of a Text without its quotes, of an Alias without @
  std::size_t at = 0;
};

// Thrown within this file only, by the first mistake.
struct Mistake {
  std::size_t at;
  std::string message;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }
  const Token& peek() const { return token_; }
  Token next() {
    Token token = token_;
    advance();
    return token;
  }

 private:
  static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

  void skip() {
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
      if (!text_.substr(at_).starts_with("/*")) return;
      const std::size_t begin = at_;
      unsigned depth = 0;  // comments nest
      do {
        if (text_.substr(at_).starts_with("/*")) ++depth, at_ += 2;
        else if (text_.substr(at_).starts_with("*/")) --depth, at_ += 2;
        else if (++at_ >= text_.size()) throw Mistake{begin, "the comment has no end"};
      } while (depth > 0);
    }
  }

  void advance() {
    skip();
    token_ = {Token::Kind::End, {}, at_};
    if (at_ >= text_.size()) return;
    const char c = text_[at_];
    const auto take = [&](Token::Kind kind, std::size_t begin, std::size_t end, std::size_t past) {
      token_ = {kind, text_.substr(begin, end - begin), at_};
      at_ = past;
    };
    if (c == '"') {
      std::size_t end = at_ + 1;
      while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
      if (end >= text_.size()) throw Mistake{at_, "the string has no end"};
      return take(Token::Kind::Text, at_ + 1, end, end + 1);
    }
    if (text_.substr(at_).starts_with("--")) {
      const std::size_t end = text_.find("--", at_ + 2);
      if (end == std::string_view::npos) throw Mistake{at_, "a marker like --BODY-- is expected"};
      return take(Token::Kind::Marker, at_, end + 2, end + 2);
    }
    std::size_t end = at_ + (c == '@' ? 1 : 0);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      while (end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end])) != 0) ++end;
      return take(Token::Kind::Number, at_, end, end);
    }
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (c == '@') return take(Token::Kind::Alias, at_ + 1, end, end);
    if (end == at_) return take(Token::Kind::Sign, at_, at_ + 1, at_ + 1);
    if (end < text_.size() && text_[end] == ':') return take(Token::Kind::Header, at_, end, end + 1);
    take(Token::Kind::Name, at_, end, end);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : lexer_(text) {}

  Automaton read() {
    header();
    body();
    finish();
    return std::move(a_);
  }
  const std::vector<std::size_t>& atoms_at() const { return atoms_at_; }

 private:
  using Kind = Token::Kind;

  [[noreturn]] static void refuse(const Token& token, std::string message) {
    throw Mistake{token.at, std::move(message)};
  }
  bool is(Kind kind, std::string_view text = {}) const {
    return lexer_.peek().kind == kind && (text.empty() || lexer_.peek().text == text);
  }
  bool take(Kind kind, std::string_view text) {
    if (!is(kind, text)) return false;
    lexer_.next();
    return true;
  }
  Token expect(Kind kind, const char* what) {
    if (!is(kind)) refuse(lexer_.peek(), fmt::format("{} is expected", what));
    return lexer_.next();
  }
  std::uint32_t number(const char* what, std::size_t most) {
    const Token token = expect(Kind::Number, what);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    if (error != std::errc() || value > most) refuse(token, fmt::format("{} is too large (at most {})", what, most));
    return static_cast<std::uint32_t>(value);
  }

  void header() {
    if (!is(Kind::Header, "HOA")) refuse(lexer_.peek(), "an automaton begins with HOA: v1");
    lexer_.next();
    if (const Token version = lexer_.next(); version.text != "v1")
      refuse(version, fmt::format("version {} of the format is not known; v1 is", version.text));
    while (!take(Kind::Marker, "--BODY--")) {
      const Token item = lexer_.next();
      if (item.kind != Kind::Header) refuse(item, "a header item or --BODY-- is expected");
      if (item.text == "States") declare_states(item);
      else if (item.text == "Start") start();
      else if (item.text == "AP") atoms(item);
      else if (item.text == "Alias") alias();
      else if (item.text == "Acceptance") acceptance(item);
      else if (item.text == "acc-name") acceptance_name();
      else if (std::isupper(static_cast<unsigned char>(item.text[0])) != 0)
        refuse(item, fmt::format("the header item {}: changes the meaning and is not known", item.text));
      else
        while (!is(Kind::Header) && !is(Kind::Marker) && !is(Kind::End)) lexer_.next();
    }
    if (!has_acceptance_) refuse(lexer_.peek(), "Acceptance: is missing");
  }

  void declare_states(const Token& item) {
    if (declared_) refuse(item, "States: occurs twice");
    declared_ = number("the number of states", most_states);
    a_.edges.resize(std::max<std::size_t>(*declared_, a_.edges.size()));
  }

  std::uint32_t state() {
    const Token at = lexer_.peek();
    const std::uint32_t q = number("a state", most_states);
    if (declared_ && q >= *declared_) refuse(at, fmt::format("there are only {} states", *declared_));
    if (is(Kind::Sign, "&")) refuse(lexer_.peek(), "alternating automata (conjunctions of states) are not supported");
    if (q >= a_.edges.size()) a_.edges.resize(q + 1);
    return q;
  }

  void start() { starts_.push_back(state()); }

  void atoms(const Token& item) {
    if (!a_.atoms.empty()) refuse(item, "AP: occurs twice");
    const std::uint32_t count = number("the number of propositions", most_atoms);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::string name;
      const Token text = expect(Kind::Text, "the name of a proposition in quotes");
      bool escapes = false;
      for (const char c : text.text) {
        escapes = c == '\\' && !escapes;
        if (!escapes) name += c;
      }
      a_.atoms.push_back(std::move(name));
      atoms_at_.push_back(text.at + 1);
    }
  }

  void alias() {
    const Token name = expect(Kind::Alias, "the name of an alias");
    if (!aliases_.emplace(std::string(name.text), label()).second)
      refuse(name, fmt::format("the alias @{} is defined twice", name.text));
  }

  void acceptance_name() {
    std::string name;
    while (is(Kind::Name) || is(Kind::Number)) name += (name.empty() ? "" : " ") + std::string(lexer_.next().text);
    if (name != "Buchi" && name != "all" && !name.starts_with("generalized-Buchi")) other_acceptance_ = name;
  }

  // `shape`: what the condition is if the file does not name it.
  [[noreturn]] void refuse_acceptance(const Token& at, std::string_view shape) const {
    refuse(at, fmt::format("{} acceptance is not supported, only Büchi and generalised Büchi: Inf(0)&Inf(1)&…",
                           other_acceptance_.empty() ? shape : other_acceptance_));
  }

  // A conjunction of Inf(i), each i of the declared ones, or t.
  void acceptance(const Token& item) {
    if (has_acceptance_) refuse(item, "Acceptance: occurs twice");
    a_.sets = number("the number of acceptance sets", most_marks);
    has_acceptance_ = true;
    ignored_ = a_.every_mark() & ~acceptance_sets();
    if (is(Kind::Sign, ")")) refuse(lexer_.peek(), "')' has no partner");
  }

  Marks acceptance_sets() {
    if (++depth_ > deepest) refuse(lexer_.peek(), "the acceptance condition is nested too deeply");
    Marks used = 0;
    do {
      const Token term = lexer_.peek();
      if (take(Kind::Name, "t")) continue;
      if (take(Kind::Sign, "(")) used |= acceptance_sets();
      else if (is(Kind::Name, "Fin")) refuse_acceptance(term, "Fin");
      else if (is(Kind::Name, "f")) refuse_acceptance(term, "empty (f)");
      else if (!take(Kind::Name, "Inf") || !take(Kind::Sign, "("))
        refuse(term, "an acceptance condition of Inf(i), Fin(i), t, f, & and | is expected");
      else used |= Marks{1} << acceptance_set();
      if (!take(Kind::Sign, ")")) refuse(lexer_.peek(), "a ')' is expected");
    } while (take(Kind::Sign, "&"));
    if (is(Kind::Sign, "|")) refuse_acceptance(lexer_.peek(), "disjunctive");
    --depth_;
    return used;
  }

  std::uint32_t acceptance_set() {
    if (is(Kind::Sign, "!")) refuse(lexer_.peek(), "complemented acceptance sets are not supported");
    const Token set = lexer_.peek();
    const std::uint32_t i = number("an acceptance set", most_marks);
    if (i >= a_.sets) refuse(set, fmt::format("there are only {} acceptance sets", a_.sets));
    return i;
  }

  // Labels, weakest first: |, &, !.
  Set label() {
    if (++depth_ > deepest) refuse(lexer_.peek(), "the label is nested too deeply");
    Set result = conjunction();
    while (take(Kind::Sign, "|")) result = a_.letters->either(result, conjunction());
    --depth_;
    return result;
  }
  Set conjunction() {
    Set result = factor();
    while (take(Kind::Sign, "&")) result = a_.letters->both(result, factor());
    return result;
  }
  Set factor() {
    bool negative = false;
    while (take(Kind::Sign, "!")) negative = !negative;
    const Token at = lexer_.peek();
    Set result = none;
    if (take(Kind::Sign, "(")) {
      result = label();
      if (!take(Kind::Sign, ")")) refuse(lexer_.peek(), "a ')' is expected");
    } else if (at.kind == Kind::Number) {
      const std::uint32_t i = number("a proposition", most_atoms);
      if (i >= a_.atoms.size()) refuse(at, fmt::format("there are only {} propositions", a_.atoms.size()));
      result = a_.letters->variable(i);
    } else if (at.kind == Kind::Alias) {
      const auto known = aliases_.find(lexer_.next().text);
      if (known == aliases_.end()) refuse(at, fmt::format("the alias @{} is not defined", at.text));
      result = known->second;
    } else if (take(Kind::Name, "t")) {
      result = all;
    } else if (!take(Kind::Name, "f")) {
      refuse(at, "a label is expected");
    }
    return negative ? a_.letters->complement(result) : result;
  }

  std::optional<Set> bracketed_label() {
    if (!take(Kind::Sign, "[")) return std::nullopt;
    const Set result = label();
    if (!take(Kind::Sign, "]")) refuse(lexer_.peek(), "a ']' is expected");
    return result;
  }

  Marks marks() {
    Marks result = 0;
    if (!take(Kind::Sign, "{")) return result;
    while (!take(Kind::Sign, "}")) result |= Marks{1} << acceptance_set();
    return result;
  }

  void body() {
    while (!take(Kind::Marker, "--END--")) {
      const Token item = lexer_.next();
      if (item.kind == Kind::Marker && item.text == "--ABORT--") refuse(item, "the automaton was aborted: --ABORT--");
      if (item.kind != Kind::Header || item.text != "State") refuse(item, "State: or --END-- is expected");
      const auto common = bracketed_label();
      const Token name = lexer_.peek();
      const std::uint32_t q = state();
      if (!described_.insert(q).second) refuse(name, fmt::format("state {} is described twice", q));
      if (is(Kind::Text)) lexer_.next();
      edges_of(q, common, marks());
    }
    if (!is(Kind::End)) refuse(lexer_.peek(), "the file holds more than one automaton");
  }

  // All edges of a state have a label, or none has: then the state has one, or there is an edge for each letter.
  void edges_of(std::uint32_t q, std::optional<Set> common, Marks of_state) {
    const bool labelled = is(Kind::Sign, "[");
    std::uint64_t letter = 0;
    while (is(Kind::Sign, "[") || is(Kind::Number)) {
      const Token at = lexer_.peek();
      auto own = bracketed_label();
      if (own && common) refuse(at, "the label of this edge contradicts the one of its state");
      if (own.has_value() != labelled) refuse(at, "either all edges of a state have a label, or none has");
      if (!own && !common) own = implicit_label(at, letter++);
      const std::uint32_t target = state();
      a_.edges[q].push_back({own ? *own : *common, target, of_state | marks()});
    }
    if (letter != 0 && letter != std::uint64_t{1} << a_.atoms.size())
      refuse(lexer_.peek(), fmt::format("state {} has edges without labels for {} of {} letters", q, letter,
                                        std::uint64_t{1} << a_.atoms.size()));
  }

  // The n-th edge of a state without labels is for the letter n: bit i is proposition i.
  Set implicit_label(const Token& at, std::uint64_t letter) {
    if (a_.atoms.size() > 20 || letter >> a_.atoms.size() != 0)
      refuse(at, "this edge has no label, and all letters are taken");
    Set result = all;
    for (std::uint32_t i = 0; i < a_.atoms.size(); ++i) {
      const Set v = a_.letters->variable(i);
      result = a_.letters->both(result, (letter >> i & 1) != 0 ? v : a_.letters->complement(v));
    }
    return result;
  }

  // Acceptance sets that the condition does not name hold everywhere; several initial states become one.
  void finish() {
    for (auto& out : a_.edges)
      for (Edge& e : out) e.marks |= ignored_;
    if (a_.edges.empty()) a_.edges.emplace_back();
    if (starts_.size() == 1) a_.initial = starts_[0];
    if (starts_.size() == 1) return;
    a_.initial = static_cast<std::uint32_t>(a_.edges.size());
    a_.edges.emplace_back();
    for (const std::uint32_t q : starts_) {
      const std::vector<Edge> out = a_.edges[q];
      a_.edges.back().insert(a_.edges.back().end(), out.begin(), out.end());
    }
  }

  Lexer lexer_;
  Automaton a_;
  std::optional<std::uint32_t> declared_;
  std::vector<std::uint32_t> starts_;
  std::map<std::string, Set, std::less<>> aliases_;
  std::set<std::uint32_t> described_;
  std::vector<std::size_t> atoms_at_;  // offset of each proposition's text
  std::string other_acceptance_;       // the name in acc-name:, if it is none that is supported
  bool has_acceptance_ = false;
  Marks ignored_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

support::Result<Automaton> read_hoa(std::string_view text, const std::string& file, std::vector<HoaPlace>* atoms) {
  const auto place = [&](std::size_t at) {
    const std::string_view before = text.substr(0, at);
    const std::size_t end = before.rfind('\n');
    return HoaPlace{static_cast<unsigned>(std::ranges::count(before, '\n')) + 1,
                    static_cast<unsigned>(end == std::string_view::npos ? at + 1 : at - end)};
  };
  try {
    Reader reader(text);
    Automaton automaton = reader.read();
    if (atoms != nullptr)
      for (const std::size_t at : reader.atoms_at()) atoms->push_back(place(at));
    return automaton;
  } catch (const Mistake& mistake) {
    const auto [line, column] = place(mistake.at);
    return support::Diagnostic{file, line, column, mistake.message, std::string(support::line_of(text, line)), {}};
  }
}

}  // namespace heddle::ltl
