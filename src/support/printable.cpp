// SPDX-License-Identifier: Apache-2.0
#include "support/printable.h"

#include <algorithm>

namespace heddle::support {

namespace {

// How many bytes the UTF-8 character at the start of the text has; 0 if there is none.
std::size_t character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t size = lead < 0x80                   ? 1
                           : lead >= 0xc2 && lead < 0xe0 ? 2
                           : (lead & 0xf0) == 0xe0       ? 3
                           : lead >= 0xf0 && lead < 0xf5 ? 4
                                                         : 0;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  if (size < 3) return size;
  // Neither written with more bytes than it needs, nor half of a pair of UTF-16, nor beyond U+10FFFF.
  const auto second = static_cast<unsigned char>(text[1]);
  const bool none = lead == 0xe0   ? second < 0xa0
                    : lead == 0xed ? second >= 0xa0
                    : lead == 0xf0 ? second < 0x90
                    : lead == 0xf4 ? second >= 0x90
                                   : false;
  return none ? 0 : size;
}

// C0 without tabs, DEL, and C1 (U+0080 to U+009F).
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 2) return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
  return character.size() == 1 && ((first < 0x20 && first != '\t') || first == 0x7f);
}

std::string shown(std::string_view text, bool lines) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character(text);
    const std::string_view next = text.substr(0, size);
    if (size == 0 || (is_control(next) && !(lines && next == "\n"))) out += '?';
    else out += next;
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, false); }

std::string printable_lines(std::string_view text) { return shown(text, true); }

}  // namespace heddle::support
