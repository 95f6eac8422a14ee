// Words of a `.cub` text. Comments `(* … *)` nest. A text that is no sequence of words yields an Error token whose text
// says why; the parser turns it into a diagnostic.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/cubicle/syntax.h"

namespace heddle::cubicle {

struct Token {
  enum class Kind : std::uint8_t { Lower, Upper, Number, Concrete, Sign, Error, End };
  Kind kind = Kind::End;
  std::string text;  // a Concrete's text is its number, without #
  Place place;
};

std::vector<Token> split(std::string_view text);

}  // namespace heddle::cubicle
