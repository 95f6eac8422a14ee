// Every row of the LLMC thesis's litmus tables is a row of the regression files, with the thesis's verdict for lmo and
// one for each model that both engines have: the runner then asks both, so none is skipped without a word.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "explore/livelock.h"
#include "explore/product.h"
#include "explore/search.h"
#include "lang/llvm/load.h"
#include "models/models.h"
#include "support/places.h"
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
    const auto rows = rows_of(tests::source_dir() + "/tests/regress/c/litmus/" + files.at(test) + ".c");
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

// "-D A=1 -D B" as a list.
std::vector<std::string> defines_of(const std::string& options) {
  std::vector<std::string> defines;
  std::istringstream words(options);
  for (std::string word; words >> word;)
    if (word != "-D") defines.push_back(word);
  return defines;
}

// All rows of one regression file by explicit states, compiled at each level; counts the verdicts.
void check_levels(const std::string& name, const std::vector<std::string>& always, bool livelock, unsigned& verdicts) {
  const char* elsewhere = std::getenv("HEDDLE_RUNTIME");
  lang::llvm_ir::Options reading;
  reading.runtime = elsewhere != nullptr ? elsewhere : tests::binary_dir() + "/runtime";
  const std::string file = tests::source_dir() + "/tests/regress/c/" + name;
  for (const auto& [options, row] : rows_of(file))
    for (const char* level : {"0", "1", "2"})
      for (const bool pending : {false, true}) {
        reading.optimise = level;
        reading.pending_loads = pending;
        reading.defines = always;
        for (const std::string& define : defines_of(options)) reading.defines.push_back(define);
        const auto loaded = lang::llvm_ir::load({file}, reading);
        ASSERT_TRUE(loaded) << render(loaded.error());
        for (const auto& [model, verdict] : row) {
          if ((model == "lmo" || model == "nsw") != pending) continue;
          SCOPED_TRACE(name + " " + options + " under " + model + " at -O" + level);
          const explore::Product product(**loaded, *models::machine(model), {});
          core::Budget budget;
          const auto result =
              explore::search(product, {.reduction = core::Reduction::Safety, .deadlocks = true}, budget);
          const auto fails = [&](core::State s, auto& scratch) { return product.assumption_failed(s, scratch); };
          bool violated = result.found.has_value();
          if (livelock && !violated) violated = explore::find_livelock(product, fails, budget).found;
          EXPECT_EQ(violated ? "violated" : "holds", verdict);
          ++verdicts;
        }
      }
}

TEST(LlmcRows, HoldAtEveryLevelOfOptimisation_slow) {
  if (!std::ifstream(tests::binary_dir() + "/runtime/symbols.txt") && std::getenv("HEDDLE_RUNTIME") == nullptr)
    GTEST_SKIP() << "no runtime library";
  unsigned verdicts = 0;
  for (const char* name : {"sb", "lb", "mp", "mp_dep", "iriw", "iriw_addr", "dl"})
    check_levels(std::string("litmus/") + name + ".c", {}, false, verdicts);
  check_levels("lockfree/msq_e5_d6.c", {"TEST=1"}, false, verdicts);
  check_levels("lockfree/msq_d4.c", {"TEST=2"}, false, verdicts);
  check_levels("lockfree/msq_d8.c", {"TEST=3"}, false, verdicts);
  check_levels("lockfree/msq_e10.c", {"TEST=4"}, true, verdicts);
  std::printf("%u verdicts\n", verdicts);
  EXPECT_GE(verdicts, 97U * 5 * 3);  // the thesis's rows, five models, three levels
}

}  // namespace
}  // namespace heddle
