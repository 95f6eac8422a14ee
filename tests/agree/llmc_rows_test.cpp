// Every row of the LLMC thesis's litmus tables is a row of the regression files, with the thesis's verdict for lmo and
// one for each model that both engines have: the runner then asks both, so none is skipped without a word.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "support/shared.h"

namespace heddle {
namespace {

// The verdicts of a regression file: options, model → holds or violated.
std::map<std::string, std::map<std::string, std::string>> rows_of(const std::string& file) {
  std::map<std::string, std::map<std::string, std::string>> rows;
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::string line, options;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string slashes, what, models, verdict;
    words >> slashes >> what;
    if (slashes != "//") break;
    if (what == "with") {
      std::getline(words >> std::ws, options);
    } else if (what == "expect") {
      words >> models >> verdict;
      std::istringstream list(models);
      for (std::string model; std::getline(list, model, ',');) rows[options][model] = verdict;
    }
  }
  return rows;
}

TEST(LlmcRows, EachIsARegressionTestUnderEveryModelOfBothEngines) {
  const auto table = tests::shared("ground-truth/llmc-litmus.csv");
  if (table.empty()) GTEST_SKIP() << "no ground-truth/llmc-litmus.csv beside the checkout";
  const std::map<std::string, std::string> files = {{"SB", "sb"},         {"LB", "lb"},     {"MP", "mp"},
                                                    {"MP-dep", "mp_dep"}, {"IRIW", "iriw"}, {"IRIW+addr", "iriw_addr"},
                                                    {"DL", "dl"}};
  std::ifstream in(table);
  unsigned seen = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("test,")) continue;
    std::istringstream cells(line);
    std::string test, first, second, verdict;
    std::getline(cells, test, ',');
    std::getline(cells, first, ',');
    std::getline(cells, second, ',');
    std::getline(cells, verdict, ',');
    ASSERT_TRUE(files.contains(test)) << line;
    const auto rows = rows_of(std::string(HEDDLE_SOURCE_DIR) + "/tests/regress/c/litmus/" + files.at(test) + ".c");
    const std::string other = test.starts_with("IRIW") ? "T2" : "T1";
    const std::string options = first.empty() ? "" : "-D T0=" + first + " -D " + other + "=" + second;
    ASSERT_TRUE(rows.contains(options)) << line;
    const auto& row = rows.at(options);
    for (const char* model : {"sc", "tso", "pso", "nsw", "lmo"})
      EXPECT_TRUE(row.contains(model)) << line << " " << model;
    EXPECT_EQ(row.at("lmo"), verdict == "unsafe" ? "violated" : "holds") << line;
    ++seen;
  }
  EXPECT_EQ(seen, 97U);
}

}  // namespace
}  // namespace heddle
