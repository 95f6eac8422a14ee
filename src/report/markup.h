// Text inside HTML, SVG and DOT.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

// With entities for what markup gives a meaning, and without what XML does not have: control characters, and bytes that
// are no UTF-8.
std::string escaped(std::string_view text);

// A string of DOT, with its quotes.
std::string dot_string(std::string_view text);

}  // namespace heddle::report
