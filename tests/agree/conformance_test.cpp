// The conformance tests of libc++ and libc++abi, as they are: each is a program that asserts what the standard says and
// must be SAFE under sc. They are fetched with the library's sources (runtime/build_cxx.sh OUTPUT_DIR tests) and are no part
// of this repository.
//
// A fixed sample runs with the suite, a share of every area of the library. HEDDLE_CONFORMANCE=all runs all of them, any other
// value those whose names contain it, @FILE those that FILE names; HEDDLE_CONFORMANCE_TIME is the limit of each in seconds,
// HEDDLE_CONFORMANCE_OPTIONS what else heddle is told, for example "-O 2".
//
// Left out are tests which their own annotations leave out here (tests/support/lit.h), and those of conformance.txt, each
// with its reason. UNSAFE is a failure, and so is UNKNOWN for any other reason than a limit. How many are not decided is
// printed.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "core/child.h"
#include "support/hash.h"
#include "support/lit.h"
#include "support/places.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
namespace lit = tests::lit;

constexpr unsigned shares = 4;  // tests of ctest's, which run side by side

const fs::path unpacked = tests::binary_dir() + "/conformance";

// The features of this configuration (libcxx/utils/libcxx/test/features.py) beside the standard.
const lit::Features features = {"clang",
                                "clang-19",
                                "clang-19.1",
                                "linux",
                                "stdlib=libc++",
                                "stdlib=llvm-libc++",
                                "target=x86_64-unknown-linux-musl",
                                "has-unix-headers",
                                "has-64-bit-atomics",
                                "has-fconstexpr-steps",
                                "gcc-style-warnings",
                                "-fsized-deallocation",
                                "-faligned-allocation",
                                "libcpp-hardening-mode=extensive",
                                "libcpp-has-no-incomplete-pstl",
                                "libcpp-has-no-experimental-tzdb",
                                "libcpp-has-no-experimental-syncstream",
                                "no-tzdb",
                                "can-create-symlinks"};

// Areas and how many tests of each are in the sample: more where Heddle's own work is (threads, exceptions, memory).
// Without those that are left out by their text there are 300.
const std::vector<std::pair<std::string, std::size_t>> areas = {
    {"libcxxabi/test/", 60},  // all that there are
    {"libcxx/test/std/thread/", 62},
    {"libcxx/test/std/atomics/", 16},
    {"libcxx/test/std/language.support/", 56},
    {"libcxx/test/std/utilities/", 44},
    {"libcxx/test/std/containers/", 34},
    {"libcxx/test/std/strings/", 10},
    {"libcxx/test/std/algorithms/", 6},
    {"libcxx/test/std/iterators/", 6},
    {"libcxx/test/std/numerics/", 10},
    {"libcxx/test/std/ranges/", 4},
    {"libcxx/test/std/time/", 4},
    {"libcxx/test/std/input.output/", 7},
    {"libcxx/test/std/localization/", 2},
    {"libcxx/test/std/re/", 1},
    {"libcxx/test/std/diagnostics/", 3},
    {"libcxx/test/std/experimental/", 1},
    {"libcxx/test/std/depr/", 1},
};

struct Excluded {
  std::string pattern, reason;
  bool by_text() const { return pattern.starts_with("text:"); }
};

// Lines of conformance.txt: a part of the path, blanks, the reason; or text:WORD for tests in which that word occurs.
std::vector<Excluded> exclusions() {
  std::vector<Excluded> list;
  std::ifstream stream(tests::source_dir() + "/tests/agree/conformance.txt");
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t blank = line.find(' ');
    const std::size_t reason = line.find_first_not_of(' ', blank);
    EXPECT_NE(reason, std::string::npos) << "an exclusion without a reason: " << line;
    list.push_back({line.substr(0, blank), reason == std::string::npos ? "" : line.substr(reason)});
  }
  return list;
}

// Which standard a test is compiled by: the newest in which its annotations have it. Empty: none.
std::string standard_of(const lit::Annotations& annotations) {
  for (const char* standard : {"c++26", "c++23", "c++20", "c++17", "c++14", "c++11"}) {
    lit::Features all = features;
    all.insert(standard);
    if (annotations.supported(all)) return standard;
  }
  return {};
}

std::vector<std::string> all_tests() {
  std::vector<std::string> names;
  for (const char* folder : {"libcxx/test/std", "libcxxabi/test"}) {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(unpacked / folder, error))
      if (entry.path().string().ends_with(".pass.cpp")) names.push_back(fs::relative(entry.path(), unpacked).string());
  }
  // In an order that has nothing to do with names: the first so many are as good a sample as any.
  std::ranges::sort(names, {}, [](const std::string& name) {
    return std::pair(support::hash_bytes(std::as_bytes(std::span(name))), name);
  });
  return names;
}

const std::string chosen = [] {
  const char* value = std::getenv("HEDDLE_CONFORMANCE");
  return std::string(value == nullptr ? "" : value);
}();

bool is_chosen(const std::string& name) {
  if (!chosen.starts_with('@')) return chosen == "all" || name.find(chosen) != std::string::npos;
  static const std::set<std::string> listed = [] {
    std::ifstream file(chosen.substr(1));
    return std::set<std::string>(std::istream_iterator<std::string>(file), {});
  }();
  return listed.contains(name);
}

std::string text_of(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(unpacked / name).rdbuf();
  return text.str();
}

bool fits(const Excluded& e, const std::string& name) {
  if (!e.by_text()) return name.find(e.pattern) != std::string::npos;
  return text_of(name).find(e.pattern.substr(5)) != std::string::npos;
}

// Those that are run, after all exclusions.
std::vector<std::string> sample() {
  const auto excluded = exclusions();
  std::map<std::string, std::size_t> taken;
  std::vector<std::string> result;
  for (const std::string& name : all_tests()) {
    std::string area;
    if (chosen.empty()) {
      const auto row = std::ranges::find_if(areas, [&](const auto& a) { return name.starts_with(a.first); });
      if (row == areas.end() || taken[row->first] == row->second) continue;
      area = row->first;
    } else if (!is_chosen(name)) {
      continue;
    }
    if (std::ranges::any_of(excluded, [&](const Excluded& e) { return !e.by_text() && fits(e, name); })) continue;
    const lit::Annotations annotations = lit::annotations_of((unpacked / name).string());
    if (annotations.needs_files || standard_of(annotations).empty()) continue;
    ++taken[area];  // also what is left out by its text: a new line of that kind brings no other tests into the sample
    if (std::ranges::any_of(excluded, [&](const Excluded& e) { return e.by_text() && fits(e, name); })) continue;
    result.push_back(name);
  }
  return result;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

core::ChildEnd check(const std::string& name) {
  const lit::Annotations annotations = lit::annotations_of((unpacked / name).string());
  const char* limit = std::getenv("HEDDLE_CONFORMANCE_TIME");
  const std::string seconds = limit != nullptr ? limit : "20";
  std::vector<std::string> command = {tests::binary_dir() + "/heddle",
                                      "check",
                                      "--model",
                                      "sc",
                                      "--trace",
                                      "off",
                                      "--strict",
                                      "--timeout",
                                      seconds,
                                      "--std",
                                      standard_of(annotations),
                                      "-I",
                                      (unpacked / "libcxx/test/support").string(),
                                      "--cflag=-w"};
  const auto add = [&](const std::string& flags) {
    for (const std::string& flag : words_of(flags)) command.insert(command.end(), {"--cflag=" + flag});
  };
  if (name.starts_with("libcxxabi/"))
    for (const char* folder : {"libcxxabi/test/support", "libcxxabi/src", "libcxxabi/include"})
      command.insert(command.end(), {"-I", (unpacked / folder).string()});
  for (const std::string& flags : annotations.flags) add(flags);
  for (const auto& [feature, flags] : annotations.conditional_flags)
    if (features.contains(feature)) add(flags);
  if (const char* options = std::getenv("HEDDLE_CONFORMANCE_OPTIONS"); options != nullptr)
    for (const std::string& word : words_of(options)) command.push_back(word);
  command.push_back((unpacked / name).string());
  core::ChildLimits limits;
  limits.seconds = std::stod(seconds) + 20;
  return core::run_program(command, "", limits);
}

bool unpack() {
  if (fs::exists(unpacked / "libcxxabi/test")) return true;
  const char* cache = std::getenv("HEDDLE_CACHE");
  const fs::path folder =
      cache != nullptr && fs::is_directory(cache) ? fs::path(cache) : fs::path(tests::binary_dir() + "/runtime/cache");
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with("libcxx-tests_")) {
      // Several tests may come here at once: each unpacks into a folder of its own, one of which becomes the folder.
      const std::string own = unpacked.string() + "." + std::to_string(::getpid());
      fs::create_directories(own);
      const std::string command = fmt::format("tar -xf '{}' -C '{}'", entry.path().string(), own);
      if (std::system(command.c_str()) != 0) return false;
      fs::rename(own, unpacked, error);
      if (error) fs::remove_all(own);
      return fs::exists(unpacked / "libcxxabi/test");
    }
  return false;
}

class Conformance : public testing::TestWithParam<unsigned> {};

TEST_P(Conformance, is_safe_under_sc_slow) {
  if (!unpack()) GTEST_SKIP() << "the tests of libc++ are not there: runtime/build_cxx.sh build/runtime tests";
  std::size_t number = 0, run = 0, limited = 0;
  for (const std::string& name : sample()) {
    ++number;
    // By the name: what is left out tomorrow moves no other test into another share.
    if (support::hash_bytes(std::as_bytes(std::span(name))) % shares != GetParam()) continue;
    ++run;
    const core::ChildEnd end = check(name);
    if (end.good()) continue;
    const auto says = [&](const char* text) { return end.out.find(text) != std::string::npos; };
    const bool limit =
        !end.stopped.empty() || (end.status == 3 && (says("limit reached") || says("ran too long without")));
    if (limit) {
      ++limited;
      fmt::print("limit  {}\n", name);
      std::fflush(stdout);
    } else {
      ADD_FAILURE() << name << " " << core::end_text(end) << "\n" << end.out << end.err;
    }
  }
  fmt::print("{} tests, {} of them not decided within their limit\n", run, limited);
  EXPECT_GT(number, 0u) << "there is no such test";
  EXPECT_LE(limited, run / 2 + 1) << "hardly anything was decided";
}

INSTANTIATE_TEST_SUITE_P(Libcxx, Conformance, testing::Range(0u, shares));

// A line of conformance.txt that fits no test is a mistake.
TEST(ConformanceList, has_no_useless_line_slow) {
  if (!unpack()) GTEST_SKIP() << "the tests of libc++ are not there: runtime/build_cxx.sh build/runtime tests";
  const auto names = all_tests();
  for (const Excluded& e : exclusions())
    EXPECT_TRUE(std::ranges::any_of(names, [&](const std::string& name) { return fits(e, name); })) << e.pattern;
}

}  // namespace
}  // namespace heddle
