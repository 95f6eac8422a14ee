// A litmus test as a core::Program on the plain machines of check/, against the axioms of the same name: the same final
// states for sc, tso and pso (docs/models.md: machine and axioms of one name allow the same outcomes).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "check/naive_threads.h"
#include "lang/litmus/generate.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/program.h"
#include "lang/litmus/run.h"
#include "support/shared.h"

namespace {

using namespace heddle;
using namespace heddle::lang::litmus;

using Values = std::vector<std::uint64_t>;

std::set<Values> by_machine(const Test& test, const std::string& model) {
  const LitmusProgram program(test);
  std::set<Values> outcomes;
  std::set<std::string> seen;
  std::vector<check::NaiveThreads> stack{check::NaiveThreads(program, *check::thread_model(model), 100)};
  while (!stack.empty()) {
    const check::NaiveThreads state = std::move(stack.back());
    stack.pop_back();
    if (!seen.insert(state.key()).second) continue;
    bool over = true;
    for (core::Tid t = 0; t < state.threads.size(); ++t) {
      over &= state.has_ended(t);
      for (unsigned i : state.flushable(t)) {
        stack.push_back(state);
        stack.back().flush(t, i);
      }
      check::NaiveThreads next = state;
      if (next.step(t, 0)) stack.push_back(std::move(next));
    }
    if (!over) continue;
    Values values;
    for (std::uint32_t i : test.shown) {
      const Observed& o = test.observed[i];
      const std::uint32_t size = o.thread < 0 ? test.variables[o.variable].type.size : 0;
      values.push_back(o.thread >= 0
                           ? program.register_value(state.threads[static_cast<std::size_t>(o.thread)].local, o.reg).bits
                           : state.read({o.variable + 1, o.element * size, size}).value.bits);
    }
    outcomes.insert(values);
  }
  return outcomes;
}

void compare(const Test& test) {
  std::vector<ModelChoice> models;
  for (const char* name : {"sc", "tso", "pso"}) models.push_back({name, axioms::find_model(name), nullptr});
  const auto results = run_test(test, models, {});
  for (const ModelResult& r : results) {
    ASSERT_EQ(r.refusal.text, "") << test.file;
    std::set<Values> axiomatic;
    for (const FinalValues& state : r.states) {
      Values values;
      for (const core::Value& v : state.values) values.push_back(v.bits);
      axiomatic.insert(values);
    }
    EXPECT_EQ(by_machine(test, r.model), axiomatic) << test.file << " under " << r.model << "\n" << test.source;
  }
}

TEST(LitmusMachine, generated_cycles_have_the_same_outcomes) {
  const std::pair<Dialect, const char*> pools[] = {
      {Dialect::X86, "PodWR PodWW PodRR PodRW MFencedWR SFencedWW Rfe Fre Coe Rfi PosWR"},
      {Dialect::C,
       "PodWR PodWWRlxRel PodWW RfeRelRlx Rfe PodRR PodRW FenceScdWR FenceReldWW PodWRScSc FreScSc Fre Coe"},
      {Dialect::AArch64, "PodWR DMB.SYdWR DMB.STdWW PodWW PodRR DpDatadW DpAddrdR Rfe Fre Coe"},
      {Dialect::RISCV, "Fence.w.wdWW Fence.rw.rwdWR PodRR PodRW PodWW Rfe Fre Coe"}};
  for (const auto& [dialect, words] : pools) {
    std::vector<Edge> pool;
    std::istringstream in(words);
    for (std::string word; in >> word;) pool.push_back(*parse_edge(word, dialect));
    const auto cycles = all_cycles(pool, 4);
    EXPECT_GT(cycles.size(), 10u);
    for (const auto& cycle : cycles) {
      const auto made = generate_test(cycle, dialect);
      ASSERT_TRUE(made);
      compare(*parse_test(made->name, made->text));
    }
  }
}

TEST(LitmusMachine, the_x86_corpus_has_the_same_outcomes_slow) {
  const std::string root = tests::shared("corpora/litmus/X86");
  if (root.empty()) GTEST_SKIP() << "the litmus corpus is not beside the checkout";
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.path().extension() != ".litmus") continue;
    const auto test = read_test(entry.path().string());
    ASSERT_TRUE(test);
    std::size_t stores = 0;
    for (const ThreadCode& t : test->threads)
      for (const Op& op : t.ops) stores += op.kind == OpKind::Store;
    if (stores > 6) continue;  // the plain machine visits every state
    compare(*test);
  }
}

}  // namespace
