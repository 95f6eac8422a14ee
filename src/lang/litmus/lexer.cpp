// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/lexer.h"

#include <fmt/format.h>

#include <cctype>

#include "support/words.h"

namespace heddle::lang::litmus {

namespace {

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '%'; }

}  // namespace

std::string without_comments(std::string_view text, bool c_comments) {
  std::string out(text);
  const auto blank = [&](std::size_t i) {
    if (out[i] != '\n') out[i] = ' ';
  };
  unsigned braces = 0;
  bool threads = false;  // past the initial state
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view two = text.substr(i, 2);
    if (text[i] == '{') ++braces;
    if (text[i] == '}' && braces > 0) threads |= --braces == 0;
    if (text[i] == '"') {  // not inside a quoted text, which ends on its line
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
      i = end + 1;
    } else if (two == "(*" &&
               !(c_comments && ((threads && braces > 0) || (text.substr(i, 3) != "(* " && text.substr(i, 3) != "(*\n" &&
                                                            text.substr(i, 3) != "(**")))) {
      // In the threads of a test in C, `(*x)` is an expression; in its other parts a comment has a blank after its star.
      unsigned depth = 0;
      const std::size_t begin = i;
      for (;;) {
        if (i >= text.size()) throw Mistake{begin, "this comment has no end", {}};
        const std::string_view here = text.substr(i, 2);
        if (here == "(*") {
          ++depth;
          blank(i);
          blank(i + 1);
          i += 2;
        } else if (here == "*)") {
          --depth;
          blank(i);
          blank(i + 1);
          i += 2;
          if (depth == 0) break;
        } else {
          blank(i++);
        }
      }
    } else if (c_comments && two == "//") {
      while (i < text.size() && text[i] != '\n') blank(i++);
    } else if (c_comments && two == "/*") {
      const std::size_t begin = i;
      const std::size_t end = text.find("*/", i + 2);
      if (end == std::string_view::npos) throw Mistake{begin, "this comment has no end", {}};
      while (i < end + 2) blank(i++);
    } else {
      ++i;
    }
  }
  return out;
}

std::optional<std::uint64_t> parse_number(std::string_view s) {
  while (!s.empty() && (s.back() == 'u' || s.back() == 'U' || s.back() == 'l' || s.back() == 'L')) s.remove_suffix(1);
  unsigned base = 10;
  if (s.size() > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    base = 16;
    s.remove_prefix(2);
  }
  if (s.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (char c : s) {
    unsigned digit = 0;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    else if (base == 16 && std::isxdigit(static_cast<unsigned char>(c)))
      digit = static_cast<unsigned>(std::tolower(c) - 'a' + 10);
    else return std::nullopt;
    if (__builtin_mul_overflow(value, std::uint64_t{base}, &value) ||
        __builtin_add_overflow(value, std::uint64_t{digit}, &value))
      return std::nullopt;
  }
  return value;
}

void Lexer::advance() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  token_ = Token{TokenKind::End, {}, at_, 0};
  if (at_ >= text_.size()) return;
  const std::size_t begin = at_;
  const char c = text_[at_];
  if (is_name_start(c) && !(c == '%' && c_names_)) {
    ++at_;
    while (at_ < text_.size() && support::in_word(text_[at_])) ++at_;
    token_ = {TokenKind::Name, text_.substr(begin, at_ - begin), begin, 0};
  } else if (std::isdigit(static_cast<unsigned char>(c))) {
    while (at_ < text_.size() && support::in_word(text_[at_])) ++at_;
    const auto number = parse_number(text_.substr(begin, at_ - begin));
    if (!number)
      throw Mistake{begin, fmt::format("'{}' is not a number of 64 bits", text_.substr(begin, at_ - begin)), {}};
    token_ = {TokenKind::Number, text_.substr(begin, at_ - begin), begin, *number};
  } else if (c == '"') {
    const std::size_t end = text_.find_first_of("\"\n", begin + 1);
    if (end == std::string_view::npos || text_[end] == '\n') throw Mistake{begin, "this text has no closing quote", {}};
    at_ = end + 1;
    token_ = {TokenKind::Text, text_.substr(begin + 1, end - begin - 1), begin, 0};
  } else {
    static constexpr std::string_view longer[] = {
        "<<=", ">>=", "==", "!=", "/\\", "\\/", "=>", "&&", "||", "<=", ">=", "<<", ">>",
        "+=",  "-=",  "*=", "/=", "%=",  "++",  "--", "->", "&=", "|=", "^=", "<>"};
    std::size_t length = 1;
    for (std::string_view sign : longer)
      if (text_.substr(at_, sign.size()) == sign) {
        length = sign.size();
        break;
      }
    at_ += length;
    token_ = {TokenKind::Sign, text_.substr(begin, length), begin, 0};
  }
}

Token Lexer::expect(std::string_view sign) {
  if (!is(sign))
    fail(at_end() ? fmt::format("'{}' is missing at the end of the text", sign)
                  : fmt::format("'{}' expected before '{}'", sign, token_.text));
  return take();
}

Token Lexer::expect_name(std::string_view what) {
  if (token_.kind != TokenKind::Name)
    fail(at_end() ? fmt::format("{} is missing at the end of the text", what)
                  : fmt::format("{} expected before '{}'", what, token_.text));
  return take();
}

std::uint64_t Lexer::expect_number() {
  const bool minus = accept("-");
  if (token_.kind != TokenKind::Number)
    fail(at_end() ? "a number is missing at the end of the text"
                  : fmt::format("a number expected before '{}'", token_.text));
  const std::uint64_t n = take().number;
  return minus ? 0 - n : n;
}

}  // namespace heddle::lang::litmus
