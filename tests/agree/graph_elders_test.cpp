// Two threads alone, as std::thread makes them: promises to the elder one (graph/elder_promises.h), given up where they are
// lost (graph/lost_promises.h), lead to the executions that promises to all lead to which are never given up.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "graph/check.h"
#include "support/random_c.h"
#include "support/random_handed.h"
#include "support/times.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

core::Verdict explored(const core::Program& program, const char* model, bool hide, bool to_all, unsigned workers = 1) {
  graph::Options options;
  options.workers = workers;
  options.model = model;
  options.private_objects = hide;
  options.count_all = true;
  options.promise_to_all = to_all;
  core::Budget budget;
  budget.max_states = 4000;
  return test::unjudged(graph::check(program, options, budget));
}

struct Counts {
  unsigned programs = 0, compared = 0, violated = 0, undecided = 0;
  std::uint64_t executions = 0, again = 0, again_to_all = 0;
};

void compare(std::uint64_t seed, unsigned modules, unsigned programs, bool tame) {
  Counts counts;
  for (unsigned n = 0; n < modules; ++n) {
    tests::RandomHanded generator(seed + n, tame);
    const std::string text = generator.module(programs);
    lang::llvm_ir::Options options;
    options.optimise = std::to_string(n % 3);
    options.cflags = {"-w"};
    const auto loaded = tests::load_module(text, options);
    ASSERT_NE(loaded, nullptr);
    const auto each = tests::programs_of(*loaded, programs);
    for (unsigned i = 0; i < programs; ++i) {
      ASSERT_EQ(each[i].size(), 1U);
      const tests::Threads program(*loaded, each[i]);
      ++counts.programs;
      for (const char* model : {"armv8", "riscv", "power"})
        for (const bool hide : {true, false}) {
          const auto begin = text.find(fmt::format("__attribute__((used)) void *c{}_", i));
          const auto end = text.find(fmt::format("__attribute__((used)) void *c{}_", i + 1));
          SCOPED_TRACE(fmt::format("seed {} program {} under {} at -O{}, {}\n{}", seed + n, i, model, n % 3,
                                   hide ? "private objects" : "all events", text.substr(begin, end - begin)));
          const auto mine = explored(program, model, hide, false, i % 4 == 0 ? 2 : 1);
          const auto all = explored(program, model, hide, true);
          if (mine.outcome == core::Outcome::Unknown || all.outcome == core::Outcome::Unknown) {
            ++counts.undecided;
            continue;
          }
          ++counts.compared;
          EXPECT_EQ(mine.outcome, all.outcome);
          EXPECT_EQ(mine.statistics.executions, all.statistics.executions);
          counts.violated += all.outcome == core::Outcome::Unsafe;
          counts.executions += *all.statistics.executions;
          counts.again += mine.statistics.duplicates.value_or(0);
          counts.again_to_all += all.statistics.duplicates.value_or(0);
        }
      if (testing::Test::HasFailure()) return;
    }
  }
  fmt::print(
      "  {} programs, {} comparisons, {} violated, {} undecided; {} executions, {} again, {} by promises to all\n",
      counts.programs, counts.compared, counts.violated, counts.undecided, counts.executions, counts.again,
      counts.again_to_all);
  EXPECT_GT(counts.compared, 5 * counts.undecided);
}

TEST(GraphElders, HaveTheExecutionsOfPromisesToAll) {
  compare(test::first_seed(1), 6 * test::times(), 20, true);
  compare(test::first_seed(5001), 12 * test::times(), 20, false);
}

}  // namespace
}  // namespace heddle
