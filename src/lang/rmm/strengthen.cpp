// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lang/rmm/lexer.h"
#include "lang/rmm/rmm.h"

namespace heddle::rmm {

std::optional<std::vector<std::pair<std::size_t, std::string>>> strengthen(std::string_view text,
                                                                           const core::SourcePlace& place, bool sync) {
  try {
    const Source source{place.file, std::string(text)};
    const std::vector<Token> tokens = tokens_of(source);
    const auto offset = [&](const Token& t) { return static_cast<std::size_t>(t.text.data() - source.text.data()); };
    const auto first = std::ranges::find_if(
        tokens, [&](const Token& t) { return t.line == place.line && t.column == place.column && t.text == "write"; });
    if (first == tokens.end()) return std::nullopt;
    if (!sync) return {{{offset(*first), "locked "}}};
    const auto end = std::find_if(first, tokens.end(), [](const Token& t) {
      return t.kind == Token::Kind::End || t.text == ";" || t.text == "}" || t.text == "or" || t.text == "else" ||
             t.text == "endmacro";
    });
    const Token& last = *std::prev(end);
    return {{{offset(*first), "{ "}, {offset(last) + last.text.size(), "; fence }"}}};
  } catch (const Mistake&) {
    return std::nullopt;  // another text than the one that was read
  }
}

}  // namespace heddle::rmm
