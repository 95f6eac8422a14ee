// Random Memorax programs: buffer languages, by both searches, against explicit states with buffers of one to six stores,
// and against the same program written in Promela. Proofs are certified, what is found replays.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "buffers/linden_wolper.h"
#include "lang/rmm/rmm.h"
#include "support/random_rmm.h"
#include "support/unbounded.h"

namespace heddle {
namespace {

using namespace tests;

struct Counts {
  unsigned decided = 0, violated = 0, runs = 0, longer = 0, open = 0, twins = 0, papers = 0, sections = 0;
};

constexpr unsigned longest = 6;
constexpr std::uint64_t most_states = 20'000;

// The twin finds the same, with buffers of the same length.
void compare_twins(const RandomRmm& program, const char* model, unsigned bound, Counts& counts) {
  unsigned least = 0;
  for (const std::string& text : program.twins) {
    auto twin = promela::load_text(text, "twin.pml");
    ASSERT_TRUE(twin) << render(twin.error()) << text;
    const auto bad = promela::add_proposition(*twin, program.bad, "bad");
    if (!bad) return;  // a label that nothing leads to
    const auto other = searched_bound(twin->program, *bad, model, longest, most_states);
    if (!other) return;
    if (*other != 0) least = least == 0 ? *other : std::min(least, *other);
  }
  ++counts.twins;
  EXPECT_EQ(bound, least) << program.text << program.twins.front() << program.bad;
}

void compare_papers(const rmm::Loaded& l, const buffers::Question& question, bool violated, Counts& counts) {
  if (buffers::refuse_linden_wolper(l.program, question)) return;
  for (const bool sleeping : {true, false}) {
    core::Budget budget;
    budget.max_states = 100;
    const auto paper = buffers::linden_wolper(l.program, question, {sleeping}, budget);
    counts.papers += paper.complete;
    if (paper.complete || paper.errors != 0) {
      EXPECT_EQ(paper.errors != 0, violated);
    }
  }
}

// Buffer languages against explicit states; is it violated? Nothing: the search is left open.
std::optional<bool> compare_engines(const ir::Program& program, std::uint32_t bad, const char* model,
                                    std::optional<unsigned> bound, Counts& counts) {
  const buffers::Question question = question_of(bad, model);
  EXPECT_EQ(buffers::refuse(program, question), std::nullopt);
  core::Budget budget;
  budget.max_states = 300;
  const auto answer = buffers::saturate(program, question, budget);
  if (answer.kind == buffers::Answer::Kind::Unknown) {
    ++counts.open;
    return std::nullopt;
  }
  ++counts.decided;
  const bool violated = answer.kind == buffers::Answer::Kind::Violated, found = bound.value_or(0) != 0;
  counts.violated += violated;
  EXPECT_TRUE(violated || !found);
  if (!answer.run.empty()) {
    ++counts.runs;
    const auto replayed = check::replay(program, model, 64, answer.run, {core::StateProposition{bad, true}});
    EXPECT_TRUE(replayed.confirmed) << replayed.why.text;
  }
  EXPECT_TRUE(!violated || found || !answer.run.empty());
  counts.longer += violated && !found;
  if (!violated) certify(program, bad, answer);
  return violated;
}

void compare(const RandomRmm& program, const char* model, Counts& counts) {
  SCOPED_TRACE(std::string(model) + "\n" + program.text);
  const auto l = rmm::load_text(program.text, "random.rmm");
  ASSERT_TRUE(l) << render(l.error());
  const auto bound = searched_bound(l->program, l->forbidden, model, longest, most_states);
  const auto violated = compare_engines(l->program, l->forbidden, model, bound, counts);
  if (bound) compare_twins(program, model, *bound, counts);
  if (!violated) return;
  counts.sections += program.sections;
  if (const auto question = question_of(l->forbidden, model); question.order == ir::StoreOrder::Program)
    compare_papers(*l, question, *violated, counts);
}

// What memory holds, in the middle of sections too; fences of all processes, and of stores only.
void compare_memory(const RandomRmm& program, const char* model, Counts& counts) {
  auto twin = promela::load_text(program.other_fences, "twin.pml");
  ASSERT_TRUE(twin) << render(twin.error()) << program.other_fences;
  const auto bad = promela::add_proposition(*twin, program.bad_memory, "bad");
  if (!bad) return;
  SCOPED_TRACE(std::string(model) + "\n" + program.other_fences + program.bad_memory);
  const auto bound = searched_bound(twin->program, *bad, model, longest, most_states);
  if (compare_engines(twin->program, *bad, model, bound, counts)) counts.sections += program.sections;
}

// HEDDLE_RANDOM_PROGRAMS=5000 for the long run.
void compare_random(const char* model, unsigned programs, std::uint32_t seed) {
  if (const char* wanted = std::getenv("HEDDLE_RANDOM_PROGRAMS"))
    programs = static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
  RmmMaker maker(seed);
  Counts c, memory;
  for (unsigned n = 0; n < programs; ++n) {
    const RandomRmm program = maker.next();
    compare(program, model, c);
    compare_memory(program, model, memory);
  }
  for (const Counts& counts : {c, memory})
    std::printf("%s: %u decided (%u with sections, %u violated, %u with a run, %u by longer buffers only), %u open\n",
                model, counts.decided, counts.sections, counts.violated, counts.runs, counts.longer, counts.open);
  std::printf("%u twins, %u searches of the paper ended\n", c.twins, c.papers);
  EXPECT_GT(c.decided, programs / 2);
  EXPECT_GT(c.violated, programs / 20);
  EXPECT_GT(memory.violated, programs / 20);
  EXPECT_GT(c.twins, programs / 2);
}

TEST(RmmRandom, Tso) { compare_random("tso", 200, 1); }
TEST(RmmRandom, Pso) { compare_random("pso", 200, 2); }

}  // namespace
}  // namespace heddle
