// Text that is not ours, for a terminal: control characters (escape sequences among them) and bytes that are no UTF-8
// become '?', so that a file cannot move the cursor or change the title of a window. Tabs stay.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heddle::support {

std::string printable(std::string_view text);

// The same for text of several lines.
std::string printable_lines(std::string_view text);

}  // namespace heddle::support
