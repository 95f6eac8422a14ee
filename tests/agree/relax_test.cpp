// `relax` writes sb1 into the model: the result under sc against the machine sb1, state for state and step for step,
// with the counts of Havel's table 4.2, and his V => phi against memory fairness as acceptance.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "explore/search.h"
#include "ir/relax.h"
#include "support/beem.h"
#include "support/ltl_dve.h"
#include "support/places.h"
#include "support/random_dve.h"
#include "support/random_ltl.h"
#include "support/shared.h"

namespace heddle {
namespace {

// The relaxed program, through its text.
std::optional<ir::Program> relaxed(const ir::Program& program, const ir::RelaxOptions& options) {
  const auto relaxed = ir::relax(program, options);
  EXPECT_TRUE(relaxed) << (relaxed ? "" : render(relaxed.error()));
  if (!relaxed) return std::nullopt;
  const std::string text = dve::print(*relaxed);
  auto again = dve::load_text(text, "relaxed.dve");
  EXPECT_TRUE(again) << (again ? "" : render(again.error())) << text;
  if (!again) return std::nullopt;
  return std::move(*again);
}

explore::SearchResult explore_all(const ir::Program& program, const char* model, bool errors = false,
                                  std::uint64_t most = UINT64_MAX) {
  const ir::System system(program, *models::machine(model), {.buffer_bound = 5, .visible = {}});
  explore::SearchOptions options;
  options.errors = errors;
  options.workers = 2;
  core::Budget budget;
  budget.max_states = most;
  return search(system, options, budget);
}

TEST(Relax, FigureOfTheThesis) {
  const auto program = dve::load_text(
      "byte x=0; byte y=0;\n"
      "process A { state a1,a2,a3; init a1; trans a1->a2 {effect y=1;}, a2->a3 {effect x=1;}; }\n"
      "process B { state b1,b2; init b1; trans b1->b2 {guard x; effect y=y*2;}; }\n"
      "system async;\n",
      "figure.dve");
  ASSERT_TRUE(program);
  const auto full = ir::relax(*program, {.every_slot = true});
  ASSERT_TRUE(full);
  EXPECT_EQ(dve::print(*full), R"(byte x;
byte y;
byte sb_x_A;
byte i_x_A;
byte sb_x_B;
byte i_x_B;
byte sb_y_A;
byte i_y_A;
byte sb_y_B;
byte i_y_B;

process A {
  state a1, a2, a3;
  init a1;
  trans
    a1 -> a2 { effect sb_y_A = 1, i_y_A = 1; },
    a2 -> a3 { effect sb_x_A = 1, i_x_A = 1; };
}

process B {
  state b1, b2;
  init b1;
  trans
    b1 -> b2 { guard ((not i_x_B) and (not i_y_B)) and x; effect sb_y_B = y * 2, i_y_B = 1; },
    b1 -> b2 { guard ((not i_x_B) and i_y_B) and x; effect sb_y_B = sb_y_B * 2, i_y_B = 1; },
    b1 -> b2 { guard (i_x_B and (not i_y_B)) and sb_x_B; effect sb_y_B = y * 2, i_y_B = 1; },
    b1 -> b2 { guard (i_x_B and i_y_B) and sb_x_B; effect sb_y_B = sb_y_B * 2, i_y_B = 1; };
}

process MM {
  state q0;
  init q0;
  trans
    q0 -> q0 { guard i_x_A == 1; effect x = sb_x_A, i_x_A = 0, sb_x_A = 0; },
    q0 -> q0 { guard i_x_B == 1; effect x = sb_x_B, i_x_B = 0, sb_x_B = 0; },
    q0 -> q0 { guard i_y_A == 1; effect y = sb_y_A, i_y_A = 0, sb_y_A = 0; },
    q0 -> q0 { guard i_y_B == 1; effect y = sb_y_B, i_y_B = 0, sb_y_B = 0; };
}
system async;
)");
  // B never stores to x: its slot, and the copies that would read it, can never be.
  const auto small = ir::relax(*program, {});
  ASSERT_TRUE(small);
  EXPECT_EQ(small->processes[1].edges.size(), 2U);
  EXPECT_EQ(small->processes[2].edges.size(), 3U);
  const auto compact = ir::relax(*program, {.compact = true});
  ASSERT_TRUE(compact);
  EXPECT_EQ(compact->processes[1].edges.size(), 1U);
}

TEST(Relax, CountsOfTheThesis) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  const auto program = dve::load(beem + "/peterson/peterson.mdve", {{{"N", "2"}}, {}});
  ASSERT_TRUE(program);
  EXPECT_EQ(explore_all(*program, "sb1").states, 7267U);
  for (const ir::RelaxOptions& options : {ir::RelaxOptions{}, ir::RelaxOptions{.compact = true}}) {
    const auto again = relaxed(*program, options);
    ASSERT_TRUE(again);
    EXPECT_EQ(explore_all(*again, "sc").states, 7267U);
  }
}

TEST(Relax, CountsOfLamport_endless) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  const auto program = dve::load(beem + "/lamport/lamport.1.dve");
  ASSERT_TRUE(program);
  const auto again = relaxed(*program, {});
  ASSERT_TRUE(again);
  EXPECT_EQ(explore_all(*again, "sc").states, 74'948'667U);
}

TEST(Relax, PrintedModelsReadTheSame) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  unsigned checked = 0;
  for (const auto& model : tests::beem_models(beem)) {
    const std::string path = beem + "/" + model.family + "/" + model.name + ".dve";
    if (model.states == 0 || model.states > 20'000 || !std::filesystem::exists(path)) continue;
    const auto program = dve::load(path);
    ASSERT_TRUE(program);
    const auto again = dve::load_text(dve::print(*program), "printed.dve");
    ASSERT_TRUE(again) << render(again.error());
    EXPECT_EQ(explore_all(*again, "sc").states, model.states) << model.name;
    ++checked;
  }
  EXPECT_GT(checked, 20U);
}

// Every DVE model of the repository and the corpus with at most so many states under sb1.
void models_here(std::uint64_t most) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const std::string& folder : {tests::source_dir() + "/examples", tests::source_dir() + "/tests/regress/dve"})
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".dve") files.push_back(entry.path());
  const std::size_t own = files.size();
  if (const std::string beem = tests::shared("corpora/beem"); !beem.empty())
    for (const auto& model : tests::beem_models(beem))
      if (const fs::path path = beem + "/" + model.family + "/" + model.name + ".dve";
          model.states != 0 && model.states <= most && fs::exists(path))
        files.push_back(path);
  unsigned compared = 0;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    const auto program = dve::load(file.string());
    if (!program) continue;  // a regression test about mistakes
    const std::string refused = ir::System::refuse(*program, *models::machine("sb1")).value_or("");
    EXPECT_EQ(!ir::relax(*program, {.compact = true}), !refused.empty()) << refused;
    if (!refused.empty()) continue;
    const ir::RelaxOptions options{.compact = !ir::relax(*program, {})};  // too many copies
    const auto expected = explore_all(*program, "sb1", false, most);
    if (expected.stopped) continue;
    const auto again = relaxed(*program, options);
    ASSERT_TRUE(again);
    const auto result = explore_all(*again, "sc");
    EXPECT_EQ(result.states, expected.states);
    EXPECT_EQ(result.transitions, expected.transitions);
    EXPECT_EQ(explore_all(*again, "sc", true).found.has_value(), explore_all(*program, "sb1", true).found.has_value());
    ++compared;
  }
  std::printf("%u of %zu models\n", compared, files.size());
  EXPECT_GT(compared, own / 2);
}

TEST(Relax, ModelsHereAgreeWithTheMachine) { models_here(20'000); }
TEST(Relax, ModelsHereAgreeWithTheMachine_slow) { models_here(100'000); }
TEST(Relax, ModelsHereAgreeWithTheMachine_endless) { models_here(1'000'000); }

void random_models(std::uint64_t seed, int count) {
  tests::RandomDve models(seed);
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  int violated = 0;
  for (int i = 0; i < count; ++i) {
    const tests::RandomModel model = models.next();
    SCOPED_TRACE(model.text + model.atomic);
    auto program = dve::load_text(model.text, "random.dve", model.atomic);
    ASSERT_TRUE(program);
    const auto expected = explore_all(*program, "sb1");
    const bool wrong = explore_all(*program, "sb1", true).found.has_value();
    for (const ir::RelaxOptions& options :
         {ir::RelaxOptions{}, ir::RelaxOptions{.compact = true}, ir::RelaxOptions{.every_slot = true}}) {
      auto again = relaxed(*program, options);
      ASSERT_TRUE(again);
      SCOPED_TRACE(dve::print(*again));
      const auto result = explore_all(*again, "sc");
      ASSERT_EQ(result.states, expected.states);
      ASSERT_EQ(result.transitions, expected.transitions);
      ASSERT_EQ(explore_all(*again, "sc", true).found.has_value(), wrong);
      // A run may end in a commit state, where nothing is flushed: V calls it unfair, acceptance does not.
      if (program->has_commit || options.every_slot || options.compact != (i % 2 == 0)) continue;
      // V => phi under sc, V being "no slot stays full for ever", against fair memory under sb1.
      std::string text = tests::random_formula(random, 2 + static_cast<unsigned>(random() % 4), 2);
      for (std::size_t at; (at = text.find("p0")) != std::string::npos;) text.replace(at, 2, "(x == 1)");
      for (std::size_t at; (at = text.find("p1")) != std::string::npos;) text.replace(at, 2, "P0.s1");
      std::string fair = "true";
      for (const ir::Variable& v : again->variables)
        if (v.name.starts_with("i_"))
          for (std::uint32_t c = 0; c < v.length; ++c)
            fair += fmt::format(" && GF (not {})", v.array ? fmt::format("{}[{}]", v.name, c) : v.name);
      const auto by_acceptance = tests::bind(*program, text);
      const auto by_formula = tests::bind(*again, "(" + fair + ") -> (" + text + ")");
      ASSERT_TRUE(by_acceptance && by_formula);
      const bool acceptance = tests::find_violation(*program, *by_acceptance, "sb1", 5).lasso.has_value();
      ASSERT_EQ(acceptance, tests::find_violation(*again, *by_formula, "sc", 5).lasso.has_value()) << text;
      violated += acceptance;
    }
  }
  EXPECT_GT(violated, 0);
}

TEST(Relax, RandomModelsAgreeWithTheMachine) { random_models(5, 60); }
TEST(Relax, RandomModelsAgreeWithTheMachine_slow) { random_models(6, 2000); }

}  // namespace
}  // namespace heddle
