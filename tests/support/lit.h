// The annotations of LLVM's tests (lit): in which configurations a test applies, and with which flags it is compiled.
//
//   // UNSUPPORTED: A, B       not if one of the conditions holds
//   // XFAIL: A, B             expected to fail if one of them holds
//   // REQUIRES: A, B          only if all of them hold
//   // ADDITIONAL_COMPILE_FLAGS: FLAGS, ADDITIONAL_COMPILE_FLAGS(FEATURE): FLAGS
//
// A condition is built of features by !, &&, || and parentheses; text in {{ }} is a regular expression.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::tests::lit {

using Features = std::set<std::string>;

class Condition {
 public:
  Condition(std::string_view text, const Features& features) : text_(text), features_(features) {}
  bool holds() { return either(); }

 private:
  void skip() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }
  bool take(std::string_view word) {
    skip();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool either() {
    bool value = both();
    while (take("||")) value = both() || value;
    return value;
  }
  bool both() {
    bool value = one();
    while (take("&&")) value = one() && value;
    return value;
  }
  bool one() {
    if (take("!")) return !one();
    if (take("(")) {
      const bool value = either();
      take(")");
      return value;
    }
    skip();
    std::string pattern;  // a regular expression, in which all outside of {{ }} stands for itself
    while (!text_.empty() && text_.front() != ' ' && text_.front() != ')' && text_.front() != '|' &&
           text_.front() != '&') {
      const std::size_t end = text_.find("}}");
      if (text_.starts_with("{{") && end != std::string_view::npos) {
        pattern += "(" + std::string(text_.substr(2, end - 2)) + ")";
        text_.remove_prefix(end + 2);
      } else {
        if (std::string_view(".+*?^$()[]{}|\\").find(text_.front()) != std::string_view::npos) pattern += '\\';
        pattern += text_.front();
        text_.remove_prefix(1);
      }
    }
    const std::regex wanted(pattern);
    for (const std::string& feature : features_)
      if (std::regex_match(feature, wanted)) return true;
    return false;
  }

  std::string_view text_;
  const Features& features_;
};

struct Annotations {
  std::vector<std::string> unsupported, expected_failures, required, flags;
  std::vector<std::pair<std::string, std::string>> conditional_flags;  // feature, flags
  bool needs_files = false;

  bool supported(const Features& features) const {
    const auto holds = [&](const std::string& text) { return Condition(text, features).holds(); };
    return std::ranges::none_of(unsupported, holds) && std::ranges::none_of(expected_failures, holds) &&
           std::ranges::all_of(required, holds);
  }
};

inline Annotations annotations_of(const std::string& file) {
  Annotations result;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("//")) continue;
    const std::size_t colon = line.find(": ");
    const std::size_t begin = line.find_first_not_of("/ ");
    if (colon == std::string::npos || begin == std::string::npos || begin > colon) continue;
    const std::string key = line.substr(begin, colon - begin), rest = line.substr(colon + 2);
    const auto parts = [&](std::vector<std::string>& list) {
      std::istringstream items(rest);
      for (std::string item; std::getline(items, item, ',');) list.push_back(item.substr(item.find_first_not_of(' ')));
    };
    if (key == "UNSUPPORTED") parts(result.unsupported);
    else if (key == "XFAIL") parts(result.expected_failures);
    else if (key == "REQUIRES") parts(result.required);
    else if (key == "FILE_DEPENDENCIES" || key == "MODULE_DEPENDENCIES") result.needs_files = true;
    else if (key == "ADDITIONAL_COMPILE_FLAGS") result.flags.push_back(rest);
    else if (key.starts_with("ADDITIONAL_COMPILE_FLAGS("))
      result.conditional_flags.emplace_back(key.substr(25, key.size() - 26), rest);
  }
  return result;
}

}  // namespace heddle::tests::lit
