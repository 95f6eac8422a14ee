// Linear temporal logic on the BEEM corpus: every answer that BEEM's own tools gave for models of up to ten million
// states, by one and two workers. Violations are replayed and evaluated by the formula's semantics.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "support/beem.h"
#include "support/ltl_dve.h"
#include "support/shared.h"

namespace heddle {
namespace {

struct Row {
  std::string path, name, formula;
  bool holds = false;
};

// The rows of models with so many states, and how many of them there are no model files for.
std::vector<Row> rows(const std::string& beem, std::uint64_t least, std::uint64_t most) {
  std::map<std::pair<std::string, std::string>, std::string> formulas;
  for (const auto& f : tests::csv_rows(beem + "/properties.csv"))
    if (f.size() >= 5 && f[2] == "LTL") formulas[{f[0], f[1]}] = tests::beem_formula(f[3], f[4]);
  std::map<std::string, tests::BeemModel> models;
  for (const auto& model : tests::beem_models(beem)) models[model.name] = model;
  std::vector<Row> result;
  for (const auto& f : tests::csv_rows(beem + "/answers.csv")) {
    const auto found = models.find(f[0]);
    if (f[2] != "ltl" || found == models.end()) continue;
    const tests::BeemModel& model = found->second;
    const std::string path = beem + "/" + model.family + "/" + f[0] + ".dve";
    if (model.states < least || model.states > most || !std::filesystem::exists(path)) continue;
    const auto text =
        dve::expand_m4(formulas.at({model.family, f[1]}), "properties", tests::beem_parameters(model.parameters));
    EXPECT_TRUE(text) << render(text.error());
    if (!text) continue;
    std::string formula = text->text;
    while (!formula.empty() && formula.back() == '\n') formula.pop_back();
    result.push_back({path, f[0] + " property " + f[1] + ": " + formula, formula, f[3] == "yes"});
  }
  return result;
}

// `alone`: also by one worker without reduction, which takes long for large models.
void check_row(const Row& row, bool alone) {
  SCOPED_TRACE(row.name);
  auto program = dve::load(row.path);
  ASSERT_TRUE(program) << render(program.error());
  const auto formula = tests::bind(*program, row.formula);
  ASSERT_TRUE(formula);
  EXPECT_EQ(!tests::find_violation(*program, *formula, "sc", 0, {}, true).lasso, row.holds) << "reduced";
  const core::Budget clock;
  const auto result = tests::find_violation(*program, *formula, "sc", 0, {}, false, 2);
  const double seconds = clock.elapsed();
  EXPECT_EQ(!result.lasso, row.holds) << "two workers";
  if (alone) {
    const auto sequential = tests::find_violation(*program, *formula, "sc", 0);
    EXPECT_EQ(!sequential.lasso, row.holds);
    EXPECT_TRUE(!row.holds || sequential.states == result.states) << sequential.states << " and " << result.states;
  }
  if (std::getenv("HEDDLE_SHOW") != nullptr)
    std::printf("%s: %s, %llu states, %.2f s, %.1f bytes per state, lasso %zu + %zu\n", row.name.c_str(),
                result.lasso ? "no" : "yes", static_cast<unsigned long long>(result.states), seconds,
                static_cast<double>(result.bytes) / static_cast<double>(result.states),
                result.lasso ? result.lasso->stem.size() : 0, result.lasso ? result.lasso->loop.size() : 0);
}

void compare(std::uint64_t least, std::uint64_t most) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  const std::vector<Row> all = rows(beem, least, most);
  for (const Row& row : all) check_row(row, most <= 1'000'000);
  std::printf("%zu answers\n", all.size());
  EXPECT_FALSE(all.empty());
}

// The three tests below have all answers for models of up to ten million states.
TEST(BeemLtl, NoAnswerIsLeftOut) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  EXPECT_EQ(rows(beem, 1, 10'000'000).size(), 227u);
}

TEST(BeemLtl, SmallModels) { compare(1, 30'000); }
TEST(BeemLtl, MiddleModels_slow) { compare(30'001, 1'000'000); }
TEST(BeemLtl, LargeModels_slow) { compare(1'000'001, 3'000'000); }
TEST(BeemLtl, LargeModels_endless) { compare(3'000'001, 10'000'000); }

}  // namespace
}  // namespace heddle
