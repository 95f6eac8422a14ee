// The runtime library of checked programs, tried as native code over a shim of the machine (tests/runtime_native):
// musl's bitcode and our threads, memory and files do what they should before any checker runs them. Native code needs
// the host's own architecture: on x86-64 the very bitcode of checked programs runs, elsewhere the same sources are
// compiled once more for the host. The first test builds the library, which takes a minute or two; hence all are slow.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include "support/places.h"

namespace {

const std::string source = heddle::tests::source_dir();
const std::string library = heddle::tests::binary_dir() + "/runtime";
#ifdef __x86_64__
const std::string native_library = library;
const std::string architecture = "x86_64";
#else
const std::string native_library = heddle::tests::binary_dir() + "/runtime_native/library";
const std::string architecture = "aarch64";
#endif

struct Outcome {
  int status;
  std::string output;
};

Outcome run(const std::string& command) {
  Outcome outcome{-1, ""};
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return outcome;
  char part[4096];
  for (std::size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;) outcome.output.append(part, n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

class Runtime : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome tools = run("command -v clang-19 llvm-link-19 llvm-nm-19 objcopy apt-get");
    if (tools.status != 0) GTEST_SKIP() << "clang-19, llvm-19 and binutils are needed";
    const Outcome built = run("'" + source + "/runtime/build.sh' '" + library + "'");
    ASSERT_EQ(built.status, 0) << built.output;
    if (native_library == library) return;
    // With the sources that the first build fetched.
    const Outcome second = run("mkdir -p '" + native_library + "' && HEDDLE_CACHE=${HEDDLE_CACHE:-'" + library +
                               "/cache'} '" + source + "/runtime/build.sh' '" + native_library + "' " + architecture);
    ASSERT_EQ(second.status, 0) << second.output;
  }

  // Each in a folder of its own: tests run side by side.
  Outcome native(const std::string& program, const std::string& name, const std::string& flags = "") {
    const std::string work = heddle::tests::binary_dir() + "/runtime_native/" + name;
    run("mkdir -p '" + work + "'");
    return run("'" + source + "/tests/runtime_native/run.sh' '" + native_library + "' '" + work + "' '" + source +
               "/tests/runtime_native/" + program + ".c' " + flags);
  }

  void expect_ok(const std::string& program) {
    const Outcome outcome = native(program, program);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("ok\n"), std::string::npos) << outcome.output;
  }
};

TEST_F(Runtime, strings_and_sorting_slow) { expect_ok("strings"); }
TEST_F(Runtime, formatting_and_files_slow) { expect_ok("stdio"); }
TEST_F(Runtime, mathematics_slow) { expect_ok("math"); }
TEST_F(Runtime, posix_threads_slow) { expect_ok("threads"); }
TEST_F(Runtime, c11_threads_slow) { expect_ok("c11"); }
TEST_F(Runtime, memory_jumps_and_ends_slow) { expect_ok("process"); }

TEST_F(Runtime, misuse_is_named_slow) {
  const char* said[] = {
      "error misuse: pthread_mutex_unlock of a mutex that is not locked",
      "error misuse: pthread_mutex_unlock of a mutex that another thread holds",
      "error misuse: pthread_mutex_destroy of a mutex that is locked",
      "error misuse: a condition wait with a mutex that the thread does not hold",
      "error misuse: pthread_rwlock_unlock of a lock that is not held",
      "error misuse: pthread_rwlock_unlock of a lock that only other threads hold",
      "error misuse: pthread_rwlock_destroy of a lock that is held",
      "error misuse: pthread_spin_unlock of a lock that is not held",
      "error misuse: pthread_setspecific with a key that does not exist",
      "error assertion: CASE != 9",
      "error abort: abort() was called",
      "error reach-error: reach_error() was called",
      "error unsupported: __VERIFIER_nondet_int has too many values to try all of them: give a range, as --nondet -1:5",
      "error misuse: this value is no thread",
      "error misuse: heddle_choose(0): there is nothing to choose from",
  };
  int number = 0;
  for (const char* text : said) {
    const Outcome outcome = native("misuse", "misuse", "-DCASE=" + std::to_string(number));
    EXPECT_EQ(outcome.status, 99) << number << ": " << outcome.output;
    EXPECT_EQ(outcome.output, std::string(text) + "\n") << number;
    ++number;
  }
}

// Whatever a module of the library refers to, another module or the machine defines: a program that reaches more than
// that is told so by name, so nothing may be missing by accident. main is the program's, __heddle_procs the front
// end's.
TEST_F(Runtime, nothing_is_missing_by_accident_slow) {
  const Outcome missing = run("export LC_ALL=C; known=$(mktemp); { echo main; echo __heddle_procs; cut -d' ' -f1 '" +
                              library + "/symbols.txt'; grep -oE '_*heddle_[a-z_]+' '" + source +
                              "/runtime/include/heddle_vm.h'; } | sort -u > $known; "
                              "llvm-nm-19 -u '" +
                              library +
                              "'/*.bc 2> /dev/null | sed -nE 's/^ *-* *U (.*)$/\\1/p' | sort -u | "
                              "comm -23 - $known; rm $known");
  EXPECT_EQ(missing.output, "");
}

}  // namespace
