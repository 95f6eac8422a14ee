// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lang/promela/promela.h"
#include "support/diagnostics.h"
#include "support/words.h"

namespace heddle::promela {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The end of the comment that begins here; `at` if none does.
std::size_t behind_comment(std::string_view source, std::size_t at) {
  const std::string_view two = source.substr(at, 2);
  if (two == "//") return std::min(source.find('\n', at), source.size());
  if (two != "/*") return at;
  const std::size_t end = source.find("*/", at + 2);
  return end == std::string_view::npos ? source.size() : end + 2;
}

// Where the statement that begins at `at` ends, if its text is `statement`, blanks and comments aside.
std::optional<std::size_t> end_of(std::string_view source, std::size_t at, std::string_view statement) {
  for (const char c : statement) {
    if (blank(c)) continue;
    for (;;) {
      const std::size_t next = behind_comment(source, at);
      if (next == at && (at >= source.size() || !blank(source[at]))) break;
      at = std::max(next, at + 1);
    }
    if (at >= source.size() || source[at] != c) return std::nullopt;
    ++at;
  }
  return at;
}

bool inside_word(std::string_view source, std::size_t at) {
  return at > 0 && at < source.size() && support::in_word(source[at - 1]) && support::in_word(source[at]);
}

// A statement's labels belong to its text; an atomic block begins behind them.
std::size_t behind_labels(std::string_view source, std::size_t at) {
  for (;;) {
    std::size_t end = at;
    while (end < source.size() && support::in_word(source[end])) ++end;
    while (end < source.size() && blank(source[end])) ++end;
    if (end >= source.size() || source[end] != ':' || source.substr(end, 2) == "::") return at;
    for (++end; end < source.size() && blank(source[end]);) ++end;
    at = end;
  }
}

}  // namespace

std::optional<std::vector<std::pair<std::size_t, std::string>>> strengthen(std::string_view text,
                                                                           const core::SourcePlace& place, bool sync) {
  constexpr std::size_t shortened = 200;  // one_line() ends there
  const std::string_view line = support::line_of(text, place.line);
  if (line.empty() || place.text.empty() || place.text.size() >= shortened || place.column == 0) return std::nullopt;
  const auto line_start = static_cast<std::size_t>(line.data() - text.data());
  // The preprocessor may have moved the statement within its line, so one like it may stand where it was.
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t at = line_start; at < line_start + line.size(); ++at)
    if (const auto end = end_of(text, at, place.text);
        end && !blank(text[at]) && !inside_word(text, at) && !inside_word(text, *end)) {
      if (!found.empty() && found.back().second == *end) found.pop_back();  // began at a comment before it
      found.emplace_back(at, *end);
    }
  if (const auto exact = std::ranges::find(found, line_start + place.column - 1, [](const auto& f) { return f.first; });
      exact != found.end() && !needs_preprocessor(text))
    found = {*exact};
  if (found.size() != 1) return std::nullopt;
  auto [begin, end] = found.front();
  if (sync) return {{{end, "; sync"}}};
  begin = behind_labels(text, begin);
  return {{{begin, "atomic { "}, {end, " }"}}};
}

}  // namespace heddle::promela
