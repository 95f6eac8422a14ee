// SPDX-License-Identifier: Apache-2.0
#include "lang/promela/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heddle::promela {
namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// Longest first.
constexpr std::array<std::string_view, 42> punctuation{"->", "::", "++", "--", "!!", "??", "==", "!=", "<=", ">=", "<<",
                                                       ">>", "&&", "||", "..", "{",  "}",  "[",  "]",  "(",  ")",  ";",
                                                       ",",  ":",  "=",  "!",  "?",  "<",  ">",  "+",  "-",  "*",  "/",
                                                       "%",  "&",  "|",  "^",  "~",  ".",  "@",  "#",  "$"};

class Lexer {
 public:
  explicit Lexer(Source& source) : source_(source), text_(source.text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    do {
      skip_blank();
      Token token = here();
      if (at_ < text_.size()) read(token);
      token.end = static_cast<std::uint32_t>(at_);
      tokens.push_back(token);
    } while (tokens.back().kind != Tok::End);
    return tokens;
  }

 private:
  Token here() const {
    Token t;
    t.begin = t.end = static_cast<std::uint32_t>(at_);
    t.file = file_;
    t.line = line_;
    t.column = static_cast<unsigned>(at_ - line_start_ + 1);
    return t;
  }
  void newline() {
    ++line_;
    line_start_ = at_ + 1;
  }

  void skip_blank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#' && text_.substr(line_start_, at_ - line_start_).find_first_not_of(" \t") == std::string_view::npos) {
        line_mark();
      } else if (c == '\n') {
        newline();
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const Token start = here();
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) mistake(source_, start, "this comment has no end");
        for (; at_ < end + 2; ++at_)
          if (text_[at_] == '\n') newline();
      } else {
        return;
      }
    }
  }

  // `# 12 "file" 1` and `#line 12 "file"`: the line behind this one is line 12 of the file. Anything else with a `#`
  // should have gone to the preprocessor, which is told by what is left of it: `#pragma`.
  void line_mark() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view mark = text_.substr(at_ + 1, end - at_ - 1);
    const auto blanks = [&] { mark.remove_prefix(std::min(mark.find_first_not_of(" \t"), mark.size())); };
    blanks();
    if (mark.starts_with("line")) mark.remove_prefix(4);
    blanks();
    unsigned line = 0;
    bool any = false;
    for (; !mark.empty() && digit(mark[0]) && line < 100000000; mark.remove_prefix(1)) {
      line = line * 10 + static_cast<unsigned>(mark[0] - '0');
      any = true;
    }
    if (any) {
      const std::size_t quote = mark.find('"');
      if (quote != std::string_view::npos) {
        const std::string name(mark.substr(quote + 1, mark.find('"', quote + 1) - quote - 1));
        if (name != "<stdin>" && !name.starts_with('<')) {
          const auto found = std::ranges::find(source_.files, name);
          file_ = static_cast<std::uint32_t>(found - source_.files.begin());
          if (found == source_.files.end()) source_.files.push_back(name);
        } else {
          file_ = 0;
        }
      }
      line_ = line - 1;  // the newline behind the mark counts
    }
    at_ = end;
  }

  void read(Token& token) {
    const char c = text_[at_];
    if (letter(c)) {
      token.kind = Tok::Name;
      while (at_ < text_.size() && (letter(text_[at_]) || digit(text_[at_]))) ++at_;
    } else if (digit(c)) {
      read_number(token);
    } else if (c == '"') {
      read_string(token);
    } else if (c == '\'') {
      read_character(token);
    } else {
      const auto found =
          std::ranges::find_if(punctuation, [&](std::string_view p) { return text_.substr(at_).starts_with(p); });
      if (found == punctuation.end()) {
        const auto code = static_cast<unsigned char>(c);
        mistake(source_, token,
                code >= 0x20 && code < 0x7f ? fmt::format("`{}` is no part of Promela", c)
                                            : fmt::format("unexpected byte 0x{:02x}", code));
      }
      token.kind = Tok::Punctuation;
      at_ += found->size();
    }
  }

  void read_number(Token& token) {
    token.kind = Tok::Number;
    std::int64_t value = 0;
    for (; at_ < text_.size() && digit(text_[at_]); ++at_) {
      value = value * 10 + (text_[at_] - '0');
      if (value > INT32_MAX) mistake(source_, token, "this number does not fit into 32 bits");
    }
    if (at_ < text_.size() && letter(text_[at_])) mistake(source_, token, "a number must not be followed by letters");
    token.number = static_cast<std::int32_t>(value);
  }

  void read_string(Token& token) {
    token.kind = Tok::String;
    for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    if (at_ >= text_.size() || text_[at_] != '"') mistake(source_, token, "this string has no end");
    ++at_;
  }

  void read_character(Token& token) {
    token.kind = Tok::Number;
    ++at_;
    char c = at_ < text_.size() ? text_[at_++] : '\'';
    if (c == '\\' && at_ < text_.size()) {
      c = text_[at_++];
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == '0' ? '\0' : c;
    }
    if (at_ >= text_.size() || text_[at_] != '\'') mistake(source_, token, "this character has no end");
    ++at_;
    token.number = static_cast<unsigned char>(c);
  }

  Source& source_;
  const std::string_view text_;
  std::size_t at_ = 0, line_start_ = 0;
  std::uint32_t file_ = 0;
  unsigned line_ = 1;
};

}  // namespace

std::vector<Token> tokens_of(Source& source) { return Lexer(source).all(); }

void mistake(const Source& source, const Token& token, std::string message, std::string hint) {
  support::Diagnostic d;
  d.file = token.file < source.files.size() ? source.files[token.file] : source.files.front();
  d.line = token.line;
  d.column = token.column;
  d.message = std::move(message);
  const std::string_view text = source.text;
  const std::size_t at = std::min<std::size_t>(token.begin, text.size());
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  d.source_line = std::string(text.substr(begin, text.find('\n', begin) - begin));
  d.hint = std::move(hint);
  throw Mistake{std::move(d)};
}

std::string describe(const Source& source, const Token& token) {
  if (token.kind == Tok::End) return "the end of the text";
  return fmt::format("`{}`", source.text_of(token).substr(0, 60));
}

std::string one_line(const Source& source, const Token& first, const Token& last, std::size_t longest) {
  if (last.end < first.begin) return std::string(source.text_of(first));
  const std::string_view text = std::string_view(source.text).substr(first.begin, last.end - first.begin);
  std::string out;
  for (std::size_t i = 0; i < text.size() && out.size() < longest; ++i) {
    const char c = text[i];
    if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 1;
    } else if (text.substr(i, 2) == "//" || (c == '#' && (i == 0 || text[i - 1] == '\n'))) {
      i = std::min(text.find('\n', i), text.size());
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      out += c;
      continue;
    }
    if (!out.empty() && out.back() != ' ') out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace heddle::promela
