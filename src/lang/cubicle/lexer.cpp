// SPDX-License-Identifier: Apache-2.0
#include "lang/cubicle/lexer.h"

#include <array>
#include <cctype>

namespace heddle::cubicle {

namespace {

// Longest first: `<=>` before `<=`, `:=` before `:`.
constexpr std::array<std::string_view, 30> signs = {"<=>", "&&", "||", "=>", "<=", ">=", "<>", ":=", "->", "(",
                                                    ")",   "{",  "}",  "[",  "]",  ",",  ";",  ":",  "=",  "<",
                                                    ">",   "@",  "|",  ".",  "?",  "+",  "-",  "*",  "_",  "/"};

bool word_begin(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\''; }
bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::vector<Token> split(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  Place place{1, 1};
  const auto advance = [&](std::size_t n) {
    for (std::size_t i = 0; i < n; ++i, ++at) {
      if (text[at] == '\n') {
        ++place.line;
        place.column = 1;
      } else {
        ++place.column;
      }
    }
  };
  const auto starts = [&](std::string_view s) { return text.substr(at, s.size()) == s; };
  const auto push = [&](Token::Kind kind, std::string value, std::size_t length) {
    tokens.push_back({kind, std::move(value), place});
    advance(length);
  };

  if (starts("\xEF\xBB\xBF")) at = 3;  // a byte order mark
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      advance(1);
    } else if (starts("(*")) {
      const Place begin = place;
      unsigned depth = 0;
      do {
        if (at >= text.size()) {
          tokens.push_back({Token::Kind::Error, "this comment does not end", begin});
          return tokens;
        }
        if (starts("(*")) {
          ++depth;
          advance(2);
        } else if (starts("*)")) {
          --depth;
          advance(2);
        } else {
          advance(1);
        }
      } while (depth > 0);
    } else if (word_begin(c) || (c == '_' && at + 1 < text.size() && word_char(text[at + 1]))) {
      std::size_t n = 1;
      while (at + n < text.size() && word_char(text[at + n])) ++n;
      const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
      push(upper ? Token::Kind::Upper : Token::Kind::Lower, std::string(text.substr(at, n)), n);
    } else if (digit(c)) {
      std::size_t n = 1;
      while (at + n < text.size() && digit(text[at + n])) ++n;
      if (at + n + 1 < text.size() && text[at + n] == '.' && digit(text[at + n + 1])) {
        ++n;
        while (at + n < text.size() && digit(text[at + n])) ++n;
      }
      push(Token::Kind::Number, std::string(text.substr(at, n)), n);
    } else if (c == '#' && at + 1 < text.size() && digit(text[at + 1])) {
      std::size_t n = 1;
      while (at + n < text.size() && digit(text[at + n])) ++n;
      push(Token::Kind::Concrete, std::string(text.substr(at + 1, n - 1)), n);
    } else {
      std::string_view sign;
      for (const std::string_view s : signs) {
        if (starts(s)) {
          sign = s;
          break;
        }
      }
      if (sign.empty()) {
        const bool shown = std::isprint(static_cast<unsigned char>(c)) != 0;
        tokens.push_back({Token::Kind::Error,
                          shown ? "the character '" + std::string(1, c) + "' has no meaning here"
                                : std::string("a character that is not text"),
                          place});
        return tokens;
      }
      push(Token::Kind::Sign, std::string(sign), sign.size());
    }
  }
  tokens.push_back({Token::Kind::End, "the end of the file", place});
  return tokens;
}

}  // namespace heddle::cubicle
