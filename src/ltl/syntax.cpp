// SPDX-License-Identifier: Apache-2.0
#include "ltl/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace heddle::ltl {
namespace {

// Deeper formulas than this are refused: parser, translation and evaluation recurse over the tree.
constexpr unsigned deepest_formula = 2000;

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '#'; }
bool begins_name(char c) { return is_name(c) && std::isdigit(static_cast<unsigned char>(c)) == 0; }

struct Spelling {
  std::string_view text;
  Operator op;
};
// Longer spellings before their prefixes.
constexpr std::array unary = {Spelling{"[]", Operator::Globally},    Spelling{"<>", Operator::Finally},
                              Spelling{"!", Operator::Not},          Spelling{"not", Operator::Not},
                              Spelling{"next", Operator::Next},      Spelling{"eventually", Operator::Finally},
                              Spelling{"always", Operator::Globally}};
constexpr std::array temporal = {Spelling{"weakuntil", Operator::WeakUntil},
                                 Spelling{"stronguntil", Operator::Until},
                                 Spelling{"until", Operator::Until},
                                 Spelling{"release", Operator::Release},
                                 Spelling{"weak", Operator::WeakUntil},
                                 Spelling{"strong", Operator::StrongRelease},
                                 Spelling{"U", Operator::Until},
                                 Spelling{"R", Operator::Release},
                                 Spelling{"V", Operator::Release},
                                 Spelling{"W", Operator::WeakUntil},
                                 Spelling{"M", Operator::StrongRelease}};
constexpr std::array conjunctions = {Spelling{"&&", Operator::And}, Spelling{"&", Operator::And},
                                     Spelling{"and", Operator::And}};
constexpr std::array disjunctions = {Spelling{"||", Operator::Or}, Spelling{"|", Operator::Or},
                                     Spelling{"or", Operator::Or}};
constexpr std::array implications = {Spelling{"->", Operator::Implies}, Spelling{"implies", Operator::Implies},
                                     Spelling{"imply", Operator::Implies}};
constexpr std::array equivalences = {Spelling{"<->", Operator::Iff}, Spelling{"iff", Operator::Iff},
                                     Spelling{"equivalent", Operator::Iff}};

// SPIN has them on one level.
constexpr std::array arrows = {equivalences[0], equivalences[1], equivalences[2],
                               implications[0], implications[1], implications[2]};

class FormulaReader {
 public:
  FormulaReader(std::string_view text, const ReadOptions& options) : text_(text), options_(options) {}

  support::Result<Sentence> read() {
    const auto root = equivalence();
    skip();
    if (!error_ && at_ < text_.size()) fail(fmt::format("'{}' does not belong here", text_.substr(at_, 1)));
    if (error_) return *error_;
    sentence_.root = *root;
    return std::move(sentence_);
  }

 private:
  using Node = std::optional<std::uint32_t>;

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  void fail(std::string message) {
    if (error_) return;
    const std::string_view before = text_.substr(0, at_);
    const auto lines = static_cast<unsigned>(std::ranges::count(before, '\n'));
    const std::size_t begin = lines == 0 ? 0 : before.rfind('\n') + 1;
    const unsigned shift = lines == 0 ? options_.column : 1;
    std::string line(lines == 0 && !options_.source_line.empty() ? options_.source_line
                                                                 : std::string(support::line_of(text_, lines + 1)));
    error_ = support::Diagnostic{options_.file.empty() ? "formula" : options_.file,
                                 options_.line + lines,
                                 static_cast<unsigned>(at_ - begin) + shift,
                                 std::move(message),
                                 std::move(line),
                                 {}};
  }

  Node add(Operator op, std::uint32_t left = 0, std::uint32_t right = 0) {
    sentence_.nodes.push_back({op, left, right});
    return static_cast<std::uint32_t>(sentence_.nodes.size() - 1);
  }

  // Takes one of the spellings if it stands here; a word must end where it ends.
  template <std::size_t N>
  std::optional<Operator> take(const std::array<Spelling, N>& spellings) {
    skip();
    for (const Spelling& s : spellings) {
      if (!text_.substr(at_).starts_with(s.text)) continue;
      const std::size_t end = at_ + s.text.size();
      if (is_name(s.text.back()) && end < text_.size() && (is_name(text_[end]) || text_[end] == '.')) continue;
      if (s.text == "!" && text_.substr(at_).starts_with("!=")) continue;
      at_ = end;
      return s.op;
    }
    return std::nullopt;
  }

  template <std::size_t N, class Operand>
  Node to_the_right(const std::array<Spelling, N>& spellings, Operand part) {
    if (++depth_ > deepest_formula) fail("the formula is nested too deeply");
    Node left = error_ ? Node() : (this->*part)();
    if (left) {
      if (const auto op = take(spellings)) {
        const Node right = to_the_right(spellings, part);
        left = right ? add(*op, *left, *right) : right;
      }
    }
    --depth_;
    return error_ ? Node() : left;
  }

  template <std::size_t N, class Operand>
  Node to_the_left(const std::array<Spelling, N>& spellings, Operand part) {
    const unsigned depth = depth_;
    Node left = (this->*part)();
    while (left) {
      const auto op = take(spellings);
      if (!op) break;
      if (++depth_ > deepest_formula) fail("the formula is nested too deeply");
      const Node right = error_ ? Node() : (this->*part)();
      left = right ? add(*op, *left, *right) : right;
    }
    depth_ = depth;
    return error_ ? Node() : left;
  }

  template <std::size_t N, class Operand>
  Node binary(const std::array<Spelling, N>& spellings, Operand part) {
    return options_.promela ? to_the_left(spellings, part) : to_the_right(spellings, part);
  }

  Node equivalence() {
    return options_.promela ? to_the_left(arrows, &FormulaReader::disjunction)
                            : to_the_right(equivalences, &FormulaReader::implication);
  }
  Node implication() { return to_the_right(implications, &FormulaReader::disjunction); }
  Node disjunction() { return binary(disjunctions, &FormulaReader::conjunction); }
  Node conjunction() { return binary(conjunctions, &FormulaReader::until); }
  Node until() { return binary(temporal, &FormulaReader::prefixed); }

  // A word of the letters G, F and X only is that sequence of operators.
  std::size_t letters() const {
    std::size_t end = at_;
    while (end < text_.size() && std::string_view("GFX").find(text_[end]) != std::string_view::npos) ++end;
    return end < text_.size() && (is_name(text_[end]) || text_[end] == '.') ? at_ : end;
  }

  Node prefixed() {
    if (++depth_ > deepest_formula) fail("the formula is nested too deeply");
    Node result;
    skip();
    if (const std::size_t end = letters(); !error_ && end > at_) {
      const std::string_view operators = text_.substr(at_, end - at_);
      at_ = end;
      result = prefixed();
      for (std::size_t i = operators.size(); result && i-- > 0;)
        result = add(operators[i] == 'G'   ? Operator::Globally
                     : operators[i] == 'F' ? Operator::Finally
                                           : Operator::Next,
                     *result);
    } else if (!error_ && negates_operand()) {
      result = expression();
    } else if (const auto op = error_ ? std::nullopt : take(unary)) {
      result = prefixed();
      if (result) result = add(*op, *result);
    } else if (!error_) {
      result = primary();
    }
    --depth_;
    return error_ ? Node() : result;
  }

  Node primary() {
    skip();
    if (at_ >= text_.size()) {
      fail("the formula ends where an operand is missing");
      return {};
    }
    if (text_[at_] == '(') return parenthesised();
    if (text_[at_] == '"') return quoted();
    for (const auto& [word, op] :
         {std::pair{"true", Operator::True}, {"false", Operator::False}, {"1", Operator::True}, {"0", Operator::False}})
      if (const std::string_view w = word; text_.substr(at_).starts_with(w)) {
        const std::size_t end = at_ + w.size();
        if (end < text_.size() && is_name(text_[end])) continue;
        const std::size_t begin = at_;
        at_ = end;
        if (!continues_expression()) return add(op);
        at_ = begin;
      }
    return expression();
  }

  // Promela: `!x == 1` is about the negation of x.
  bool negates_operand() {
    if (!options_.promela || at_ >= text_.size() || text_[at_] != '!') return false;
    const std::size_t begin = at_;
    const bool negates = operand() && continues_expression();
    error_.reset();
    at_ = begin;
    return negates;
  }

  // `(` opens a formula, unless the parentheses turn out to hold an operand of arithmetic: `(x + 1) == y`.
  Node parenthesised() {
    const std::size_t begin = at_;
    const std::size_t nodes = sentence_.nodes.size(), atoms = sentence_.atoms.size();
    ++at_;
    Node inner = equivalence();
    skip();
    if (inner && at_ < text_.size() && text_[at_] == ')') {
      ++at_;
      if (!continues_expression()) return inner;
    } else if (!error_) {
      fail("a ')' is missing");
    }
    // If the parentheses hold no formula, they may hold an expression; if neither, the first mistake is reported.
    auto mistake = std::exchange(error_, std::nullopt);
    const std::size_t mistaken = at_;
    sentence_.nodes.resize(nodes);
    sentence_.atoms.resize(atoms);
    at_ = begin;
    Node whole;
    if (!mistake || expression_in_parentheses()) whole = expression();
    if (whole && !error_) return whole;
    if (mistake) {
      error_ = std::move(mistake);
      at_ = mistaken;
    }
    return {};
  }

  // Whether the parentheses that open here are followed by an operator of an expression.
  bool expression_in_parentheses() {
    const std::size_t begin = at_;
    const bool balanced = brackets();
    const bool continues = balanced && continues_expression();
    at_ = begin;
    return continues;
  }

  Node quoted() {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) {
      fail("the quoted proposition has no end");
      return {};
    }
    const std::size_t begin = at_;
    at_ = end + 1;
    return atom(text_.substr(begin + 1, end - begin - 1), begin);
  }

  Node atom(std::string_view text, std::size_t begin) {
    auto& atoms = sentence_.atoms;
    auto known = std::ranges::find(atoms, text, &Atom::text);
    if (known == atoms.end()) {
      const std::string_view before = text_.substr(0, begin);
      const auto lines = static_cast<unsigned>(std::ranges::count(before, '\n'));
      const std::size_t from = lines == 0 ? 0 : before.rfind('\n') + 1;
      known = atoms.insert(known, {std::string(text), options_.line + lines,
                                   static_cast<unsigned>(begin - from) + (lines == 0 ? options_.column : 1)});
    }
    return add(Operator::Atom, static_cast<std::uint32_t>(known - atoms.begin()));
  }

  // Operators of expressions, but none of the logic's: `<` is not `<>` or `<->`, `-` not `->`, `|` not `||`.
  std::size_t expression_operator() const {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view two : {"==", "!=", "<=", ">=", "<<", ">>"})
      if (rest.starts_with(two)) return 2;
    if (rest.starts_with("<>") || rest.starts_with("<->") || rest.starts_with("->")) return 0;
    if (options_.promela && !rest.starts_with("&&") && !rest.starts_with("||") &&
        (rest.starts_with("&") || rest.starts_with("|")))
      return 1;
    return !rest.empty() && std::string_view("<>+-*/%^").find(rest.front()) != std::string_view::npos ? 1 : 0;
  }

  bool continues_expression() {
    skip();
    return expression_operator() > 0;
  }

  Node expression() {
    skip();
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (operand()) {
      end = at_;
      skip();
      const std::size_t length = expression_operator();
      if (length == 0) break;
      at_ += length;
      skip();
    }
    if (error_) return {};
    if (at_ > end && expression_operator() == 0 && at_ < text_.size() && end > begin) {
      // an operand, then white space, then no operator of expressions
      at_ = end;
    }
    if (end == begin || at_ > end) {
      if (at_ < text_.size()) fail(fmt::format("'{}' stands where an operand is expected", text_.substr(at_, 1)));
      else fail("the formula ends where an operand is missing");
      return {};
    }
    return atom(text_.substr(begin, end - begin), begin);
  }

  bool operand() {
    while (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '~' || (options_.promela && text_[at_] == '!')) &&
           !text_.substr(at_).starts_with("->")) {
      ++at_;
      skip();
    }
    if (at_ >= text_.size()) return false;
    if (text_[at_] == '(') return brackets();
    if (!is_name(text_[at_])) return false;
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    for (;;) {
      const std::string_view rest = text_.substr(at_);
      if (rest.size() > 1 && (rest[0] == '.' || rest[0] == '@' || (options_.promela && rest[0] == ':')) &&
          begins_name(rest[1])) {
        ++at_;
      } else if (options_.promela && rest.starts_with("(")) {  // len(channel)
        return brackets();
      } else if (rest.starts_with("->") && rest.size() > 2 && begins_name(rest[2]) && options_.owns_variables &&
                 options_.owns_variables(text_.substr(begin, at_ - begin))) {
        at_ += 2;
      } else if (rest.starts_with("[") && !rest.starts_with("[]")) {
        if (!brackets()) return false;
        continue;
      } else {
        return true;
      }
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    }
  }

  // From an opening bracket past its partner.
  bool brackets() {
    const std::size_t begin = at_;
    std::string open;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '(' || c == '[') open += c;
      if (c != ')' && c != ']') continue;
      if (open.empty() || (c == ')') != (open.back() == '(')) break;
      open.pop_back();
      if (open.empty()) {
        at_ = i + 1;
        return true;
      }
    }
    at_ = begin;
    fail(fmt::format("'{}' has no partner", text_.substr(begin, 1)));
    return false;
  }

  std::string_view text_;
  const ReadOptions& options_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  Sentence sentence_;
  std::optional<support::Diagnostic> error_;
};

std::string node_text(const Sentence& s, std::uint32_t node) {
  const SyntaxNode& n = s.nodes[node];
  const auto unary_text = [&](const char* op) { return fmt::format("{}({})", op, node_text(s, n.left)); };
  const auto binary_text = [&](const char* op) {
    return fmt::format("({}) {} ({})", node_text(s, n.left), op, node_text(s, n.right));
  };
  switch (n.op) {
    case Operator::True: return "1";
    case Operator::False: return "0";
    case Operator::Atom: return fmt::format("\"{}\"", s.atoms[n.left].text);
    case Operator::Not: return unary_text("!");
    case Operator::Next: return unary_text("X");
    case Operator::Finally: return unary_text("F");
    case Operator::Globally: return unary_text("G");
    case Operator::And: return binary_text("&");
    case Operator::Or: return binary_text("|");
    case Operator::Implies: return binary_text("->");
    case Operator::Iff: return binary_text("<->");
    case Operator::Until: return binary_text("U");
    case Operator::Release: return binary_text("R");
    case Operator::WeakUntil: return binary_text("W");
    case Operator::StrongRelease: return binary_text("M");
  }
  return {};
}

}  // namespace

support::Result<Sentence> read_formula(std::string_view text, const ReadOptions& options) {
  return FormulaReader(text, options).read();
}

std::string text_of(const Sentence& sentence) { return node_text(sentence, sentence.root); }

bool uses_next(const Sentence& sentence) {
  return std::ranges::any_of(sentence.nodes, [](const SyntaxNode& n) { return n.op == Operator::Next; });
}

}  // namespace heddle::ltl
