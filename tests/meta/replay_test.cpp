// `--replay` is the same for every language: a saved violation is shown again (exit code 1), on a mended program it is
// an error (2), and `--model` chooses among the traces of the report.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/places.h"

namespace {

namespace fs = std::filesystem;

struct Language {
  const char *extension, *options, *wrong, *mended;
};

constexpr const char* lock = R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, flag;
static void *producer(void *a) {{
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_{});
  return a;
}}
int main(void) {{
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(atomic_load_explicit(&data, memory_order_relaxed));
  pthread_join(t, 0);
}}
)";
const std::string relaxed = fmt::format(lock, "relaxed"), release = fmt::format(lock, "release");

const Language languages[] = {
    {"c", "--model pso,rc11", relaxed.c_str(), release.c_str()},
    {"c", "--model sc,pso --engine explicit", "int x;\n#include <assert.h>\nint main(void) { x = 1; assert(x != 1); }",
     "int x;\n#include <assert.h>\nint main(void) { x = 2; assert(x != 1); }"},
    {"dve", "--model sc,pso --reach x==1",
     "byte x = 0;\nprocess P { state a, b; init a; trans a -> b { effect x = 1; }; }\nsystem async;\n",
     "byte x = 0;\nprocess P { state a, b; init a; trans a -> b { effect x = 2; }; }\nsystem async;\n"},
    {"pml", "--model sc,pso --reach x==1 --property assertion", "byte x;\nactive proctype P() { x = 1 }\n",
     "byte x;\nactive proctype P() { x = 2 }\n"},
    {"cub", "--model sc,pso",
     "type loc = A | B\narray PC[proc] : loc\ninit (z) { PC[z] = A }\nunsafe (z) { PC[z] = B }\n"
     "transition go (p) requires { PC[p] = A } { PC[p] := B }\n",
     "type loc = A | B\narray PC[proc] : loc\ninit (z) { PC[z] = A }\nunsafe (z) { PC[z] = B }\n"
     "transition go (p) requires { PC[p] = A } { PC[p] := A }\n"},
};

struct Output {
  int code = -1;
  std::string text;
};
Output run(const std::string& arguments) {
  const std::string command = fmt::format("'{}/heddle' check {} 2>&1", heddle::tests::binary_dir(), arguments);
  Output output;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.text.append(buffer, n);
  const int status = pclose(pipe);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return output;
}

TEST(Replay, IsTheSameForEveryLanguage) {
  if (!fs::exists(heddle::tests::binary_dir() + "/runtime/symbols.txt")) GTEST_SKIP() << "no runtime library";
  for (const Language& language : languages) {
    SCOPED_TRACE(fmt::format("{} {}", language.extension, language.options));
    const std::string file = fmt::format("{}replayed_{}.{}", testing::TempDir(), getpid(), language.extension);
    const std::string report = file + ".json", of_model = " --reach x==1";
    const bool reach = std::string(language.options).find("--reach") != std::string::npos;
    std::ofstream(file) << language.wrong;
    ASSERT_EQ(run(fmt::format("'{}' {} --json '{}'", file, language.options, report)).code, 1);
    const std::string again = fmt::format("'{}' --replay '{}'{}", file, report, reach ? of_model : "");
    const Output same = run(again), one = run(again + " --model pso"), none = run(again + " --model tso");
    EXPECT_EQ(same.code, 1) << same.text;
    EXPECT_EQ(one.code, 1) << one.text;
    EXPECT_EQ(one.text.find("\nsc "), std::string::npos) << one.text;
    EXPECT_EQ(one.text.find("\nrc11 "), std::string::npos) << one.text;
    EXPECT_EQ(none.code, 2) << none.text;
    EXPECT_NE(none.text.find("no trace under that memory model"), std::string::npos) << none.text;
    std::ofstream(file) << language.mended;
    const Output mended = run(again);
    EXPECT_EQ(mended.code, 2) << mended.text;
    EXPECT_NE(mended.text.find("does not lead to its violation"), std::string::npos) << mended.text;
    fs::remove(file);
    fs::remove(report);
  }
}

// A run under a weaker model says nothing about a stronger one, whatever the report says.
TEST(Replay, IsUnderTheModelOfTheVerdict) {
  if (!fs::exists(heddle::tests::binary_dir() + "/runtime/symbols.txt")) GTEST_SKIP() << "no runtime library";
  const std::string file = fmt::format("{}renamed_{}.c", testing::TempDir(), getpid()), report = file + ".json";
  std::ofstream(file) << relaxed;
  ASSERT_EQ(run(fmt::format("'{}' --model armv8 --json '{}'", file, report)).code, 1);
  std::stringstream text;
  text << std::ifstream(report).rdbuf();
  std::string renamed = text.str();
  const std::string name = "\"model\": \"armv8\"";
  ASSERT_NE(renamed.find(name), std::string::npos);
  renamed.replace(renamed.find(name), name.size(), "\"model\": \"sc\"");  // of the verdict; the trace comes behind it
  std::ofstream(report) << renamed;
  const Output output = run(fmt::format("'{}' --replay '{}'", file, report));
  EXPECT_EQ(output.code, 2) << output.text;
  EXPECT_NE(output.text.find("its trace is one under armv8"), std::string::npos) << output.text;
  fs::remove(file);
  fs::remove(report);
}

// Where a run comes to what is not supported there is no verdict, whatever the report says.
TEST(Replay, TakesNothingUnsupportedForAViolation) {
  if (!fs::exists(heddle::tests::binary_dir() + "/runtime/symbols.txt")) GTEST_SKIP() << "no runtime library";
  const std::string file = fmt::format("{}unsupported_{}.c", testing::TempDir(), getpid()), report = file + ".json";
  std::ofstream(file) << "#include <stdlib.h>\nvoid missing(void);\nvolatile int x;\n"
                         "int main(void) { x = 1; if (x == 1) LAST(); return 0; }\n";
  ASSERT_EQ(run(fmt::format("'{}' -D LAST=abort --model sc --engine explicit --json '{}'", file, report)).code, 1);
  std::stringstream text;
  text << std::ifstream(report).rdbuf();
  std::string forged = text.str();
  const std::string kind = "\"kind\": \"abort\"";
  ASSERT_NE(forged.find(kind), std::string::npos) << forged;
  forged.replace(forged.find(kind), kind.size(), "\"kind\": \"unsupported\"");
  std::ofstream(report) << forged;
  const Output output = run(fmt::format("'{}' -D LAST=missing --replay '{}'", file, report));
  EXPECT_EQ(output.code, 2) << output.text;
  EXPECT_NE(output.text.find("no violation of the program's"), std::string::npos) << output.text;
  fs::remove(file);
  fs::remove(report);
}

// Objects of the heap have no names: a message says where they come from.
TEST(Replay, NamesObjectsByTheirAllocation) {
  if (!fs::exists(heddle::tests::binary_dir() + "/runtime/symbols.txt")) GTEST_SKIP() << "no runtime library";
  const std::string file = fmt::format("{}unnamed_{}.c", testing::TempDir(), getpid());
  std::ofstream(file) << R"(#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static void *run(void *p) { return memset((char *)p + 4, 0, 4); }
int main(void) {
  void *p = malloc(8);
  pthread_t t;
  pthread_create(&t, 0, run, p);
  run(p);
  pthread_join(t, 0);
  free(p);
}
)";
  for (const char* how : {"--model sc --engine explicit", "--model rc11 --engine graph"}) {
    const Output output = run(fmt::format("'{}' -O0 {} --property race", file, how));
    EXPECT_EQ(output.code, 1) << output.text;
    EXPECT_NE(output.text.find(fmt::format("of the object allocated at {}:6", file)), std::string::npos) << output.text;
  }
  fs::remove(file);
}

// A run in which a weak compare-exchange fails spuriously is none where that is not allowed.
TEST(Replay, AllowsWhatTheOptionsAllow) {
  if (!fs::exists(heddle::tests::binary_dir() + "/runtime/symbols.txt")) GTEST_SKIP() << "no runtime library";
  const std::string file = fmt::format("{}spurious_{}.c", testing::TempDir(), getpid()), report = file + ".json";
  std::ofstream(file) << R"(#include <assert.h>
#include <stdatomic.h>
static atomic_int x;
int main(void) { int seen = 0; assert(atomic_compare_exchange_weak(&x, &seen, 1)); }
)";
  for (const char* options : {"--model sc --engine explicit", "--model sc --engine graph"}) {
    SCOPED_TRACE(options);
    ASSERT_EQ(run(fmt::format("'{}' {} --spurious-cas --json '{}'", file, options, report)).code, 1);
    const std::string again = fmt::format("'{}' --replay '{}'", file, report);
    const Output without = run(again), with = run(again + " --spurious-cas");
    EXPECT_EQ(without.code, 2) << without.text;
    EXPECT_NE(without.text.find("--spurious-cas allows"), std::string::npos) << without.text;
    EXPECT_EQ(with.code, 1) << with.text;
  }
  ASSERT_EQ(run(fmt::format("'{}' --model rc11 --json '{}'", file, report)).code, 1);
  EXPECT_EQ(run(fmt::format("'{}' --replay '{}'", file, report)).code, 1);
  EXPECT_EQ(run(fmt::format("'{}' --replay '{}' --spurious-cas=off", file, report)).code, 2);
  fs::remove(file);
  fs::remove(report);
}

}  // namespace
