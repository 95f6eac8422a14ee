// Tokens of Memorax programs. Names may begin with `$` (registers).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace heddle::rmm {

struct Token {
  enum class Kind : std::uint8_t { End, Name, Number, Punctuation } kind = Kind::End;
  std::string_view text;
  unsigned line = 1, column = 1;
  std::int32_t number = 0;
};

struct Source {
  std::string file, text;
};

struct Mistake {
  support::Diagnostic diagnostic;
};

[[noreturn]] void mistake(const Source&, const Token&, std::string message, std::string hint = {});
std::vector<Token> tokens_of(const Source&);  // the last is End; throws Mistake
// Macros written out: a call is the macro's statements in braces, with its arguments, at the places of their tokens.
std::vector<Token> without_macros(const Source&, const std::vector<Token>&);

}  // namespace heddle::rmm
