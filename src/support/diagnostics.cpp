// SPDX-License-Identifier: Apache-2.0
#include "support/diagnostics.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "support/printable.h"

namespace heddle::support {

namespace {

// As many columns as the text has on a terminal, roughly; tabs stay, so that both lines break alike.
std::string blank(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '\t') out += c;
    else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) out += ' ';
  return out;
}

}  // namespace

std::string render(const Diagnostic& d) {
  std::string out = printable(d.file);
  if (d.line != 0) out += ":" + std::to_string(d.line);
  if (d.line != 0 && d.column != 0) out += ":" + std::to_string(d.column);
  if (!out.empty()) out += ": ";
  out += "error: " + printable_lines(d.message) + "\n";
  if (!d.source_line.empty()) {
    constexpr std::size_t widest = 160;  // a generated line of a megabyte helps nobody
    // A #line may have given the place to a line that is shorter than the one it was found in.
    const std::size_t column = std::min<std::size_t>(d.column == 0 ? 0 : d.column - 1, d.source_line.size());
    const std::size_t from = column > widest / 2 && d.source_line.size() > widest ? column - widest / 2 : 0;
    const std::string_view line = d.source_line;
    out += "  " + printable(line.substr(from, widest)) + "\n";
    if (d.column != 0) out += "  " + blank(printable(line.substr(from, column - from))) + "^\n";
  }
  if (!d.hint.empty()) out += "  " + printable_lines(d.hint) + "\n";
  return out;
}

std::string_view line_of(std::string_view text, unsigned line) {
  for (unsigned at = 1; at < line; ++at) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  if (line == 0) return {};
  return text.substr(0, text.find('\n'));
}

void assertion_failed(const char* what, const char* file, int line) {
  std::fprintf(stderr, "heddle: internal error: %s does not hold (%s:%d)\n", what, file, line);
  std::abort();
}

}  // namespace heddle::support
