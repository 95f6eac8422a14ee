// SPDX-License-Identifier: Apache-2.0
#include "support/diagnostics.h"

#include <gtest/gtest.h>

using namespace heddle::support;

TEST(Diagnostics, ShowsThePlaceTheLineAndACaret) {
  const Diagnostic d{"a.dve", 3, 5, "unknown name 'y'", "x = y;", "declare it"};
  EXPECT_EQ(render(d), "a.dve:3:5: error: unknown name 'y'\n  x = y;\n      ^\n  declare it\n");
}

// A #line may name a line of the file that is shorter than the one the mistake is in.
TEST(Diagnostics, APlaceMayLieBehindTheEndOfItsLine) {
  const std::string line(200, 'x');
  const std::string text = render({"a.c", 3, 700, "expected expression", line, ""});
  EXPECT_TRUE(text.ends_with("\n  " + line.substr(120) + "\n  " + std::string(80, ' ') + "^\n")) << text;
  EXPECT_EQ(render({"a.c", 3, 7, "no", "xy", ""}), "a.c:3:7: error: no\n  xy\n    ^\n");
}

TEST(Diagnostics, FindsLines) {
  EXPECT_EQ(line_of("a\nb\nc", 2), "b");
  EXPECT_EQ(line_of("a\nb", 3), "");
}
