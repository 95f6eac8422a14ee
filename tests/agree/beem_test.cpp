// The explicit engine on the whole BEEM corpus: states, edges and levels of every model up to ten million states, and
// every reachability goal, with a shortest trace that replays. The counts come from DiVinE 2 and an independent
// interpreter, the answers from BEEM's own tools.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "check/ir_replay.h"
#include "dve_space.h"
#include "explore/search.h"
#include "ir/system.h"
#include "lang/dve/dve.h"
#include "memory/models.h"
#include "support/beem.h"
#include "support/shared.h"

namespace heddle {
namespace {

explore::SearchResult explore_all(const ir::Program& program) {
  const ir::System system(program, memory::sc(), {});
  explore::SearchOptions options;
  options.workers = 2;
  options.errors = false;
  core::Budget budget;
  return search(system, options, budget);
}

void compare_counts(std::uint64_t least, std::uint64_t most) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  unsigned checked = 0;
  for (const auto& model : tests::beem_models(beem)) {
    const std::string path = beem + "/" + model.family + "/" + model.name + ".dve";
    if (model.states < least || model.states > most || !std::filesystem::exists(path)) continue;
    const auto program = dve::load(path);
    ASSERT_TRUE(program) << render(program.error());
    const auto result = explore_all(*program);
    EXPECT_EQ(result.states, model.states) << model.name;
    if (model.edges != 0) {
      EXPECT_EQ(result.transitions, model.edges) << model.name;
    }
    if (model.levels != 0) {
      EXPECT_EQ(result.levels, model.levels) << model.name;
    }
    ++checked;
  }
  std::printf("%u models\n", checked);
  EXPECT_GT(checked, 0U);
}

// The same from the m4 sources, with each instance's parameters.
void compare_sources(std::uint64_t least, std::uint64_t most) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  unsigned checked = 0;
  for (const auto& model : tests::beem_models(beem)) {
    const std::string path = beem + "/" + model.family + "/" + model.family + ".mdve";
    if (model.states < least || model.states > most || !std::filesystem::exists(path)) continue;
    const auto program = dve::load(path, {tests::beem_parameters(model.parameters), {}});
    if (!program) continue;  // needs the queue library that is not there: dve_corpus_test looks at the message
    EXPECT_EQ(explore_all(*program).states, model.states) << model.name;
    ++checked;
  }
  std::printf("%u instances\n", checked);
  EXPECT_GT(checked, 0U);
}

void compare_goals(std::uint64_t least, std::uint64_t most) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  const auto goals = tests::beem_goals(beem);
  std::map<std::string, tests::BeemModel> models;
  for (const auto& model : tests::beem_models(beem)) models[model.name] = model;
  unsigned checked = 0;
  for (const auto& f : tests::csv_rows(beem + "/answers.csv")) {
    const auto model = models.find(f[0]);
    if (f[2] != "reach" || model == models.end() || model->second.states < least || model->second.states > most)
      continue;
    const std::string path = beem + "/" + model->second.family + "/" + f[0] + ".dve";
    if (!std::filesystem::exists(path)) continue;
    SCOPED_TRACE(f[0] + " property " + f[1]);
    auto program = dve::load(path);
    ASSERT_TRUE(program) << render(program.error());
    const auto goal = dve::expand_m4(goals.at({model->second.family, f[1]}), "properties",
                                     tests::beem_parameters(model->second.parameters));
    ASSERT_TRUE(goal) << render(goal.error());
    const auto proposition = dve::add_proposition(*program, goal->text, "goal");
    if (!proposition) {
      ADD_FAILURE() << render(proposition.error());
      continue;
    }
    const ir::System system(*program, memory::sc(), {.buffer_bound = 0, .visible = {*proposition}, .assertions = true});
    explore::SearchOptions options;
    options.workers = 2;
    options.errors = false;  // goals only: some models leave the range of a variable elsewhere
    options.reduction = core::Reduction::Safety;
    options.goals = {{*proposition, true}};
    core::Budget budget;
    const auto result = search_with_trace(system, options, budget);
    EXPECT_EQ(result.found.has_value(), f[3] == "yes");
    if (result.found) {
      const auto replayed =
          check::replay(*program, "sc", 0, result.found->moves, {core::StateProposition{*proposition, true}});
      EXPECT_TRUE(replayed.confirmed) << replayed.why.text;
      // BEEM's own trace is some trace; ours is a shortest one.
      if (const auto theirs = std::stoull(f[4]); theirs != 0) {
        EXPECT_LE(result.found->moves.size(), theirs);
      }
    }
    ++checked;
  }
  std::printf("%u goals\n", checked);
  EXPECT_GT(checked, 0U);
}

TEST(Beem, CountsOfSmallModels) { compare_counts(1, 100'000); }
TEST(Beem, CountsOfMiddleModels_slow) { compare_counts(100'001, 2'000'000); }
TEST(Beem, CountsOfLargeModels_slow) { compare_counts(2'000'001, 4'000'000); }
TEST(Beem, CountsOfLargeModels_endless) { compare_counts(4'000'001, 10'000'000); }
TEST(Beem, SourcesOfSmallModels) { compare_sources(1, 50'000); }
TEST(Beem, SourcesOfLargerModels_slow) { compare_sources(50'001, 2'000'000); }
TEST(Beem, GoalsOfSmallModels) { compare_goals(1, 100'000); }
TEST(Beem, GoalsOfLargeModels_slow) { compare_goals(100'001, 2'000'000); }
TEST(Beem, GoalsOfLargeModels_endless) { compare_goals(2'000'001, 10'000'000); }

}  // namespace
}  // namespace heddle
