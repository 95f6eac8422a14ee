// Property files: lines `#define name expression` and `#property formula`. Everything else but comments is a mistake.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <utility>

#include "lang/dve/dve.h"
#include "support/words.h"

namespace heddle::dve {

using support::Diagnostic;
using support::Result;

namespace {

std::string_view trim(std::string_view s) {
  const std::size_t begin = s.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(" \t\r") - begin + 1);
}

// The line with blanks for its comments, so that columns stay.
std::string without_comments(std::string_view line) {
  std::string out(line);
  for (std::size_t at = 0; (at = out.find('/', at)) != std::string::npos; ++at) {
    const std::string_view rest = std::string_view(out).substr(at);
    const std::size_t end = rest.starts_with("/*") ? rest.find("*/", 2) : std::string_view::npos;
    if (!rest.starts_with("//") && !rest.starts_with("/*")) continue;
    const std::size_t length = end == std::string_view::npos ? rest.size() : end + 2;
    out.replace(at, length, length, ' ');
  }
  return out;
}

// Takes `word` and the blank after it from the front; false if it is not there.
bool take(std::string_view& text, std::string_view word) {
  if (text.substr(0, word.size()) != word || (text.size() > word.size() && support::in_word(text[word.size()])))
    return false;
  text = trim(text.substr(word.size()));
  return true;
}

}  // namespace

Result<PropertyFile> parse_properties(std::string_view text, const std::string& file) {
  PropertyFile out;
  unsigned number = 0;
  while (!text.empty()) {
    ++number;
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), whole.size() + 1));
    const std::string stripped = without_comments(whole);
    std::string_view rest = trim(stripped);
    const auto line = [&](std::string name, std::string_view value) {
      return PropertyFile::Line{std::move(name), std::string(value), number,
                                static_cast<unsigned>(value.data() - stripped.data()) + 1, std::string(whole)};
    };
    const auto wrong = [&](const char* message) {
      return Diagnostic{
          file, number, 1, message, std::string(whole), "lines are `#define name expression` and `#property formula`"};
    };
    if (rest.empty()) continue;
    if (take(rest, "#define")) {
      const auto end = std::find_if_not(rest.begin(), rest.end(), support::in_word);
      const std::string name(rest.begin(), end);
      const std::string_view value = trim(rest.substr(name.size()));
      if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return wrong("#define needs a name");
      if (value.empty()) return wrong("#define needs an expression after the name");
      for (const auto& d : out.definitions) {
        if (d.name == name) return wrong("this name is defined twice");
      }
      out.definitions.push_back(line(name, value));
    } else if (take(rest, "#property")) {
      if (rest.empty()) return wrong("#property needs a formula");
      out.properties.push_back(line({}, rest));
    } else {
      return wrong("this is no line of a property file");
    }
  }
  if (out.properties.empty()) return Diagnostic{file, 0, 0, "there is no #property line", {}, {}};
  return out;
}

Result<PropertyFile> load_properties(const std::string& path) {
  const Result<std::string> text = read_text(path);
  if (!text) return text.error();
  return parse_properties(*text, path);
}

}  // namespace heddle::dve
