// Random thread programs under sc, tso and pso: all final memories that the explicit engine reaches, with and without
// reduction, against those of the naive machine of check/, which shares no line about memory with it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "models/models.h"
#include "support/mini_program.h"
#include "support/outcomes.h"
#include "support/random_mini.h"

namespace heddle {
namespace {

constexpr unsigned bound = 3;

void compare(unsigned first, unsigned count) {
  for (unsigned seed = first; seed < first + count; ++seed) {
    test::MiniProgram program;
    random_mini(program, seed,
                {.threads = 3, .variables = 2, .operations = 4, .orders = true, .loops = seed % 5 == 0, .rmws = true});
    for (const char* model : {"sc", "tso", "pso"}) {
      SCOPED_TRACE(fmt::format("seed {} under {}", seed, model));
      const tests::Outcomes naive = tests::by_naive_machine(program, *check::thread_model(model), bound);
      const explore::Product product(program, *models::machine(model), {.buffer_bound = bound});
      for (const auto reduction : {core::Reduction::None, core::Reduction::Safety}) {
        const tests::Outcomes ours = tests::by_product(product, reduction);
        ASSERT_EQ(ours.memories, naive.memories);
        ASSERT_EQ(ours.deadlock, naive.deadlock);
        ASSERT_EQ(ours.failed, naive.failed);
      }
    }
  }
}

TEST(Product, HasTheOutcomesOfTheNaiveMachine) { compare(1, 300); }
TEST(Product, HasTheOutcomesOfTheNaiveMachine_slow) { compare(100000, 5000); }

}  // namespace
}  // namespace heddle
