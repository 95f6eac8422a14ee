// Values as traces show them.
// SPDX-License-Identifier: Apache-2.0
#include "core/show_value.h"

#include <gtest/gtest.h>

#include "support/mini_program.h"

namespace heddle {
namespace {

using core::Value;

TEST(ShowValue, NumbersJustBelowZeroHaveASign) {
  const test::MiniProgram program;
  const auto show = [&](std::uint64_t bits, unsigned size) { return core::show_value(program, Value(bits), size); };
  EXPECT_EQ(show(0, 4), "0");
  EXPECT_EQ(show(0xffffffff, 4), "-1");
  EXPECT_EQ(show(0xffff0000, 4), "-65536");
  EXPECT_EQ(show(0xfffeffff, 4), "4294901759");
  EXPECT_EQ(show(0x80000000, 4), "2147483648");
  EXPECT_EQ(show(0xffff, 2), "-1");
  EXPECT_EQ(show(0x8000, 2), "32768");
  EXPECT_EQ(show(0xff, 1), "255");
  EXPECT_EQ(show(~std::uint64_t{0}, 8), "-1");
  EXPECT_EQ(show(~std::uint64_t{0}, 0), "-1");  // a choice
}

TEST(ShowValue, PointersAreShownByWhatTheyPointTo) {
  test::MiniProgram program;
  const test::Place x = program.variable("x", 2);
  const auto show = [&](Value v) { return core::show_value(program, v, 8); };
  EXPECT_EQ(show(Value::address(0, 0)), "null");
  EXPECT_EQ(show(Value::address(x.object, 0)), "&x");
  EXPECT_EQ(show(Value::address(x.object, 8)), "&x+8");
  EXPECT_EQ(show(Value::address(x.object, static_cast<std::uint32_t>(-4))), "&x-4");
  EXPECT_EQ(show(Value::address(9, 0)), "object 9");
  Value partly(3);
  partly.undefined = 0x100;
  EXPECT_EQ(show(partly), "undefined");
}

}  // namespace
}  // namespace heddle
