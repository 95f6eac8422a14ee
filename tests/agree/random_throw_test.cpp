// Random programs of two threads that throw, catch, rethrow and clean up (support/random_throw.h) have the outcomes that
// their twins without exceptions have: by explicit states under sc, tso and pso those that the naive machine of check/
// finds for the twin, and by graphs those that the twin has, with as many executions. Taking objects for private
// (graph/private_objects.h) does not change that.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "graph/check.h"
#include "models/models.h"
#include "support/given.h"
#include "support/outcomes.h"
#include "support/places.h"
#include "support/random_c.h"
#include "support/random_throw.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

// Places of buffers: enough for all stores of a twin, and for those to what only its thread can reach, which wait behind them.
constexpr unsigned bound_of_twin = 8, bound = 200;

std::unique_ptr<core::Program> load(const std::string& text, const std::string& level) {
  const std::string path = testing::TempDir() + fmt::format("random_throw_{}.cpp", getpid());
  std::ofstream(path) << text;
  lang::llvm_ir::Options options;
  options.optimise = level;
  options.runtime = tests::binary_dir() + "/runtime";
  options.cflags = {"-w"};
  auto program = lang::llvm_ir::load({path}, options);
  if (program) return std::move(*program);
  ADD_FAILURE() << render(program.error());
  return nullptr;
}

// Of a memory, the variables that both twins have.
std::string common_part(const std::string& memory) {
  std::istringstream words(memory);
  std::string all;
  for (std::string word; words >> word;)
    for (const char* name : {"x=", "y=", "z=", "out0=", "out1="})
      if (word.starts_with(name)) all += " " + word;
  return all;
}

tests::Outcomes common(const tests::Outcomes& outcomes) {
  tests::Outcomes all = outcomes;
  all.memories.clear();
  for (const std::string& memory : outcomes.memories) all.memories.insert(common_part(memory));
  return all;
}

tests::Outcomes by_graphs(const core::Program& program, const char* model, std::uint64_t& executions) {
  tests::Outcomes outcomes;
  graph::Options options;
  options.model = model;
  options.on_restart = [&] { outcomes.memories.clear(); };
  options.on_complete = [&](const graph::Completed& done) {
    std::map<std::string, std::uint64_t> values;
    for (const auto& [loc, value] : done.memory)
      if (loc.object > 0 && loc.object <= program.globals().size() && loc.size == 4)
        values[program.globals()[loc.object - 1].name] = value.bits;
    std::string memory;
    for (const char* name : {"x", "y", "z", "out0", "out1"}) memory += fmt::format(" {}={}", name, values[name]);
    outcomes.memories.insert(memory);
  };
  core::Budget budget;
  const auto verdict = test::unjudged(graph::check(program, options, budget));
  EXPECT_NE(verdict.outcome, core::Outcome::Unknown) << verdict.reason.text;
  outcomes.failed = verdict.outcome == core::Outcome::Unsafe;
  executions = verdict.statistics.executions.value_or(0);
  return outcomes;
}

// Graphs that show private objects and graphs that do not.
void compare_privacy(const core::Program& program, const char* model, std::uint64_t executions) {
  graph::Options options;
  options.model = model;
  options.private_objects = true;
  core::Budget budget;
  const auto verdict = test::unjudged(graph::check(program, options, budget));
  EXPECT_EQ(verdict.outcome, core::Outcome::Safe) << model << ": " << verdict.reason.text;
  EXPECT_EQ(verdict.statistics.executions.value_or(0), executions) << model;
}

void compare_by_states(const core::Program& throws, const core::Program& jumps, const char* model) {
  const tests::Outcomes expected = common(tests::by_naive_machine(jumps, *check::thread_model(model), bound_of_twin));
  EXPECT_FALSE(expected.failed || expected.memories.empty()) << model;
  const explore::Product product(throws, *models::machine(model), {.buffer_bound = bound});
  EXPECT_EQ(common(tests::by_product(product, core::Reduction::Safety)), expected) << model;
  EXPECT_TRUE(product.bounds_reached().empty()) << model;
}

void compare_by_graphs(const core::Program& throws, const core::Program& jumps, const char* model) {
  std::uint64_t executions = 0, of_twin = 0;
  const tests::Outcomes expected = by_graphs(jumps, model, of_twin);
  EXPECT_EQ(by_graphs(throws, model, executions), expected) << model;
  EXPECT_EQ(executions, of_twin) << model;
  compare_privacy(throws, model, of_twin);
}

void compare_privacy(const core::Program& throws, const char* model) {
  std::uint64_t executions = 0;
  by_graphs(throws, model, executions);
  compare_privacy(throws, model, executions);
}

void compare(std::uint64_t seed, unsigned programs, unsigned in_module) {
  for (unsigned n = 0; n * in_module < programs; ++n) {
    const auto text = tests::RandomThrow(seed + n).module(in_module);
    const std::string level = std::to_string((seed + n) % 3);
    const auto throws = load(text.throws, level), jumps = load(text.jumps, level);
    ASSERT_TRUE(throws != nullptr && jumps != nullptr) << text.throws << text.jumps;
    const auto with = tests::programs_of(*throws, in_module), without = tests::programs_of(*jumps, in_module);
    for (unsigned i = 0; i < in_module; ++i) {
      ASSERT_EQ(with[i].size(), 2U);
      ASSERT_EQ(without[i].size(), 2U);
      const tests::Threads a(*throws, with[i]), b(*jumps, without[i]);
      const auto part = [&](const std::string& all) {
        const auto from = all.find(fmt::format("extern \"C\" __attribute__((used)) void t{}_0(", i));
        return all.substr(from, all.find(fmt::format(" t{}_0(", i + 1)) - from);
      };
      SCOPED_TRACE(
          fmt::format("seed {} program {} at -O{}\n{}\n{}", seed + n, i, level, part(text.throws), part(text.jumps)));
      for (const char* model : {"sc", "tso", "pso"}) compare_by_states(a, b, model);
      for (const char* model : {"sc", "tso", "pso", "rc11", "ra"}) compare_by_graphs(a, b, model);
      // Where dependencies count, those of the text: of the twin, optimisation takes some away (equal stores in both branches
      // are one before them). Not rmo, where stores to what a read address leads to, and reads of these, are UNKNOWN.
      for (const char* model : {"armv8", "power", "riscv"}) {
        if (level == "0") compare_by_graphs(a, b, model);
        else compare_privacy(a, model);
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

// HEDDLE_RANDOM_PROGRAMS=5000 for the long run; in parts with HEDDLE_RANDOM_SEED, of which 20 programs have one each.
TEST(RandomThrow, has_the_outcomes_of_its_twin_slow) {
  compare(tests::given("HEDDLE_RANDOM_SEED", 1), tests::given("HEDDLE_RANDOM_PROGRAMS", 40), 20);
}

}  // namespace
}  // namespace heddle
