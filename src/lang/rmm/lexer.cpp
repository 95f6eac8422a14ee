// SPDX-License-Identifier: Apache-2.0
#include "lang/rmm/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heddle::rmm {
namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<std::string_view, 26> punctuation{":=", "!=", "==", "<=", ">=", "&&", "||", "=", "<",
                                                       ">",  "!",  "+",  "-",  "*",  "(",  ")",  "[", "]",
                                                       "{",  "}",  ";",  ":",  ",",  "?",  "&",  "|"};

}  // namespace

void mistake(const Source& source, const Token& token, std::string message, std::string hint) {
  support::Diagnostic d;
  d.file = source.file;
  d.line = token.line;
  d.column = token.column;
  d.message = std::move(message);
  d.source_line = std::string(support::line_of(source.text, token.line));
  d.hint = std::move(hint);
  throw Mistake{std::move(d)};
}

std::vector<Token> tokens_of(const Source& source) {
  const std::string_view text = source.text;
  std::vector<Token> tokens;
  std::size_t at = 0, line_start = 0;
  unsigned line = 1;
  const auto here = [&] {
    Token t;
    t.line = line;
    t.column = static_cast<unsigned>(at - line_start + 1);
    return t;
  };
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\n') {
      ++line;
      line_start = ++at;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) mistake(source, here(), "this comment has no end");
      for (; at < end + 2; ++at)
        if (text[at] == '\n') {
          ++line;
          line_start = at + 1;
        }
    } else {
      Token t = here();
      const std::size_t begin = at;
      if (letter(c)) {
        t.kind = Token::Kind::Name;
        while (at < text.size() && (letter(text[at]) || digit(text[at]))) ++at;
      } else if (digit(c)) {
        t.kind = Token::Kind::Number;
        std::int64_t value = 0;
        for (; at < text.size() && digit(text[at]); ++at) {
          value = value * 10 + (text[at] - '0');
          if (value > INT32_MAX) mistake(source, t, "this number does not fit into 32 bits");
        }
        t.number = static_cast<std::int32_t>(value);
      } else {
        const auto found =
            std::ranges::find_if(punctuation, [&](std::string_view p) { return text.substr(at).starts_with(p); });
        if (found == punctuation.end())
          mistake(source, t, fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c)));
        t.kind = Token::Kind::Punctuation;
        at += found->size();
      }
      t.text = text.substr(begin, at - begin);
      tokens.push_back(t);
    }
  }
  tokens.push_back(here());
  return tokens;
}

}  // namespace heddle::rmm
