// Random models through the front end, the compiled code and ir::Steps, against the naive interpreter of
// tests/dve_naive.h: states, edges, levels, error steps, failed assertions and deadlocks. They have commit states,
// buffered and rendezvous channels, lock-step systems, property processes, foreign reads and shadowed names.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "dve_random.h"
#include "dve_space.h"
#include "lang/dve/dve.h"

namespace heddle {

namespace {

void compare(std::uint64_t first, std::uint64_t count) {
  constexpr std::size_t most = 400;
  std::uint64_t compared = 0, states = 0, errors = 0, sync = 0, commit = 0, property = 0, buffered = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const tests::naive::Model model = tests::naive::Generator(seed).model();
    const std::string text = tests::naive::text(model);
    const auto program = dve::load_text(text, "random");
    ASSERT_TRUE(program) << "seed " << seed << "\n" << render(program.error()) << text;
    const auto expected = tests::naive::explore(model, most);
    if (!expected.complete) continue;
    const tests::Space space = tests::explore(*program, 4 * most);
    ASSERT_EQ(space.states, expected.states) << "seed " << seed << "\n" << text;
    ASSERT_EQ(space.edges, expected.edges) << "seed " << seed << "\n" << text;
    ASSERT_EQ(space.errors, expected.errors) << "seed " << seed << "\n" << text;
    ASSERT_EQ(space.levels, expected.levels) << "seed " << seed << "\n" << text;
    ASSERT_EQ(space.failed_asserts, expected.failed_asserts) << "seed " << seed << "\n" << text;
    ASSERT_EQ(space.deadlocks, expected.deadlocks) << "seed " << seed << "\n" << text;
    ++compared;
    states += space.states;
    errors += space.errors > 0;
    sync += model.sync && space.states > 1;
    property += model.property >= 0 && space.states > 1;
    for (const auto& p : model.procs) commit += !p.commit.empty() && space.states > 1;
    for (const auto& c : model.chans) buffered += c.capacity > 0 && space.states > 1;
  }
  std::printf("%lu models, %lu states; with errors %lu, sync %lu, commit %lu, property %lu, buffered %lu\n", compared,
              states, errors, sync, commit, property, buffered);
  EXPECT_GT(compared, count / 2);
  for (const std::uint64_t n : {errors, sync, commit, property, buffered}) EXPECT_GT(n, count / 100);
}

}  // namespace

TEST(DveRandom, agrees_with_the_naive_interpreter) { compare(1, 3'000); }
TEST(DveRandom, agrees_with_the_naive_interpreter_slow) { compare(1'000'000, 50'000); }

}  // namespace heddle
