// Promela against SPIN: the same number of states as pan stores, and the same verdicts. States inside an atomic section
// that can go on are not stored by pan; here they are those in which Program::holder is set.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>

#include "dve_space.h"
#include "explore/ltl.h"
#include "explore/search.h"
#include "ir/build.h"
#include "ir/system.h"
#include "lang/promela/promela.h"
#include "ltl/degeneralise.h"
#include "ltl/show.h"
#include "ltl/translate.h"
#include "models/models.h"
#include "support/places.h"
#include "support/random_spin.h"
#include "support/shared.h"
#include "support/spin.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Ours {
  std::uint64_t stored = 0;
  bool error = false, deadlock = false, complete = true;
};

Ours explore_all(promela::Loaded& loaded, std::uint64_t most = UINT64_MAX) {
  ir::Program& program = loaded.program;
  if (program.holder != ir::none)
    ir::add_proposition(program,
                        ir::make_binary(program, ir::Op::Eq, ir::make_var(program, program.holder),
                                        ir::make_const(program, 0), core::no_site),
                        "nobody is inside an atomic section");
  const tests::Space space = tests::explore(program, most);
  Ours ours;
  ours.complete = space.complete;
  ours.stored = program.holder == ir::none ? space.states : space.holding.back();
  ours.error = space.errors != 0 || space.failed_asserts != 0;
  if (!ours.complete) return ours;
  const ir::System system(program, *models::machine("sc"), {});
  explore::SearchOptions options;
  options.errors = false;
  options.deadlocks = true;
  core::Budget budget;
  ours.deadlock = explore::search(system, options, budget).found.has_value();
  return ours;
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<fs::path> models() {
  std::vector<fs::path> list;
  const fs::path folder = tests::source_dir() + "/tests/regress/pml";
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string text = text_of(entry.path());
    // SPIN has no memory operations, and other bounds; input errors are not its affair. Some have no verdict of its.
    const bool ours = text.find("store(") != std::string::npos || text.find("load(") != std::string::npos ||
                      text.find("sync") != std::string::npos || text.find("// error") != std::string::npos ||
                      text.find(" up-to ") != std::string::npos || text.find("SPIN refuses") != std::string::npos ||
                      text.find("pan dies") != std::string::npos;
    if (!ours) list.push_back(entry.path());
  }
  std::ranges::sort(list);
  return list;
}

class PromelaSpin : public testing::TestWithParam<fs::path> {};

TEST_P(PromelaSpin, SameStatesAndVerdict) {
  if (!tests::spin_installed()) GTEST_SKIP() << "spin is not installed";
  const std::string text = text_of(GetParam());
  // Beside a formula pan counts the states of their product.
  const char* without_formulas = text.find("\nltl ") != std::string::npos ? "-DSAFETY -DNOCLAIM" : "-DSAFETY";
  const auto pan = tests::run_pan(text, "-c0 -m1000000", without_formulas);
  ASSERT_TRUE(pan) << "pan does not run";
  auto loaded = promela::load(GetParam().string());
  ASSERT_TRUE(loaded) << render(loaded.error());
  const Ours ours = explore_all(*loaded);
  EXPECT_EQ(ours.error, pan->error) << pan->output;
  // Where a claim ends pan reports an error and stops; whether it may end is a question of LTL (below).
  const bool claim_ends = pan->output.find("end state in claim reached") != std::string::npos;
  if (!pan->error && !claim_ends) {
    EXPECT_EQ(ours.deadlock, pan->invalid_end) << pan->output;
    EXPECT_EQ(ours.stored, pan->stored) << pan->output;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, PromelaSpin, testing::ValuesIn(models()),
                         [](const auto& parameter) { return parameter.param.stem().string(); });

// Random models. Those that SPIN does not read, or does not search to the end, are left out.
void compare_random(unsigned first, unsigned count) {
  if (!tests::spin_installed()) GTEST_SKIP() << "spin is not installed";
  unsigned compared = 0, wrong = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    const std::string text = tests::RandomSpin(seed).text();
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    auto loaded = promela::load_text(text, "random.pml");
    ASSERT_TRUE(loaded) << render(loaded.error());
    const Ours ours = explore_all(*loaded, 50'000);
    if (!ours.complete) continue;
    const auto pan = tests::run_pan(text, "-c0 -m200000", "-DSAFETY", 5);
    if (!pan || pan->output.find("max search depth too small") != std::string::npos) continue;
    // pan prints the first error only.
    if (pan->error) {
      EXPECT_TRUE(ours.error) << pan->output;
    }
    if (pan->invalid_end) {
      EXPECT_TRUE(ours.deadlock) << pan->output;
    }
    EXPECT_EQ(ours.error || ours.deadlock, pan->errors != 0) << pan->output;
    if (!ours.error) {
      EXPECT_EQ(ours.stored, pan->stored) << pan->output;
    }
    ++compared;
    wrong += pan->errors != 0 ? 1 : 0;
  }
  std::printf("%u models, %u of them wrong\n", compared, wrong);
  EXPECT_GT(compared, count / 2);
}
TEST(PromelaRandom, SameStatesAsSpin) { compare_random(1, 6); }
TEST(PromelaRandom, SameStatesAsSpin_slow) { compare_random(1000, 40); }

// Temporal formulas, as `ltl` blocks and as never claims, with and without fairness: pan -a [-f].
constexpr const char* peterson = R"(bool wants[2], has[2];
byte turn;
active [2] proctype P() {
  do
  :: wants[_pid] = true; turn = 1 - _pid;
     (!wants[1 - _pid] || turn == _pid);
     has[_pid] = true; has[_pid] = false;
     wants[_pid] = false
  od
}
)";
constexpr const char* ending = R"(byte x;
active proctype P() { x = 1; x = 2 }
active proctype Q() { do :: x == 2 -> break :: x < 2 -> skip od }
)";

bool we_find(promela::Loaded& loaded, const std::string& formula, bool fair, bool as_claim) {
  const ltl::Sentence sentence = *ltl::read_formula(formula);
  std::vector<std::uint32_t> propositions;
  for (const ltl::Atom& atom : sentence.atoms) propositions.push_back(*promela::add_proposition(loaded, atom.text, ""));
  const auto violations = ltl::generalised(sentence, {.negated = true, .stop = {}});
  const ir::System system(loaded.program, *models::machine("sc"), {.assertions = false, .ended_runs_stutter = true});
  core::Budget budget;
  const auto result = explore::find_violation(
      system, {.violations = as_claim ? nullptr : &*violations, .propositions = propositions, .process_fairness = fair},
      budget);
  EXPECT_FALSE(result.stopped || result.error);
  return result.lasso.has_value();
}

void compare_ltl(const char* model, const std::vector<std::string>& formulas) {
  if (!tests::spin_installed()) GTEST_SKIP() << "spin is not installed";
  for (const std::string& formula : formulas)
    for (const bool fair : {false, true}) {
      SCOPED_TRACE(formula + (fair ? " fair" : ""));
      const std::string text = fmt::format("{}ltl f {{ {} }}\n", model, formula);
      const auto pan = tests::run_pan(text, fair ? "-a -f -m100000" : "-a -m100000", fair ? "-DNFAIR=3" : "-DNOFAIR");
      ASSERT_TRUE(pan) << "pan does not run";
      auto loaded = promela::load_text(text, "test.pml");
      ASSERT_TRUE(loaded) << render(loaded.error());
      ASSERT_EQ(loaded->ltl.size(), 1U);
      EXPECT_EQ(we_find(*loaded, loaded->ltl[0].text, fair, false), (pan->errors > 0)) << pan->output;
      const auto claim =
          ltl::degeneralise(*ltl::generalised(*ltl::read_formula(formula), {.negated = true, .stop = {}}));
      auto observed = promela::load_text(model + ltl::never_text(claim, formula), "test.pml");
      ASSERT_TRUE(observed) << render(observed.error());
      EXPECT_EQ(we_find(*observed, "true", fair, true), (pan->errors > 0)) << ltl::never_text(claim, formula);
    }
}

TEST(PromelaLtl, SameAnswersAsSpin) { compare_ltl(peterson, {"[] ((wants[0]) -> <> (has[0]))"}); }
TEST(PromelaLtl, SameAnswersAsSpin_slow) {
  compare_ltl(peterson, {"[] <> (has[0])", "<> (has[0])", "<> [] (!wants[1])", "(!has[1]) U (has[0])",
                         "[] <> (has[0] || has[1])"});
  compare_ltl(ending, {"<> (x == 2)", "[] (x < 2)", "<> [] (x == 2)", "[] <> (x == 1)", "(x == 0) U (x == 1)"});
}

std::string random_formula(std::mt19937& random, unsigned depth) {
  const auto one_of = [&](std::initializer_list<const char*> list) { return list.begin()[random() % list.size()]; };
  if (depth == 0 || random() % 5 == 0) return one_of({"a", "b", "c", "!a", "!b"});
  const std::string left = random_formula(random, depth - 1);
  if (random() % 2 == 0) return fmt::format("{} ({})", one_of({"<>", "[]", "X", "!"}), left);
  return fmt::format("(({}) {} ({}))", left, one_of({"&&", "||", "->", "U", "V"}), random_formula(random, depth - 1));
}

// A process with one run, which repeats its last states for ever.
std::string random_lasso(std::mt19937& random) {
  const auto letter = [&] {
    return fmt::format("d_step {{ a = {}; b = {}; c = {} }}", random() % 2, random() % 2, random() % 2);
  };
  std::string stem, cycle = letter();
  for (auto n = random() % 4; n > 0; --n) stem += letter() + "; ";
  for (auto n = random() % 3; n > 0; --n) cycle += "; " + letter();
  return fmt::format("bool a, b, c;\nactive proctype P() {{ {}do :: {} od }}\n", stem, cycle);
}

// The never claim of a formula's negation says of a run what the formula says, and SPIN reads it so too.
void compare_claim(const std::string& model, const std::string& formula, bool with_spin) {
  SCOPED_TRACE(model + formula);
  auto loaded = promela::load_text(model, "test.pml");
  ASSERT_TRUE(loaded) << render(loaded.error());
  const bool violated = we_find(*loaded, formula, false, false);
  const auto claim = ltl::degeneralise(*ltl::generalised(*ltl::read_formula(formula), {.negated = true, .stop = {}}));
  const std::string text = model + ltl::never_text(claim, formula);
  auto observed = promela::load_text(text, "test.pml");
  ASSERT_TRUE(observed) << render(observed.error()) << text;
  EXPECT_EQ(we_find(*observed, "true", false, true), violated) << text;
  if (!with_spin) return;
  const auto pan = tests::run_pan(text, "-a -m100000", "-DNOFAIR");
  ASSERT_TRUE(pan) << "pan does not run";
  EXPECT_EQ(pan->errors > 0, violated) << text << pan->output;
}

TEST(PromelaLtl, NeverClaimsOfRandomFormulas) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 400; ++i) compare_claim(random_lasso(random), random_formula(random, 3), false);
}

// State accept_all is not the last of this automaton, and what comes behind it in a claim must not be gone on to.
TEST(PromelaLtl, NeverClaimsToSpin) {
  if (!tests::spin_installed()) GTEST_SKIP() << "spin is not installed";
  for (const char* run : {"a = 1; a = 0; c = 1", "b = 1; a = 1; c = 1; a = 0"})
    compare_claim(fmt::format("bool a, b, c;\nactive proctype P() {{ {} }}\n", run), "[] (a -> (b U c))", true);
}
TEST(PromelaLtl, NeverClaimsToSpin_slow) {
  if (!tests::spin_installed()) GTEST_SKIP() << "spin is not installed";
  std::mt19937 random(2);
  for (unsigned i = 0; i < 40; ++i) compare_claim(random_lasso(random), random_formula(random, 3), true);
}

// A condition about a jump that came too late for its state is refused.
TEST(PromelaLtl, LabelsOfJumps) {
  const std::string text = "byte x;\nactive proctype A() { x = 1; L: goto M; M: x = 2 }\n";
  auto without = promela::load_text(text, "test.pml");
  ASSERT_TRUE(without);
  EXPECT_TRUE(promela::add_proposition(*without, "A@M", "--reach"));
  const auto refused = promela::add_proposition(*without, "A@L", "--reach");
  ASSERT_FALSE(refused);
  EXPECT_NE(render(refused.error()).find("has no state of its own"), std::string::npos);
  for (const char* condition : {"A@L", "x == 1 && A [ 0 ] @ L", "A[A[0]@M]@L"}) {
    auto with = promela::load_text(text, "test.pml", {.conditions = {condition}});
    ASSERT_TRUE(with);
    EXPECT_TRUE(promela::add_proposition(*with, condition, "--reach")) << condition;
    EXPECT_EQ(explore_all(*with).stored, explore_all(*without).stored + 1);
  }
}

// A formula is read to its end, however long it is.
TEST(PromelaLtl, LongFormulas) {
  std::string formula = "[] (x >= 0)";
  for (unsigned i = 0; i < 40; ++i) formula += " && [] (x >= 0)";
  for (const bool holds : {true, false}) {
    auto loaded =
        promela::load_text(fmt::format("byte x;\nltl f {{ {} && [] (x {} 1) }}\nactive proctype P() {{ x = 1 }}\n",
                                       formula, holds ? "<=" : "<"),
                           "long.pml");
    ASSERT_TRUE(loaded) << render(loaded.error());
    ASSERT_EQ(loaded->ltl.size(), 1U);
    EXPECT_EQ(we_find(*loaded, loaded->ltl[0].text, false, false), !holds);
  }
}

// BEEM's translations to Promela. Those with at most 200,000 states (inside atomic sections too) are compared without
// being named, these by name. Every count needs a search depth that pan does not reach: where its depth-first search is
// cut off, it counts fewer states.
constexpr const char* larger[] = {"adding.2", "adding.3",    "anderson.1",  "at.3",        "bridge.1",
                                  "brp.3",    "cambridge.1", "cambridge.2", "cambridge.3", "fischer.4",
                                  "frogs.3",  "gear.2",      "krebs.2",     "lamport.5",   "loyd.2",
                                  "mcs.3",    "mcs.6",       "peterson.4",  "phils.4",     "phils.5",
                                  "rether.3", "sorter.3",    "sorter.5",    "szymanski.3", "telephony.3"};

struct LeftOut {
  const char* name;
  const char* reason;
};
constexpr const char* same_by_hand = "the same states as pan's, but more than two million: too long for a test";
constexpr const char* beyond_five = "more than five million states: too long for a test";
constexpr const char* beyond_test = "more than three million states as DVE, and more as Promela: too long for a test";
constexpr LeftOut left_out[] = {{"adding.4", beyond_test},          {"adding.5", beyond_test},
                                {"adding.6", beyond_test},          {"at.4", beyond_test},
                                {"bakery.5", beyond_test},          {"bakery.6", beyond_test},
                                {"bridge.2", beyond_five},          {"bridge.3", beyond_five},
                                {"cambridge.4", same_by_hand},      {"cambridge.5", beyond_five},
                                {"cambridge.6", beyond_test},       {"cambridge.7", beyond_test},
                                {"elevator.3", beyond_five},        {"elevator.4", beyond_five},
                                {"elevator2.3", beyond_test},       {"fischer.3", same_by_hand},
                                {"fischer.6", beyond_test},         {"iprotocol.3", same_by_hand},
                                {"iprotocol.4", beyond_test},       {"krebs.3", same_by_hand},
                                {"krebs.4", beyond_five},           {"lamport.6", beyond_test},
                                {"msmie.4", beyond_test},           {"production_cell.3", beyond_five},
                                {"production_cell.4", beyond_five}, {"production_cell.5", beyond_test},
                                {"protocols.4", same_by_hand},      {"protocols.5", beyond_five},
                                {"rether.4", same_by_hand},         {"rether.5", beyond_test},
                                {"rether.6", beyond_test},          {"rether.7", beyond_test},
                                {"szymanski.4", same_by_hand}};

bool is_larger(const std::string& name) { return std::ranges::find(larger, name) != std::end(larger); }
bool is_left_out(const std::string& name) {
  return std::ranges::find(left_out, name, &LeftOut::name) != std::end(left_out);
}

// In production_cell a label and a variable have the same name, which SPIN does not take.
std::string text_for_spin(const fs::path& path) {
  std::string text = text_of(path);
  if (path.stem().string().starts_with("production_cell"))
    text = std::regex_replace(text, std::regex("(goto )?\\bdone(;|:)"), "$1pressed$2");
  return text;
}

void expect_same(const fs::path& path, const Ours& ours) {
  const auto pan = tests::run_pan(text_for_spin(path), "-c0 -m5000000");
  ASSERT_TRUE(pan) << path;
  EXPECT_EQ(pan->output.find("max search depth too small"), std::string::npos) << path;
  EXPECT_EQ(ours.stored, pan->stored) << path;
  EXPECT_EQ(ours.error, pan->error) << path;
  EXPECT_EQ(ours.deadlock, pan->invalid_end) << path;
}

void compare_beem(std::uint64_t least, std::uint64_t most, bool named) {
  const fs::path beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  if (!tests::spin_installed()) GTEST_SKIP() << "spin is not installed";
  unsigned compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(beem)) {
    const std::string name = entry.path().stem();
    if (entry.path().extension() != ".pm" || is_left_out(name) || is_larger(name) != named) continue;
    auto loaded = promela::load(entry.path().string());
    ASSERT_TRUE(loaded) << render(loaded.error());
    const Ours ours = explore_all(*loaded, most);
    if (most >= 200'000) {
      EXPECT_TRUE(ours.complete) << name << " is not named, neither among the larger ones nor among those left out";
    }
    if (!ours.complete || ours.stored < least) continue;
    expect_same(entry.path(), ours);
    ++compared;
  }
  std::printf("%u models\n", compared);
  EXPECT_GT(compared, 0U);
  if (named) {
    EXPECT_EQ(compared, std::size(larger));
  }
}

TEST(PromelaBeem, SameStatesAsSpin) { compare_beem(0, 1500, false); }
TEST(PromelaBeem, SameStatesAsSpin_slow) { compare_beem(1501, 200'000, false); }
TEST(PromelaBeem, SameStatesAsSpinLarger_endless) { compare_beem(0, 4'000'000, true); }

TEST(PromelaBeem, EveryModelIsRead) {
  const fs::path beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  unsigned read = 0;
  for (const auto& entry : fs::recursive_directory_iterator(beem)) {
    if (entry.path().extension() != ".pm") continue;
    const auto loaded = promela::load(entry.path().string());
    EXPECT_TRUE(loaded) << render(loaded.error());
    ++read;
  }
  EXPECT_EQ(read, 112U);
}

}  // namespace
}  // namespace heddle
