// SPDX-License-Identifier: Apache-2.0
#include "report/markup.h"

#include "support/printable.h"

namespace heddle::report {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : support::printable_lines(text)) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string dot_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : support::printable_lines(text)) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') result += "\\n";
    else result += c;
  }
  return result + "\"";
}

}  // namespace heddle::report
