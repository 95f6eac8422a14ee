// Conditions over the globals and points of C programs: what they mean, and what is said of mistakes.
// SPDX-License-Identifier: Apache-2.0
#include "vm/conditions.h"

#include <gtest/gtest.h>

#include "c_snippet.h"

namespace heddle {
namespace {

constexpr const char* code = R"(
struct pair { signed char left; unsigned short right; unsigned bits : 3; };
enum colour { red, green = 7 };
int x = -3; unsigned long big = 0xffffffffffffffffUL; _Bool yes = 1; char *null; int at = 2;
struct pair pairs[3] = {{1, 2, 3}, {-1, 65535, 1}, {4, 5, 6}}; int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
enum colour paint = green; double half = 0.5; _Thread_local int own; _Atomic int shared = 9;
int counted(void) { static int calls = 5; return calls += own; }
int twice(void) { { static int count; ++count; } static int count; return ++count; }
int main(void) {
  return x + (int)big + yes + !null + at + pairs[0].left + grid[0][0] + (int)paint + (int)half + own + shared + counted() + twice();
}
)";

// The initial state of memory.
class Initial final : public core::StateReader {
 public:
  explicit Initial(const core::Program& program) : program_(program) {}
  core::Answer read(const core::Loc& loc) const override {
    const core::GlobalObject& g = program_.globals()[loc.object - 1];
    core::Answer answer;
    for (std::uint32_t i = 0; i < loc.size; ++i)
      answer.value.bits |= std::to_integer<std::uint64_t>(g.bytes[loc.offset + i]) << (8 * i);
    return answer;
  }
  std::size_t threads() const override { return 0; }
  core::ConstLocal local(core::Tid) const override { return {}; }

 private:
  const core::Program& program_;
};

TEST(Conditions, MeanWhatTheyMeanInC) {
  const auto program = tests::program_of(code);
  ASSERT_NE(program, nullptr);
  vm::Conditions conditions(dynamic_cast<const vm::VmProgram&>(*program));
  using core::Truth;
  const std::pair<const char*, Truth> rows[] = {
      {"x == -3", Truth::True},
      {"x + 4 == 1 && !(x > 0)", Truth::True},
      {"big > 0 && big == 0xffffffff * 0x100000001", Truth::True},  // 2^64 - 1 = (2^32 - 1)(2^32 + 1)
      {"yes", Truth::True},
      {"null == 0 && null == NULL", Truth::True},
      {"pairs[1].left == -1 && pairs[1].right == 65535", Truth::True},
      {"pairs[at].right == 5", Truth::True},
      {"pairs[at + 1].right == 5", Truth::NoValue},
      {"at < 2 && pairs[at + 1].right == 5", Truth::False},
      {"grid[1][at] == 6", Truth::True},
      {"paint == 7", Truth::True},
      {"shared << 2 == 36 && shared % 4 == 1", Truth::True},
      {"counted.calls == 5", Truth::True},
      {"1 / (at - 2)", Truth::NoValue},
      {"7 - 2 - 1 == 4", Truth::True},
      {"(1 | 6 & 3) == 3 && (5 ^ 1) == 4 && ~0 == -1", Truth::True},
      {"false || 010 == 8", Truth::True},
  };
  for (const auto& [text, expected] : rows) {
    const auto number = conditions.add(text);
    ASSERT_TRUE(number) << render(number.error());
    EXPECT_EQ(conditions.evaluate(*number, Initial(*program)), expected) << text;
  }
}

TEST(Conditions, SayWhatIsWrongAndWhere) {
  const auto program = tests::program_of(code);
  ASSERT_NE(program, nullptr);
  vm::Conditions conditions(dynamic_cast<const vm::VmProgram&>(*program));
  const struct {
    const char* text;
    unsigned column;
    const char* message;
  } rows[] = {
      {"x == nosuch", 6, "there is no global variable or point 'nosuch'"},
      {"pairs[0].middle == 1", 10, "pairs[0] has no member 'middle'"},
      {"x[1] == 2", 2, "x is no array"},
      {"grid[1] == 2", 1, "'grid[1]' is no whole number"},
      {"half > 0", 1, "'half' is no whole number"},
      {"pairs[0].bits == 1", 10, "a bit-field cannot be a part of a condition"},
      {"own == 1", 1, "'own' is thread-local: there is one for each thread"},
      {"twice.count == 1", 1, "there are several variables 'twice.count'"},
      {"*null == 0", 1, "a condition does not follow pointers"},
      {"x ==", 5, "the expression ends too early"},
      {"(x == 1", 8, "')' is missing"},
      {"grid[1 == 2", 12, "']' is missing"},
      {"x == 1 y", 8, "'y' is not understood here"},
      {"x == 99999999999999999999", 6, "this number does not fit 64 bits"},
      {"x == 1.5", 6, "this is no whole number"},
  };
  for (const auto& row : rows) {
    const auto number = conditions.add(row.text);
    ASSERT_FALSE(number) << row.text;
    EXPECT_EQ(number.error().message, row.message);
    EXPECT_EQ(number.error().column, row.column) << row.text;
  }
  EXPECT_FALSE(conditions.add(std::string(5000, '(')));
  std::string deep(5000, '!');
  deep += 'x';
  EXPECT_FALSE(conditions.add(deep));
}

}  // namespace
}  // namespace heddle
