// Random small C programs under sc, tso, pso, lmo and nsw: the outcomes of the explicit engine, with and without
// reduction, at different levels of optimisation, against those of the naive machine of check/. Many programs share a
// module, so that compiling does not dominate; each is a set of functions that run as threads over the same globals.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>

#include "models/models.h"
#include "support/outcomes.h"
#include "support/random_c.h"

namespace heddle {
namespace {

constexpr unsigned bound = 2;

using tests::RandomC;
using tests::Threads;

void compare(std::uint64_t seed, unsigned modules, unsigned programs) {
  RandomC generator(seed, true);
  for (unsigned n = 0; n < modules; ++n) {
    const std::string text = generator.module(programs);
    for (const bool pending : {false, true}) {
      lang::llvm_ir::Options options;
      options.optimise = std::to_string(n % 3);
      options.pending_loads = pending;
      const auto loaded = tests::load_module(text, options);
      ASSERT_NE(loaded, nullptr);
      const auto each = tests::programs_of(*loaded, programs);
      for (unsigned i = 0; i < programs; ++i) {
        ASSERT_GE(each[i].size(), 2U);
        const Threads program(*loaded, each[i]);
        const std::vector<const char*> models = pending ? std::vector{"lmo", "nsw"} : std::vector{"sc", "tso", "pso"};
        for (const char* model : models) {
          SCOPED_TRACE(fmt::format("seed {} module {} program {} under {} at -O{}\n{}", seed, n, i, model, n % 3,
                                   text.substr(text.find(fmt::format("void *t{}_0(", i)), 900)));
          const tests::Outcomes naive = tests::by_naive_machine(program, *check::thread_model(model), bound);
          const explore::Product product(program, *models::machine(model), {.buffer_bound = bound});
          for (const auto reduction : {core::Reduction::None, core::Reduction::Safety})
            ASSERT_EQ(tests::by_product(product, reduction), naive) << "reduction " << static_cast<int>(reduction);
        }
      }
    }
  }
}

// A buffered store of an undefined value is not one of the value that its bits would be.
TEST(RandomC, BufferedStoresMayBeUndefined) {
  const auto loaded = tests::load_module(
      "typedef unsigned u; u out; struct { u *p; u more[8]; } box; void *__heddle_alloc(unsigned long, int);\n"
      "__attribute__((used)) void *t0_0(void *a) { u *own = __heddle_alloc(4, 0); box.p = own; return a; }\n"
      "__attribute__((used)) void *t0_1(void *a) { u *p = box.p, r = 0; if (p) r = *p; out = r; return a; }\n"
      "int main(void) { return 0; }\n",
      {});
  ASSERT_NE(loaded, nullptr);
  const Threads program(*loaded, tests::programs_of(*loaded, 1)[0]);
  const tests::Outcomes naive = tests::by_naive_machine(program, *check::thread_model("tso"), bound);
  EXPECT_EQ(naive.memories, (std::set<std::string>{" out=0", " out=?"}));
  const explore::Product product(program, *models::machine("tso"), {.buffer_bound = bound});
  EXPECT_EQ(tests::by_product(product, core::Reduction::Safety), naive);
}

TEST(RandomC, HasTheOutcomesOfTheNaiveMachine) { compare(7, 3, 12); }
TEST(RandomC, HasTheOutcomesOfTheNaiveMachine_slow) {
  const char* wanted = std::getenv("HEDDLE_RANDOM_PROGRAMS");  // 20000 for the long run
  compare(1000, (wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : 600) / 50, 50);
}

}  // namespace
}  // namespace heddle
