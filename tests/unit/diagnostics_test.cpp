// SPDX-License-Identifier: Apache-2.0
#include "support/diagnostics.h"

#include <gtest/gtest.h>

using namespace heddle::support;

TEST(Diagnostics, ShowsThePlaceTheLineAndACaret) {
  const Diagnostic d{"a.dve", 3, 5, "unknown name 'y'", "x = y;", "declare it"};
  EXPECT_EQ(render(d), "a.dve:3:5: error: unknown name 'y'\n  x = y;\n      ^\n  declare it\n");
}

TEST(Diagnostics, FindsLines) {
  EXPECT_EQ(line_of("a\nb\nc", 2), "b");
  EXPECT_EQ(line_of("a\nb", 3), "");
}
