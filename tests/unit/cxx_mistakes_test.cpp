// What a C++ file that cannot be checked is told: clang's first error with the user's line, what is refused by name, and the one
// command that builds the library where there is none.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "lang/llvm/load.h"
#include "support/own_folder.h"
#include "support/twin_programs.h"

namespace heddle::lang::llvm_ir {
namespace {

std::string written(const std::string& text) {
  const std::string file = (tests::own_folder() / "program.cpp").string();
  std::ofstream(file) << text;
  return file;
}

class CxxMistakes : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(tests::cxx_runtime() + "/cxx/symbols.txt")) GTEST_SKIP() << "there is no C++ library";
  }
  static support::Diagnostic mistake_of(const std::string& text) {
    Options options;
    options.runtime = tests::cxx_runtime();
    const auto program = load({written(text)}, options);
    EXPECT_FALSE(program) << text;
    return program ? support::Diagnostic() : program.error();
  }
};

TEST_F(CxxMistakes, an_error_stands_at_the_users_line) {
  const support::Diagnostic d = mistake_of("#include <vector>\nint main() {\n  std::vector<int> v;\n  v.push(1);\n}\n");
  EXPECT_TRUE(d.file.ends_with("program.cpp"));
  EXPECT_EQ(d.line, 4U);
  EXPECT_EQ(d.column, 5U);
  EXPECT_EQ(d.source_line, "  v.push(1);");
  EXPECT_NE(d.message.find("no member named 'push'"), std::string::npos) << d.message;
}

TEST_F(CxxMistakes, an_error_in_the_library_stands_at_the_line_that_leads_there) {
  const support::Diagnostic d = mistake_of(
      "#include <algorithm>\n#include <list>\n"
      "int main() {\n  std::list<int> l;\n  std::sort(l.begin(), l.end());\n}\n");
  EXPECT_TRUE(d.file.ends_with("program.cpp")) << d.file;
  EXPECT_EQ(d.line, 5U);
  EXPECT_EQ(d.source_line, "  std::sort(l.begin(), l.end());");
  EXPECT_NE(d.message.find("invalid operands"), std::string::npos) << d.message;
}

TEST_F(CxxMistakes, an_error_in_a_header_of_the_library_stands_at_its_inclusion) {
  const support::Diagnostic d = mistake_of("#define _LIBCPP_HAS_NO_THREADS\n\n#include <vector>\nint main() {}\n");
  EXPECT_TRUE(d.file.ends_with("program.cpp")) << d.file << d.message;
  EXPECT_EQ(d.line, 3U);
}

TEST_F(CxxMistakes, modules_are_refused_by_name) {
  const support::Diagnostic d = mistake_of("import std;\nint main() {}\n");
  EXPECT_EQ(d.line, 1U);
  EXPECT_NE((d.message + d.source_line).find("import"), std::string::npos) << d.message;
}

TEST(CxxLibrary, is_built_by_the_command_that_the_message_names) {
  Options options;
  options.runtime = (tests::own_folder() / "nothing").string();
  const auto program = load({written("int main() {}\n")}, options);
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().message.find("the C++ library of checked programs has not been built"), std::string::npos);
  EXPECT_EQ(program.error().hint, "build it with: runtime/build_cxx.sh " + options.runtime);
}

}  // namespace
}  // namespace heddle::lang::llvm_ir
