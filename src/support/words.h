// What names are made of in most languages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heddle::support {

constexpr bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace heddle::support
