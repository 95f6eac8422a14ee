// Tokens of Promela. A Source is one text, as the preprocessor left it; its line marks say where lines come from.
// Mistakes are thrown as Mistake inside this folder and leave it as a Diagnostic.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace heddle::promela {

enum class Tok : std::uint8_t { End, Name, Number, String, Punctuation };

struct Token {
  Tok kind = Tok::End;
  std::uint32_t begin = 0, end = 0;  // in the text
  std::uint32_t file = 0;            // of Source::files
  unsigned line = 1, column = 1;     // the column is that of the preprocessed line, which messages show
  std::int32_t number = 0;
};

struct Source {
  std::vector<std::string> files;  // the first is the model itself
  std::string text;

  std::string_view text_of(const Token& t) const { return std::string_view(text).substr(t.begin, t.end - t.begin); }
};

struct Mistake {
  support::Diagnostic diagnostic;
};

[[noreturn]] void mistake(const Source&, const Token&, std::string message, std::string hint = {});

// All tokens, the last is End. Line marks of the preprocessor (`# 12 "file"`) name files and lines; files that they
// name are added to the source.
std::vector<Token> tokens_of(Source&);

// How a token is called in a message: "`atomic`", "the end of the text".
std::string describe(const Source&, const Token&);

// The text between two tokens in one line, runs of blanks and comments as one blank; for people, so that a long one is
// cut off unless all of it is asked for.
std::string one_line(const Source&, const Token& first, const Token& last, std::size_t longest = 200);

}  // namespace heddle::promela
