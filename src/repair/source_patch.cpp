// SPDX-License-Identifier: Apache-2.0
#include "repair/source_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "support/words.h"

namespace heddle::repair {
namespace {

using core::Order;

struct Token {
  std::size_t begin = 0, end = 0;
  bool word = false;
  int depth = 0;  // of parentheses and brackets around it; of a bracket itself, outside
  int block = 0;  // the depth of the innermost brace around it: more than 0 in a lambda or a statement expression
};

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Tokens without comments and preprocessor lines. Numbers and strings are tokens without meaning here.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    std::size_t at = 0;
    bool line_begins = true;
    while (at < text.size()) {
      const char c = text[at];
      if (c == '\n') {
        line_begins = true;
        ++at;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at;
      } else if (text.substr(at, 2) == "//" || (c == '#' && line_begins)) {
        at = end_of_line(at);
      } else if (text.substr(at, 2) == "/*") {
        at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
      } else {
        line_begins = false;
        at = add(at);
      }
    }
  }

  std::size_t size() const { return list_.size(); }
  const Token& operator[](std::size_t i) const { return list_[i]; }
  std::string_view text(std::size_t i) const {
    return i < list_.size() ? text_.substr(list_[i].begin, list_[i].end - list_[i].begin) : std::string_view();
  }
  // The token that begins there, or none.
  std::optional<std::size_t> at(unsigned line, unsigned column) const {
    std::size_t offset = 0;
    for (unsigned l = 1; l < line; ++l) {
      offset = text_.find('\n', offset);
      if (offset == std::string_view::npos) return std::nullopt;
      ++offset;
    }
    offset += column - 1;
    const auto found = std::ranges::lower_bound(list_, offset, {}, &Token::begin);
    if (found == list_.end() || found->begin != offset) return std::nullopt;
    return static_cast<std::size_t>(found - list_.begin());
  }
  // Of an opening parenthesis or bracket: its partner, or the end.
  std::size_t partner(std::size_t open) const {
    for (std::size_t i = open + 1; i < list_.size(); ++i)
      if (list_[i].depth == list_[open].depth && (text(i) == ")" || text(i) == "]")) return i;
    return list_.size();
  }

 private:
  std::size_t end_of_line(std::size_t at) const {
    for (;; ++at) {
      at = std::min(text_.find('\n', at), text_.size());
      if (at == text_.size() || at == 0 || text_[at - 1] != '\\') return at;
    }
  }
  std::size_t add(std::size_t at) {
    const char c = text_[at];
    if (c == '}' && !blocks_.empty()) {
      depth_ = blocks_.back();
      blocks_.pop_back();
    }
    Token t{at, at + 1, false, depth_, blocks_.empty() ? 0 : blocks_.back()};
    if (starts_word(c)) {
      t.word = true;
      while (t.end < text_.size() && support::in_word(text_[t.end])) ++t.end;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      while (t.end < text_.size() && (support::in_word(text_[t.end]) || text_[t.end] == '.')) ++t.end;
    } else if (c == '"' || c == '\'') {
      while (t.end < text_.size() && text_[t.end] != c && text_[t.end] != '\n') t.end += text_[t.end] == '\\' ? 2 : 1;
      t.end = std::min(t.end + 1, text_.size());
    } else if (c == '(' || c == '[') {
      ++depth_;
    } else if (c == ')' || c == ']') {
      t.depth = depth_ = std::max(depth_ - 1, 0);
    } else if (c == '{') {
      blocks_.push_back(depth_);
    }
    list_.push_back(t);
    return t.end;
  }

  std::string_view text_;
  std::vector<Token> list_;
  int depth_ = 0;
  std::vector<int> blocks_;  // depths of the braces that are open
};

// A call of an atomic operation: a function of C, a builtin, or a member of std::atomic.
struct Call {
  std::size_t first = 0, name = 0, open = 0, close = 0;        // tokens; the first may be a `std`
  std::vector<std::pair<std::size_t, std::size_t>> arguments;  // tokens, the end not included
  bool member = false;
  bool explicit_order = false;
  bool compares = false, fence = false;
};

// `at` is the token of its name, or of a `std` before it.
std::optional<Call> call_at(const Tokens& tokens, std::size_t at) {
  const std::size_t first = at;
  if (tokens.text(at) == "std" && tokens.text(at + 1) == ":" && tokens.text(at + 2) == ":") at += 3;
  const std::string_view name = tokens.text(at), before = at > 0 ? tokens.text(at - 1) : std::string_view();
  const bool c11 = name.starts_with("atomic_"),
             builtin = name.starts_with("__atomic_") || name.starts_with("__c11_atomic_");
  const bool member =
      (before == "." || before == ">") && (name == "load" || name == "store" || name == "exchange" ||
                                           name.starts_with("fetch_") || name.starts_with("compare_exchange_"));
  if ((!c11 && !builtin && !member) || tokens.text(at + 1) != "(") return std::nullopt;
  Call call{first, at, at + 1, tokens.partner(at + 1), {}, member};
  if (call.close == tokens.size()) return std::nullopt;
  std::size_t begin = call.open + 1;
  for (std::size_t i = begin; i <= call.close; ++i)
    if ((i == call.close && i > call.open + 1) ||
        (tokens.text(i) == "," && tokens[i].depth == tokens[call.open].depth + 1 &&
         tokens[i].block == tokens[call.open].block)) {
      call.arguments.emplace_back(begin, i);
      begin = i + 1;
    }
  call.compares = name.find("compare_exchange") != std::string_view::npos;
  call.fence = name.ends_with("_thread_fence");
  const std::size_t operands = call.compares ? 2 : name == "load" ? 0 : 1;
  call.explicit_order =
      member ? call.arguments.size() > operands : builtin || call.fence || name.ends_with("_explicit");
  return call;
}

// The statement around a token.
struct Statement {
  std::size_t first = 0, last = 0;  // tokens; the last is its semicolon
  bool body = false;                // of an `if`, `else` or loop, without braces
  bool leaves = false;              // nothing can follow it
};

// Nothing if the token stands in the head of an `if` or a loop, or in no statement that ends with a semicolon.
std::optional<Statement> statement_of(const Tokens& tokens, std::size_t at) {
  const auto ends = [&](std::size_t i) {
    const std::string_view t = tokens.text(i);
    return tokens[i].depth == tokens[at].block && (t == ";" || t == "{" || t == "}");
  };
  Statement s;
  for (std::size_t i = at; i-- > 0;)
    if (ends(i)) {
      if (tokens.text(i) == "{" && i > 0 && tokens.text(i - 1) == "=") return std::nullopt;  // an initialiser
      s.first = i + 1;
      break;
    }
  if (const std::string_view t = tokens.text(s.first); t == "," || t == ")" || t == ".") return std::nullopt;
  for (bool more = true; more;) {
    more = false;
    const std::string_view word = tokens.text(s.first);
    if (word == "else" || word == "do") {
      ++s.first;
      s.body = more = true;
    } else if (word == "if" || word == "while" || word == "for" || word == "switch") {
      const std::size_t close = tokens.text(s.first + 1) == "(" ? tokens.partner(s.first + 1) : tokens.size();
      if (at <= close) return std::nullopt;
      s.first = close + 1;
      s.body = more = true;
    } else if (word == "case" || word == "default" ||
               (tokens[s.first].word && tokens.text(s.first + 1) == ":" && tokens.text(s.first + 2) != ":")) {
      while (s.first < at && tokens.text(s.first) != ":") ++s.first;
      if (s.first >= at) return std::nullopt;
      ++s.first;
      more = true;
    }
  }
  const std::string_view word = tokens.text(s.first);
  s.leaves = word == "return" || word == "goto" || word == "break" || word == "continue";
  for (s.last = at; s.last < tokens.size() && !ends(s.last);) ++s.last;
  if (tokens.text(s.last) != ";") return std::nullopt;
  return s;
}

bool inside(const Statement& s, std::optional<std::size_t> token) {
  return token && s.first <= *token && *token <= s.last;
}

std::string builtin_name(Order order) {
  std::string name = fmt::format("__ATOMIC_{}", core::order_name(order));
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

struct Change {
  std::size_t begin = 0, end = 0;
  std::string text;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

class Patcher {
 public:
  explicit Patcher(std::string_view text) : text_(text), tokens_(text) {
    for (const std::string_view line : lines_of(text)) {
      const std::string_view words = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
      if (words.starts_with('#') && words.find("include") != std::string_view::npos) {
        standard_ = standard_ || words.find("<atomic>") != std::string_view::npos;
        named_ = named_ || words.find("stdatomic.h") != std::string_view::npos;
      }
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_.text(i).starts_with("memory_order")) (i > 0 && is(i - 1, ":") ? standard_ : named_) = true;
  }

  // Why it cannot be made; empty if it can.
  std::string edit(const SourceEdit& e) {
    const auto at = tokens_.at(e.line, e.column);
    if (!at) return "nothing is known to stand here";
    switch (e.kind) {
      case SourceEdit::Kind::Order:
      case SourceEdit::Kind::Failure: return set_order(*at, e);
      case SourceEdit::Kind::Before: return put_before(*at, e);
      case SourceEdit::Kind::After: break;
    }
    return put_behind(*at, e);
  }

  // The text and where its lines are now.
  void result(PatchedSource& to) {
    // What is put in at a place comes before what is put in its stead.
    std::ranges::stable_sort(changes_, {}, [](const Change& c) { return std::pair{c.begin, c.end}; });
    std::vector<Change> made;
    std::size_t at = 0;
    for (Change& c : changes_) {
      if (c.begin < at) continue;  // two edits of one place: the first stands
      to.text += text_.substr(at, c.begin - at);
      to.text += c.text;
      at = c.end;
      made.push_back(std::move(c));
    }
    to.text += text_.substr(at);
    to.lines = {0};
    std::size_t next = 0, begin = 0;
    long added = 0;
    for (const std::string_view line : lines_of(text_)) {
      const std::size_t first = begin + std::min(line.find_first_not_of(" \t"), line.size());
      for (; next < made.size() && made[next].end <= first; ++next)
        added += std::ranges::count(made[next].text, '\n') -
                 std::ranges::count(text_.substr(made[next].begin, made[next].end - made[next].begin), '\n');
      const bool within = next < made.size() && made[next].begin <= first;
      const long broken =
          within ? std::ranges::count(text_.substr(made[next].begin, first - made[next].begin), '\n') : 0;
      to.lines.push_back(within && made[next].text.empty()
                             ? 0
                             : static_cast<unsigned>(static_cast<long>(to.lines.size()) + added - broken));
      begin += line.size();
    }
  }

 private:
  void change(std::size_t begin, std::size_t end, std::string text) {
    changes_.push_back({begin, end, std::move(text)});
  }

  // The call there; of a macro with arguments (assert), the one call of an atomic operation among them.
  std::optional<Call> call_within(std::size_t at) const {
    if (auto call = call_at(tokens_, at)) return call;
    if (!tokens_[at].word || tokens_.text(at + 1) != "(") return std::nullopt;
    std::optional<Call> only;
    const std::size_t close = tokens_.partner(at + 1);
    for (std::size_t i = at + 2; i < close; ++i) {
      auto call = call_at(tokens_, i);
      if (call && only) return std::nullopt;
      if (call) only = std::move(call);
    }
    return only;
  }

  std::string set_order(std::size_t at, const SourceEdit& e) {
    const auto call = call_within(at);
    if (!call && e.access == SourceEdit::Access::Load && make_load(at, e)) return {};
    if (!call && e.access == SourceEdit::Access::Store && make_store(at, e)) return {};
    if (!call)
      return tokens_[at].word ? fmt::format("the access comes from '{}', a macro or an expression: change it there",
                                            tokens_.text(at))
                              : "the access is written without a call: make it an atomic_..._explicit one first";
    if (!call->explicit_order) return make_explicit(*call, e);
    if (call->fence && e.order == Order::Plain) return remove_fence(*call);
    const std::size_t behind = call->compares && e.kind == SourceEdit::Kind::Order ? 2 : 1;
    if (call->arguments.size() < behind) return "it has no memory order";
    if (call->member && call->compares && call->arguments.size() == 3)
      return "it has one order for success and failure: write both";
    return replace_order(call->arguments[call->arguments.size() - behind], e);
  }

  bool is(std::size_t token, std::string_view text) const { return tokens_.text(token) == text; }
  // Is it the first character of an operator that ends there, such as ++ or +=?
  bool joined(std::size_t token, std::string_view second) const {
    return is(token + 1, second) && tokens_[token].end == tokens_[token + 1].begin;
  }
  // Text that a change may write anew; nothing if a comment stands in it.
  std::optional<std::string> movable(std::size_t begin, std::size_t end) const {
    const std::string text(text_.substr(begin, end - begin));
    if (text.find("/*") != std::string::npos || text.find("//") != std::string::npos) return std::nullopt;
    return text;
  }

  // The name of the operation that takes the place of an access without a call, and the end of its call.
  std::string begin_call(const SourceEdit& e, std::string_view operation) const {
    return e.plain ? fmt::format("__atomic_{}_n(", operation)
                   : fmt::format("{}atomic_{}_explicit(", standard_ ? "std::" : "", operation);
  }
  std::string end_call(const SourceEdit& e) const {
    return fmt::format(", {})", e.plain ? builtin_name(e.order) : order_name(e.order));
  }
  std::string order_name(Order order) const {
    return fmt::format("{}memory_order_{}", standard_ ? "std::" : "", core::order_name(order));
  }

  // The first token of `s->x` or `a[1].x`, given `x`; nothing if something else stands before it.
  std::optional<std::size_t> begin_of_path(std::size_t member) const {
    std::size_t at = member;
    for (;;) {
      const bool dot = at > 1 && is(at - 1, "."), arrow = at > 2 && is(at - 2, "-") && joined(at - 2, ">");
      if (!dot && !arrow) return at;
      at -= dot ? 2 : 3;
      if (is(at, "]")) {
        const int outside = tokens_[at].depth;
        while (at > 0 && !(is(at, "[") && tokens_[at].depth == outside)) --at;
        if (at-- == 0) return std::nullopt;
      }
      if (!tokens_[at].word) return std::nullopt;
    }
  }

  // `x`, `s->x` or `*p` is read.
  bool make_load(std::size_t at, const SourceEdit& e) {
    const bool pointed = is(at, "*");
    const std::size_t last = pointed ? at + 1 : at;
    if (last + 1 >= tokens_.size() || !tokens_[last].word) return false;
    const auto first = pointed ? std::optional(at) : begin_of_path(at);
    if (!first || *first == 0) return false;
    const std::string_view before = tokens_.text(*first - 1), behind = tokens_.text(last + 1);
    if (pointed && (tokens_[*first - 1].word ? before != "return" : before == ")" || before == "]")) return false;
    if (behind == "(" || behind == "[" || (pointed && (behind == "." || joined(last + 1, ">")))) return false;
    if (joined(last + 1, behind) && (behind == "+" || behind == "-")) return false;
    if ((behind == "=" || (joined(last + 1, "=") && behind != "!" && behind != "<" && behind != ">")) &&
        !(behind == "=" && joined(last + 1, "=")))
      return false;
    if (*first > 1 && (before == "+" || before == "-") && joined(*first - 2, before)) return false;
    const auto object = movable(tokens_[pointed ? last : *first].begin, tokens_[last].end);
    if (!object) return false;
    change(tokens_[*first].begin, tokens_[last].end,
           fmt::format("{}{}{}{}", begin_call(e, "load"), pointed ? "" : "&", *object, end_call(e)));
    return true;
  }

  // `x = value;` is a statement.
  bool make_store(std::size_t at, const SourceEdit& e) {
    const auto s = statement_of(tokens_, at);
    if (!s || !is(at, "=") || is(at + 1, "=") || at + 1 == s->last || at == s->first) return false;
    const bool pointed = is(s->first, "*");
    const std::size_t first = s->first + (pointed ? 1 : 0);
    const auto begun = at > first && tokens_[at - 1].word ? begin_of_path(at - 1) : std::nullopt;
    if (begun != first || (pointed && first + 1 != at)) return false;
    for (std::size_t i = at + 1; i < s->last; ++i)
      if (tokens_[i].depth == tokens_[at].depth &&
          (is(i, ",") ||
           (is(i, "=") && !is(i - 1, "=") && !joined(i, "=") && !is(i - 1, "!") && !is(i - 1, "<") && !is(i - 1, ">"))))
        return false;
    const auto object = movable(tokens_[first].begin, tokens_[at - 1].end);
    if (!object || !movable(tokens_[s->first].begin, tokens_[at + 1].begin)) return false;
    change(tokens_[s->first].begin, tokens_[at + 1].begin,
           fmt::format("{}{}{}, ", begin_call(e, "store"), pointed ? "" : "&", *object));
    change(tokens_[s->last].begin, tokens_[s->last].end, end_call(e) + ";");
    return true;
  }

  std::string replace_order(std::pair<std::size_t, std::size_t> argument, const SourceEdit& e) {
    const auto [begin, end] = argument;
    const std::string_view last = end > begin ? tokens_.text(end - 1) : std::string_view();
    const std::string_view written =
        end > begin ? text_.substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin)
                    : std::string_view();
    const bool plain = std::ranges::all_of(written, [](char c) { return support::in_word(c) || c == ':'; });
    for (const Order own : {Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst}) {
      const bool builtin = last == builtin_name(own);
      if (!plain || (!builtin && last != fmt::format("memory_order_{}", core::order_name(own)))) continue;
      const Order order = e.at_least ? core::join(own, e.order) : e.order;
      change(tokens_[end - 1].begin, tokens_[end - 1].end,
             builtin ? builtin_name(order) : fmt::format("memory_order_{}", core::order_name(order)));
      return {};
    }
    return fmt::format("its order is written as '{}': change it by hand", written);
  }

  // atomic_load(p) has the order seq_cst; for a compare-exchange both orders are written out.
  std::string make_explicit(const Call& call, const SourceEdit& e) {
    const Token& name = tokens_[call.name];
    auto& orders = implicit_[call.name];
    if (orders.empty()) {
      orders.assign(call.compares ? 2 : 1, Order::SeqCst);
      if (!call.member) change(name.end, name.end, "_explicit");
      implicit_changes_[call.name] = changes_.size();
      change(tokens_[call.close].begin, tokens_[call.close].begin, "");
    }
    orders[e.kind == SourceEdit::Kind::Failure ? 1 : 0] = e.order;
    std::string text;
    for (const Order order : orders) text += ", " + order_name(order);
    changes_[implicit_changes_[call.name]].text = call.arguments.empty() ? text.substr(2) : text;
    return {};
  }

  bool is_blank(std::size_t begin, std::size_t end) const {
    end = std::min(end, text_.size());
    return std::ranges::all_of(text_.substr(begin, end - begin),
                               [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  }

  std::string remove_fence(const Call& call) {
    const auto s = statement_of(tokens_, call.name);
    if (!s || s->first != call.first || s->last != call.close + 1) return "the fence is part of an expression";
    std::size_t begin = tokens_[call.first].begin, end = tokens_[s->last].end;
    if (s->body) {
      change(begin, end, ";");
      return {};
    }
    // The whole line, if nothing else stands on it.
    const std::size_t line = text_.rfind('\n', begin) + 1, rest = std::min(text_.find('\n', end), text_.size());
    if (is_blank(line, begin) && is_blank(end, rest) && rest < text_.size()) {
      begin = line;
      end = rest + 1;
    }
    change(begin, end, "");
    return {};
  }

  std::string fence(Order order) const {
    if (standard_ || named_)
      return fmt::format("{}atomic_thread_fence({})", standard_ ? "std::" : "", order_name(order));
    return fmt::format("__atomic_thread_fence({})", builtin_name(order));
  }

  std::string indent(std::size_t token) const {
    const std::size_t line = text_.rfind('\n', tokens_[token].begin) + 1;
    std::size_t end = line;
    while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
    return std::string(text_.substr(line, end - line));
  }
  bool begins_line(std::size_t token) const {
    const std::size_t line = text_.rfind('\n', tokens_[token].begin) + 1;
    return line + indent(token).size() == tokens_[token].begin;
  }

  // The end of the line, if nothing but a comment stands on it from here on.
  std::size_t behind_comment(std::size_t at) const {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    std::string_view rest = text_.substr(at, end - at);
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.front())) != 0) rest.remove_prefix(1);
    return rest.starts_with("//") || (rest.starts_with("/*") && rest.find("*/") == rest.size() - 2) ? end : at;
  }

  void put(const Statement& s, Order order, bool behind) {
    const std::size_t begin = tokens_[s.first].begin, end = tokens_[s.last].end, after = behind_comment(end);
    // Nothing of a line moves to another one unless all of it does.
    const bool own_line = begins_line(s.first) && (!behind || is_blank(after, text_.find('\n', after)));
    if (s.body) {
      change(begin, begin, behind ? "{ " : fmt::format("{{ {}; ", fence(order)));
      change(end, end, behind ? fmt::format(" {}; }}", fence(order)) : " }");
    } else if (!own_line) {
      change(behind ? end : begin, behind ? end : begin,
             behind ? fmt::format(" {};", fence(order)) : fmt::format("{}; ", fence(order)));
    } else if (behind) {
      change(after, after, fmt::format("\n{}{};", indent(s.first), fence(order)));
    } else {
      change(begin, begin, fmt::format("{};\n{}", fence(order), indent(s.first)));
    }
  }

  // Does one of the accesses and calls that come directly before or behind the fence stand between these tokens?
  bool between(const SourceEdit& e, std::size_t first, std::size_t last) const {
    return std::ranges::any_of(e.around, [&](const auto& position) {
      const auto token = tokens_.at(position.first, position.second);
      return token && first <= *token && *token <= last;
    });
  }

  // As part of an expression: what `before` says must come before the fence is no part of the call.
  std::string put_into(std::size_t at, Order order, const auto& before) {
    const auto call = call_at(tokens_, at);
    auto first = call && call->member ? begin_of_path(call->name) : std::optional(at);
    if (first && *first > 0 && is(*first - 1, ":")) first.reset();  // a name with a scope
    if (!call || !first || before(*first, call->close))
      return "the fence has no place of its own here: the access is part of an expression";
    change(tokens_[*first].begin, tokens_[*first].begin, fmt::format("({}, ", fence(order)));
    change(tokens_[call->close].end, tokens_[call->close].end, ")");
    return {};
  }

  std::string put_before(std::size_t at, const SourceEdit& e) {
    if (const auto s = statement_of(tokens_, at); s && !between(e, s->first, s->last)) {
      put(*s, e.order, false);
      return {};
    }
    return put_into(at, e.order, [&](std::size_t first, std::size_t last) { return between(e, first, last); });
  }

  std::string put_behind(std::size_t at, const SourceEdit& e) {
    if (const auto s = statement_of(tokens_, at); s && !s->leaves && !between(e, s->first, s->last)) {
      put(*s, e.order, true);
      return {};
    }
    const auto next = e.next_line != 0 ? tokens_.at(e.next_line, e.next_column) : std::nullopt;
    if (!next) return "the fence has no place of its own here: the access is part of an expression";
    if (const auto s = statement_of(tokens_, *next); s && !inside(*s, at)) {
      put(*s, e.order, false);
      return {};
    }
    return put_into(*next, e.order, [&](std::size_t first, std::size_t last) { return first <= at && at <= last; });
  }

  std::string_view text_;
  Tokens tokens_;
  std::vector<Change> changes_;
  std::map<std::size_t, std::vector<Order>> implicit_;   // by the token of the name: orders of a call that had none
  std::map<std::size_t, std::size_t> implicit_changes_;  // … and its change
  bool standard_ = false, named_ = false;                // orders are called std::memory_order_…, memory_order_…
};

// The lines of both texts, by a longest common subsequence (dynamic programming from first to last difference).
struct DiffLine {
  char mark;  // ' ', '-' or '+'
  std::string_view text;
};
std::vector<DiffLine> compared(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const std::size_t n = a.size() - head - tail, m = b.size() - head - tail;
  std::vector<std::uint32_t> common((n + 1) * (m + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (m + 1) + j]; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      at(i, j) = a[head + i] == b[head + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<DiffLine> out;
  for (std::size_t k = 0; k < head; ++k) out.push_back({' ', a[k]});
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && a[head + i] == b[head + j]) {
      out.push_back({' ', a[head + i++]});
      ++j;
    } else if (i < n && (j == m || at(i + 1, j) >= at(i, j + 1))) {
      out.push_back({'-', a[head + i++]});
    } else {
      out.push_back({'+', b[head + j++]});
    }
  }
  for (std::size_t k = a.size() - tail; k < a.size(); ++k) out.push_back({' ', a[k]});
  return out;
}

}  // namespace

bool expressible(std::string_view text, const SourceEdit& edit) { return Patcher(text).edit(edit).empty(); }

PatchedSource patched(std::string_view text, const std::vector<SourceEdit>& edits) {
  Patcher patcher(text);
  PatchedSource out;
  for (const SourceEdit& edit : edits)
    if (const std::string why = patcher.edit(edit); !why.empty())
      out.left_out.push_back(fmt::format("{}:{}: {}", edit.line, edit.column, why));
  patcher.result(out);
  return out;
}

std::string unified_diff(std::string_view file, std::string_view before, std::string_view after) {
  constexpr std::size_t context = 3;
  while (file.starts_with('/')) file.remove_prefix(1);
  const std::vector<DiffLine> lines = compared(lines_of(before), lines_of(after));
  std::vector<bool> shown(lines.size(), false);
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t k = i < context ? 0 : i - context;
         lines[i].mark != ' ' && k < std::min(i + context + 1, lines.size()); ++k)
      shown[k] = true;
  std::string out;
  std::size_t old_line = 1, new_line = 1;
  for (std::size_t i = 0; i < lines.size();) {
    if (!shown[i]) {
      ++old_line, ++new_line, ++i;
      continue;
    }
    std::string hunk;
    std::size_t olds = 0, news = 0;
    for (; i < lines.size() && shown[i]; ++i) {
      if (lines[i].mark != '+') ++olds;
      if (lines[i].mark != '-') ++news;
      hunk += lines[i].mark;
      hunk += lines[i].text;
      if (!lines[i].text.ends_with('\n')) hunk += "\n\\ No newline at end of file\n";
    }
    out += fmt::format("@@ -{},{} +{},{} @@\n{}", old_line, olds, new_line, news, hunk);
    old_line += olds;
    new_line += news;
  }
  return out.empty() ? out : fmt::format("--- a/{}\n+++ b/{}\n{}", file, file, out);
}

}  // namespace heddle::repair
