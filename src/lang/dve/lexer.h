// Tokens of DVE. A Source is one text with the name under which the user knows it; mistakes in it are thrown as
// Mistake inside this folder and leave it as a Diagnostic.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace heddle::dve {

enum class Tok : std::uint8_t {
  End,
  Name,
  Number,
  // keywords
  Const,
  Byte,
  Int,
  Channel,
  Process,
  State,
  Init,
  Commit,
  Accept,
  Assert,
  Trans,
  Guard,
  Sync,
  Effect,
  System,
  Async,
  Property,
  True,
  False,
  And,
  Or,
  NotWord,
  Imply,
  // punctuation
  LeftBrace,
  RightBrace,
  LeftBracket,
  RightBracket,
  LeftParen,
  RightParen,
  Comma,
  Semicolon,
  Colon,
  Dot,
  Arrow,
  Assign,
  Question,
  Bang,
  AndAnd,
  OrOr,
  Bar,
  Amp,
  Caret,
  Tilde,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  ShiftLeft,
  ShiftRight,
  Plus,
  Minus,
  Star,
  Slash,
  Percent
};

struct Token {
  Tok kind = Tok::End;
  std::uint32_t begin = 0, end = 0;  // in the text
  unsigned line = 1, column = 1;
  std::int32_t number = 0;
};

struct Source {
  std::string file;
  std::string text;
  // Of a text that m4 made: the line of the file that each of its lines comes from, and 0 columns, since a line that
  // macros made has none. Empty for a text that is the file itself.
  std::vector<unsigned> origins = {};

  unsigned line(const Token&) const;
  unsigned column(const Token& token) const { return origins.empty() ? token.column : 0; }
};

struct Mistake {
  support::Diagnostic diagnostic;
};

[[noreturn]] void mistake(const Source&, const Token&, std::string message, std::string hint = {});

// Yields one token after the other, and End whenever asked after the last. Tokens are made on demand, so a mistake at
// the start of a huge text is found at once.
class Lexer {
 public:
  explicit Lexer(const Source&);
  Token next();  // throws Mistake

 private:
  Token start() const;
  bool sees(std::string_view s) const { return text_.substr(at_, s.size()) == s; }
  void newline();
  void skip_blank();
  void read(Token&);
  void read_number(Token&);

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0, line_start_ = 0;
  unsigned line_ = 1;
};

inline std::string_view text_of(const Source& source, const Token& token) {
  return std::string_view(source.text).substr(token.begin, token.end - token.begin);
}

// How a token is called in a message: "`guard`", "the end of the file", "name `x`".
std::string describe(const Source&, const Token&);
const char* spelling(Tok);

}  // namespace heddle::dve
