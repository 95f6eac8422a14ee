// Execution graphs against the naive machines of check/: the same final values of registers and memory.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "check/naive_threads.h"
#include "graph/check.h"
#include "support/random_mini.h"
#include "support/times.h"

namespace heddle::graph {
namespace {

using test::MiniProgram;

std::set<std::string> by_machine(const MiniProgram& p, const std::string& model) {
  std::set<std::string> outcomes, seen;
  const auto m = check::thread_model(model);
  EXPECT_TRUE(m.has_value());
  std::vector<check::NaiveThreads> stack{check::NaiveThreads(p, *m, 100)};
  while (!stack.empty()) {
    const check::NaiveThreads s = stack.back();
    stack.pop_back();
    if (!seen.insert(s.key()).second) continue;
    bool all = true;
    for (core::Tid t = 0; t < s.threads.size(); ++t) {
      all &= s.has_ended(t);
      check::NaiveThreads next = s;
      if (next.request(t).kind != core::Kind::Ended && next.step(t, 0)) stack.push_back(next);
      for (const unsigned i : s.flushable(t)) {
        check::NaiveThreads flushed = s;
        flushed.flush(t, i);
        stack.push_back(flushed);
      }
    }
    if (!all) continue;
    std::string o;
    for (const auto& t : s.threads)
      for (unsigned r = 1; r < 7; ++r) o += std::to_string(MiniProgram::value_of(t.local, r)) + ",";
    for (std::uint32_t v = 1; v <= 2; ++v) o += std::to_string(s.read({v, 0, 8}).value.bits) + ";";
    outcomes.insert(o);
  }
  return outcomes;
}

std::set<std::string> by_graphs(const MiniProgram& p, const std::string& model) {
  std::set<std::string> outcomes;
  Options options;
  options.model = model;
  options.on_complete = [&](const Completed& done) {
    std::string o;
    for (const auto& [t, local] : done.threads)
      for (unsigned r = 1; r < 7; ++r) o += std::to_string(MiniProgram::value_of(local, r)) + ",";
    for (std::uint32_t v = 1; v <= 2; ++v) {
      std::uint64_t value = 0;
      for (const auto& [loc, x] : done.memory)
        if (loc.object == v) value = x.bits;
      o += std::to_string(value) + ";";
    }
    outcomes.insert(o);
  };
  core::Budget budget;
  EXPECT_TRUE(check(p, options, budget).nothing());
  return outcomes;
}

TEST(GraphMachines, SameOutcomes) {
  const unsigned first = test::first_seed(1), count = 3000 * test::times();
  for (unsigned seed = first; seed < first + count; ++seed) {
    MiniProgram p;
    test::random_mini(p, seed, {3, 2, 3, true, seed % 2 == 0, true});
    for (const char* model : {"sc", "tso", "pso"})
      ASSERT_EQ(by_graphs(p, model), by_machine(p, model)) << model << " seed " << seed;
  }
  std::cout << "  " << count << " programs, " << 3 * count << " comparisons\n";
}

}  // namespace
}  // namespace heddle::graph
