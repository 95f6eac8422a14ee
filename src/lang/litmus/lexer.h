// Words of a litmus test, with their places. Comments `(* … *)` (nested) and, in C tests, `// …` and `/* … */` are
// blanks. A mistake is thrown as a Mistake inside this folder and leaves it as a Diagnostic (parse.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::lang::litmus {

struct Mistake {
  std::size_t at;  // offset in the text
  std::string message;
  std::string hint;
};

enum class TokenKind : std::uint8_t { Name, Number, Text, Sign, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // of a Text: without the quotes
  std::size_t at = 0;
  std::uint64_t number = 0;  // bits of a Number
};

// The text with comments replaced by blanks (line ends stay). Throws Mistake on a comment without an end.
std::string without_comments(std::string_view text, bool c_comments);

class Lexer {
 public:
  // Signs are the longest of a fixed list (==, !=, /\, \/, =>, &&, …). Names may begin with % (`%eax`), except in C.
  explicit Lexer(std::string_view text, std::size_t at = 0, bool c_names = false)
      : text_(text), at_(at), c_names_(c_names) {
    advance();
  }

  const Token& peek() const { return token_; }
  Token take() {
    Token t = token_;
    advance();
    return t;
  }
  bool is(std::string_view sign) const {
    return (token_.kind == TokenKind::Sign || token_.kind == TokenKind::Name) && token_.text == sign;
  }
  bool accept(std::string_view sign) {
    if (!is(sign)) return false;
    advance();
    return true;
  }
  Token expect(std::string_view sign);
  Token expect_name(std::string_view what);
  // An optional minus sign and a number.
  std::uint64_t expect_number();
  bool at_end() const { return token_.kind == TokenKind::End; }
  std::size_t position() const { return token_.at; }  // where the next token begins
  void seek(std::size_t at) {
    at_ = at;
    advance();
  }
  [[noreturn]] void fail(const std::string& message) const { throw Mistake{token_.at, message, {}}; }
  std::string_view text() const { return text_; }

 private:
  void advance();
  std::string_view text_;
  std::size_t at_;
  bool c_names_;
  Token token_;
};

// A number in C's notation (decimal, 0x…, suffixes u and l allowed); nothing if it is none or too big.
std::optional<std::uint64_t> parse_number(std::string_view);

}  // namespace heddle::lang::litmus
