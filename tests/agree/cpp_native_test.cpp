// The bitcode of checked C++ programs, with the C++ library, as native code over real threads (tests/runtime_native): what
// comes out of the twins is what the checker allows under the memory model of this machine, and programs that are SAFE end
// well. Each runs ten times. A short share in every run; HEDDLE_NATIVE_CXX=all for all sixty.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "graph/check.h"
#include "support/places.h"
#include "support/twin_programs.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

#ifdef __x86_64__
constexpr const char* model = "tso";
#else
constexpr const char* model = "armv8";
#endif
constexpr unsigned runs = 10, share = 10;
constexpr unsigned deadlocks = 42;  // the twin that need not end

bool all() {
  const char* wanted = std::getenv("HEDDLE_NATIVE_CXX");
  return wanted != nullptr && std::string(wanted) == "all";
}

// Lines of "status result". Each test has files of its own: others may run at the same time.
std::vector<std::string> native(const std::string& file, const std::string& flags) {
  const std::string command =
      fmt::format("'{0}/tests/runtime_native/run_cxx.sh' '{1}' '{2}/runtime_native/cxx' {6} '{0}/{3}' {4} {5} 2>&1",
                  tests::source_dir(), tests::cxx_runtime(), tests::binary_dir(), file, runs, flags,
                  testing::UnitTest::GetInstance()->current_test_info()->name());
  std::vector<std::string> lines;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  std::string text;
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  EXPECT_EQ(::pclose(pipe), 0) << text;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> allowed(unsigned twin) {
  const auto program = tests::load_twin(twin, "cpp");
  if (program == nullptr) return {};
  std::set<std::string> outcomes;
  graph::Options options;
  options.model = model;
  options.on_restart = [&] { outcomes.clear(); };
  options.on_complete = [&](const graph::Completed& done) { outcomes.insert(tests::result_of(*program, done.memory)); };
  core::Budget budget;
  const auto verdict = test::unjudged(graph::check(*program, options, budget));
  EXPECT_EQ(verdict.outcome, core::Outcome::Safe) << verdict.reason.text;
  return outcomes;
}

class CppNative : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v llvm-dis-19 objcopy ld nm > /tmp/null.$$ 2>&1; s=$?; rm -f /tmp/null.$$; exit $s") != 0)
      GTEST_SKIP() << "llvm-19 and binutils are needed";
    if (!std::ifstream(tests::cxx_runtime() + "/cxx/symbols.txt"))
      GTEST_SKIP() << "no C++ library at " << tests::cxx_runtime();
  }
};

TEST_F(CppNative, twins_end_in_what_is_allowed_slow) {
  for (unsigned twin = 1; twin <= tests::twins; twin += all() ? 1 : share) {
    if (twin == deadlocks) continue;
    const std::set<std::string> outcomes = allowed(twin);
    const auto lines = native("tests/support/twins.cpp", fmt::format("-DTWIN={}", twin));
    EXPECT_EQ(lines.size(), runs) << twin;
    for (const std::string& line : lines)
      EXPECT_TRUE(line.starts_with("0 ") && outcomes.contains(line.substr(2)))
          << "twin " << twin << ": " << line << ", allowed " << fmt::format("{}", fmt::join(outcomes, " "));
  }
}

TEST_F(CppNative, safe_programs_end_well_slow) {
  // Those of the examples and regressions that are SAFE as they stand, print nothing and need no locale.
  static const std::vector<std::string> programs = {
      "tests/regress/cpp/handlers.cpp",
      "tests/regress/cpp/constructors.cpp",
      "tests/regress/cpp/carried.cpp",
      "tests/regress/cpp/call_once.cpp",
      "tests/regress/cpp/statics.cpp",
      "tests/regress/cpp/atomic_wait.cpp",
      "tests/regress/cpp/synchronisation.cpp",
      "tests/regress/cpp/threads.cpp",
      "tests/regress/cpp/scoped_lock.cpp",
      "tests/regress/cpp/queue_of_shared_pointers.cpp",
      "tests/regress/cpp/pointer_keys.cpp",
      "tests/regress/cpp/twin_mutex.cpp",
      "tests/regress/cpp/failing_new.cpp",
      "tests/regress/cpp/terminate_unwinding.cpp",
      "tests/regress/cpp/specifications.cpp -std=c++14",
      "examples/singleton.cpp",
      "examples/spsc_ring.cpp",
      "examples/thread_pool.cpp",
      "examples/treiber_stack.cpp",
  };
  for (std::size_t i = 0; i < programs.size(); i += all() ? 1 : share) {
    const auto space = programs[i].find(' ');
    const auto lines =
        native(programs[i].substr(0, space), space == std::string::npos ? "" : programs[i].substr(space));
    EXPECT_EQ(lines.size(), runs) << programs[i];
    for (const std::string& line : lines) EXPECT_TRUE(line.starts_with("0 ")) << programs[i] << ": " << line;
  }
}

}  // namespace
}  // namespace heddle
