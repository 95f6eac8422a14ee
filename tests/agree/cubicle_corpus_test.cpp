// Cubicle-W's systems: its verdicts under tso, every SAFE with a certificate that holds, every UNSAFE replayed.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <map>
#include <sstream>

#include "support/cubicle.h"
#include "support/shared.h"

namespace heddle {
namespace {

std::map<std::string, std::string> expected(const std::string& table) {
  std::map<std::string, std::string> result;
  std::ifstream in(tests::shared("corpora/" + table));
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string system, verdict;
    std::getline(fields, system, ',');
    std::getline(fields, verdict, ',');
    result[system] = verdict;
  }
  return result;
}

class CubicleCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (tests::shared("corpora/cubicle-w/expected.csv").empty()) GTEST_SKIP() << "the corpus is not here";
  }
};

TEST_F(CubicleCorpus, verdicts_under_tso) {
  const auto all = expected("cubicle-w/expected.csv");
  EXPECT_EQ(all.size(), 27u);
  for (const auto& [file, verdict] : all) {
    const auto system = cubicle::parse_file(tests::shared("corpora/cubicle-w/" + file).string());
    ASSERT_TRUE(system) << support::render(system.error());
    const core::Verdict v = test::decide(*system, "tso");
    EXPECT_EQ(test::name(v), verdict) << file;
    EXPECT_EQ(v.trace.has_value(), verdict == "unsafe") << file;
  }
}

// Systems without weak names: every one that Cubicle reads is read, and no answer differs from Cubicle's (-brab 2).
TEST_F(CubicleCorpus, cubicles_own_systems_slow) {
  unsigned answered = 0;
  for (const auto& [file, answer] : expected("cubicle/answers.csv")) {
    const auto system = cubicle::parse_file(tests::shared("corpora/cubicle/" + file).string());
    EXPECT_EQ(static_cast<bool>(system), answer != "error") << file;
    if (!system || answer == "limit") continue;
    drive::CubesOptions options;
    options.brab = 2;
    const core::Verdict v = test::decide(*system, "sc", options, 3);
    if (v.outcome == core::Outcome::Unknown) continue;
    EXPECT_EQ(test::name(v), answer) << file;
    ++answered;
  }
  EXPECT_GE(answered, 15u);
}

}  // namespace
}  // namespace heddle
