// Precompiled headers of the C++ library: what a file begins with is read rightly, and they change nothing.
// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/precompiled.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "lang/llvm/compile.h"
#include "lang/llvm/load.h"
#include "support/own_folder.h"
#include "support/places.h"

namespace heddle::lang::llvm_ir {
namespace {

using Words = std::vector<std::string>;
namespace fs = std::filesystem;

TEST(Precompiled, preambles_end_where_anything_else_begins) {
  const Preamble plain = preamble_of(
      "// a comment\n#include <thread>\n\n  # include <atomic> // why\n#define N 3\n"
      "/* two\nlines */ #include <vector>\nint x;\n#include <map>\n");
  EXPECT_EQ(plain.headers, (Words{"thread", "atomic", "vector"}));
  EXPECT_EQ(plain.macros, Words{"N"});
  EXPECT_EQ(preamble_of("#include <a>\n#include \"b\"\n#include <c>\n").headers, Words{"a"});
  EXPECT_EQ(preamble_of("#include <a>\n#if X\n#include <b>\n#endif\n").headers, Words{"a"});
  EXPECT_EQ(preamble_of("#include <a>\n#undef X\n#include <b>\n").headers, Words{"a"});
  EXPECT_EQ(preamble_of("#include <a>\n#pragma once\n#include <b>\n").headers, Words{"a"});
  EXPECT_EQ(preamble_of("#include <a>\n#include NAME\n#include <b>\n").headers, Words{"a"});
}

TEST(Precompiled, preambles_are_not_misled_by_comments_in_literals) {
  EXPECT_TRUE(preamble_of("#define A \"/*\"\n#define move x\n#define B \"*/\"\n#include <thread>\n").headers.empty());
  EXPECT_TRUE(preamble_of("#define A '/*'\n#include <thread>\n").headers.empty());
  EXPECT_TRUE(preamble_of("#define A \\\n#include <thread>\n").headers.empty());
  EXPECT_TRUE(preamble_of("// goes on \\\n#include <thread>\n#include <atomic>\n").headers.size() <= 1);
  EXPECT_TRUE(preamble_of("/* no end\n#include <thread>\n").headers.empty());
}

TEST(Precompiled, code_is_what_stands_outside_of_comments_and_literals) {
  EXPECT_EQ(code_of("a // b\nc /* d */ e /* f\ng */ h /*/ i */ j\n"), "a \nc   e   h   j\n");
  EXPECT_EQ(code_of("int x = 1'000; // it's\nint y = 0xf'a + 'b' + '\\'' + '\"';\nz"),
            "int x = 1'000; \nint y = 0xf'a +   +   +  ;\nz");
  EXPECT_EQ(code_of("f(\"/*\"); a\nb // \"\nc \"\\\"d\" e\n"), "f( ); a\nb \nc   e\n");
  EXPECT_EQ(code_of("#define A \\\n  b // c"), "#define A \\\n  b ");
  for (const char* difficult :
       {"R\"(\n/*)\" a */\n", "// goes on \\\na\n", "\"goes \\\n on\"", "#error don't /* a */\n", "/* a"})
    EXPECT_EQ(code_of(difficult), difficult);
}

class PrecompiledUse : public testing::Test {
 protected:
  void SetUp() override {
    const char* elsewhere = std::getenv("HEDDLE_RUNTIME");
    options_.runtime = elsewhere != nullptr ? elsewhere : tests::binary_dir() + "/runtime";
    if (!fs::exists(options_.runtime + "/cxx/symbols.txt")) GTEST_SKIP() << "there is no C++ library";
  }
  Options options(const Words& defines) const {
    Options result = options_;
    result.defines = defines;
    return result;
  }
  static std::string written(const std::string& text) {
    const std::string file = (tests::own_folder() / "program.cpp").string();
    std::ofstream(file) << text;
    return file;
  }
  // Is there one for this program?
  bool used(const std::string& text, const Words& defines = {}) const {
    return !precompiled_header({options_.clang, "--target=x86_64-unknown-linux-musl", "-std=c++20", "-nostdlibinc",
                                "-isystem", cxx_headers(options_), "-idirafter", options_.runtime + "/include"},
                               text, options(defines))
                .empty();
  }
  // … or will there be, once another process has made it that is at work on it?
  bool used_soon(const std::string& text, const Words& defines = {}) const {
    for (int i = 0; i < 600; ++i) {
      if (used(text, defines)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  }
  // The bytecode of all functions.
  static std::string bytecode(const std::string& text, const Options& options) {
    const auto all = disassemble({written(text)}, options);
    return all ? *all : all.error().message;
  }
  // Options that are passed on to clang as they are keep it from using one.
  Options without(const Words& defines = {}) const {
    Options result = options(defines);
    result.cflags = {"-Wno-everything"};
    return result;
  }

  Options options_;
};

TEST_F(PrecompiledUse, the_program_is_the_same) {
  const std::string text =
      "#include <cassert>\n#include <mutex>\n#define SHARED 3\n#include <thread>\n"
      "std::mutex lock; int shared = SHARED;\n"
      "int main() { std::thread t([] { std::lock_guard held(lock); shared += LESS; }); t.join(); assert(shared > 0); "
      "}\n";
  ASSERT_TRUE(used_soon(text, {"LESS=1"}));
  EXPECT_EQ(bytecode(text, options({"LESS=1"})), bytecode(text, without({"LESS=1"})));
}

TEST_F(PrecompiledUse, macros_that_headers_mention_are_not_moved_behind_them) {
  const std::string text = "#include <thread>\n#include <cassert>\nint main() { assert(false); }\n";
  EXPECT_TRUE(used_soon(text));
  EXPECT_FALSE(used(text, {"_LIBCPP_HARDENING_MODE=2"}));
  EXPECT_FALSE(used("#define _LIBCPP_HARDENING_MODE 2\n" + text));
  EXPECT_FALSE(used("struct thread;\n" + text));
  // Comments of the library's headers speak of N.
  EXPECT_TRUE(used(text, {"N=3"}));
  EXPECT_EQ(bytecode(text, options({"NDEBUG"})), bytecode(text, without({"NDEBUG"})));
  EXPECT_NE(bytecode(text, options({"NDEBUG"})), bytecode(text, options({})));
}

TEST_F(PrecompiledUse, headers_of_the_user_are_not_passed_over) {
  const std::string text = "#include <thread>\nint main() { return own; }\n";
  const fs::path folder = tests::own_folder() / "own";
  fs::create_directories(folder);
  std::ofstream(folder / "thread") << "inline int own = 0;\n";
  options_.includes = {folder.string()};
  EXPECT_FALSE(used(text));
  EXPECT_TRUE(disassemble({written(text)}, options_));
}

TEST_F(PrecompiledUse, one_that_is_broken_does_no_harm) {
  const std::string text = "#include <latch>\nint main() { std::latch l(0); l.wait(); }\n";
  const std::string right = bytecode(text, options_);
  for (const auto& entry : fs::directory_iterator(options_.runtime + "/cxx/precompiled"))
    if (entry.path().filename().string().starts_with("latch-") && entry.path().extension() == ".pch")
      std::ofstream(entry.path()) << "nothing";
  EXPECT_EQ(bytecode(text, options_), right);
}

TEST_F(PrecompiledUse, mistakes_are_told_as_without_one) {
  const std::string file = written("#include <thread>\nint main() {\n  std::thread t(1);\n  undeclared();\n}\n");
  const auto with = compile(file, options_), plain = compile(file, without());
  ASSERT_FALSE(with);
  EXPECT_EQ(with.error().line, plain.error().line);
  EXPECT_EQ(with.error().message, plain.error().message);
  EXPECT_NE(with.error().hint.find("undeclared"), std::string::npos);
}

}  // namespace
}  // namespace heddle::lang::llvm_ir
