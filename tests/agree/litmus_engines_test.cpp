// Litmus tests by execution graphs and by explicit states against the enumeration of candidates: the same final states,
// from graphs also the same number of executions of each.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "drive/litmus.h"
#include "drive/litmus_engines.h"
#include "lang/litmus/generate.h"
#include "lang/litmus/parse.h"
#include "models/models.h"
#include "support/shared.h"

namespace {

using namespace heddle;
using namespace heddle::lang::litmus;

using Outcomes = std::map<std::vector<std::pair<std::uint64_t, bool>>, std::uint64_t>;

Outcomes outcomes(const ModelResult& result, bool counted) {
  Outcomes out;
  for (const FinalValues& state : result.states) {
    std::vector<std::pair<std::uint64_t, bool>> key;
    for (const core::Value& v : state.values) key.emplace_back(v.bits, v.pointer);
    out[key] = counted ? state.executions : 1;
  }
  return out;
}

std::string text(const Outcomes& outcomes) {
  std::string out;
  for (const auto& [key, count] : outcomes) {
    for (const auto& [bits, pointer] : key) out += fmt::format("{}{:x} ", pointer ? "&" : "", bits);
    out += fmt::format(": {}\n", count);
  }
  return out;
}

const drive::LitmusEngine& engine(std::string_view name) {
  return *std::ranges::find(drive::litmus_engines(), name, &drive::LitmusEngine::name);
}

struct Compared {
  std::map<std::string, unsigned> answers;   // by engine and model
  std::map<std::string, unsigned> refusals;  // by reason

  void compare(const Test& test) {
    std::vector<ModelChoice> models;
    for (const axioms::Model& model : axioms::models()) {
      const ModelChoice choice{std::string(model.name), &model, nullptr};
      if (not_applicable(test.dialect, choice).empty()) models.push_back(choice);
    }
    core::Budget budget;
    budget.seconds = 20;
    budget.start();
    const auto expected = engine("candidates").run(test, models, {}, &budget);
    for (const std::string_view name : {"graph", "explicit"}) {
      const drive::LitmusEngine& other = engine(name);
      core::Budget own;
      own.seconds = 20;
      own.start();
      const auto results = other.run(test, models, {}, &own);
      for (std::size_t m = 0; m < models.size(); ++m) {
        const ModelResult &e = expected[m], &r = results[m];
        if (!e.refusal.none()) continue;
        if (!r.refusal.none()) {
          ++refusals[fmt::format("{}: {}", name, r.refusal.text)];
          continue;
        }
        if (e.cut_off) continue;  // graphs see through spinning loops, explicit states have no bound
        if (!other.counts_executions && !models::find(models[m].name)->equivalent) continue;
        EXPECT_EQ(text(outcomes(r, other.counts_executions)), text(outcomes(e, other.counts_executions)))
            << name << " under " << models[m].name << ": " << test.file << "\n"
            << test.source;
        EXPECT_EQ(r.condition_holds(test), e.condition_holds(test));
        if (other.counts_executions && !e.cut_off) {
          EXPECT_EQ(r.racy, e.racy) << name << " under " << models[m].name << ": " << test.file;
        }
        ++answers[fmt::format("{} {}", name, models[m].name)];
      }
    }
  }

  void show() const {
    for (const auto& [what, count] : answers) fmt::print("{:>8} {}\n", count, what);
    for (const auto& [what, count] : refusals) fmt::print("{:>8} refused: {}\n", count, what);
  }
};

TEST(LitmusEngines, generated_cycles_have_the_same_outcomes) {
  const std::pair<Dialect, const char*> pools[] = {
      {Dialect::X86, "PodWR PodWW PodRR PodRW MFencedWR SFencedWW Rfe Fre Coe Rfi PosWR"},
      {Dialect::C,
       "PodWR PodWWRlxRel PodWW RfeRelRlx Rfe PodRR PodRW FenceScdWR FenceReldWW PodWRScSc FreScSc Fre Coe"},
      {Dialect::AArch64, "PodWR DMB.SYdWR DMB.STdWW PodWW PodRR DpDatadW DpAddrdR DpCtrldW Rfe Fre Coe Rfi"},
      {Dialect::PPC, "PodWR SyncdWR LwSyncdWW PodRR DpAddrdR DpDatadW Rfe Fre Coe"},
      {Dialect::RISCV, "Fence.w.wdWW Fence.rw.rwdWR PodRR PodRW PodWW DpDatadW Rfe Fre Coe"}};
  Compared compared;
  for (const auto& [dialect, words] : pools) {
    std::vector<Edge> pool;
    std::istringstream in(words);
    for (std::string word; in >> word;) pool.push_back(*parse_edge(word, dialect));
    const auto cycles = all_cycles(pool, 5);
    EXPECT_GT(cycles.size(), 10u);
    for (const auto& cycle : cycles) {
      const auto made = generate_test(cycle, dialect);
      ASSERT_TRUE(made);
      compared.compare(*parse_test(made->name, made->text));
    }
  }
  compared.show();
  for (const char* pair : {"graph sc", "graph tso", "graph rc11", "graph armv8", "graph riscv", "graph power",
                           "explicit sc", "explicit tso", "explicit pso"})
    EXPECT_GT(compared.answers[pair], 10u) << pair;
}

// A read that sees an own store in one half only need not wait for the store's address.
TEST(LitmusEngines, a_read_half_of_an_own_store) {
  const auto test = parse_test("half",
                               "AArch64 half\n{ uint64_t x; uint64_t y; uint64_t 1:X5; uint64_t 1:X0;\n"
                               " 0:X0=0x700000007; 0:X1=x; 0:X2=1; 0:X3=y; 1:X1=y; 1:X3=5; 1:X4=x; }\n"
                               " P0 | P1 ;\n STR X0,[X1] | LDR W0,[X1] ;\n STLR W2,[X3] | EOR X2,X0,X0 ;\n"
                               " | STR W3,[X4,X2] ;\n | LDR X5,[X4] ;\nexists (1:X0=1 /\\ 1:X5=5)\n");
  ASSERT_TRUE(test) << render(test.error());
  Compared compared;
  compared.compare(*test);
  EXPECT_GT(compared.answers["graph armv8"], 0u);
}

// Cycles of load buffering that can only be reached from one of their reads: the write that the other one sees stands
// before an older write in coherence, or is not there until a third thread has written.
TEST(LitmusEngines, cycles_that_one_of_their_reads_does_not_lead_to) {
  const char* const tests[] = {
      "C coherence\n{}\n"
      "P0(atomic_int* x, atomic_int* y) {\n"
      "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
      "  atomic_store_explicit(x, r0, memory_order_relaxed);\n"
      "  atomic_store_explicit(y, 2, memory_order_release);\n}\n"
      "P1(atomic_int* x, atomic_int* y, atomic_int* z) {\n"
      "  int r0 = atomic_load_explicit(z, memory_order_relaxed);\n"
      "  int r1 = atomic_load_explicit(y, memory_order_relaxed);\n"
      "  atomic_store_explicit(x, 1, memory_order_relaxed);\n}\n"
      "P2(atomic_int* z) { atomic_store_explicit(z, 1, memory_order_relaxed); }\n"
      "exists (0:r0=1 /\\ 1:r0=1 /\\ 1:r1=2)\n",
      "C third\n{}\n"
      "P0(atomic_int* x, atomic_int* y) {\n"
      "  int r0 = atomic_load_explicit(y, memory_order_relaxed);\n"
      "  int r1 = atomic_load_explicit(y, memory_order_acquire);\n"
      "  atomic_store_explicit(x, r0 + 1, memory_order_relaxed);\n}\n"
      "P1(atomic_int* x, atomic_int* y) {\n"
      "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
      "  atomic_store_explicit(y, 2, memory_order_relaxed);\n}\n"
      "P2(atomic_int* x, atomic_int* y) {\n"
      "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
      "  int r1 = atomic_load_explicit(y, memory_order_relaxed);\n"
      "  if (r0 == 0) { atomic_store_explicit(y, r0, memory_order_relaxed); }\n}\n"
      "exists (0:r0=0 /\\ 0:r1=2 /\\ 1:r0=1)\n"};
  Compared compared;
  for (const char* source : tests) {
    const auto test = parse_test("cycle", source);
    ASSERT_TRUE(test) << render(test.error());
    compared.compare(*test);
  }
  for (const char* pair : {"graph armv8", "graph power", "graph riscv", "graph rmo"})
    EXPECT_EQ(compared.answers[pair], std::size(tests)) << pair;
}

// A race that was found must not hide that a limit ended the search.
// Fences that hold loads back, but not stores: two stores around one still change places.
TEST(LitmusEngines, fences_between_stores_and_loads) {
  Compared compared;
  for (const char* fence : {"fence w,r", "fence rw,r", "fence w,rw", "fence r,rw", "fence.tso"})
    for (const char* shape :
         {" sw x5,0(x1) | lw x6,0(x2) ;\n {0} | fence r,r ;\n sw x5,0(x2) | lw x7,0(x1) ;\n",
          " sw x5,0(x1) | sw x5,0(x2) ;\n {0} | {0} ;\n lw x6,0(x2) | lw x6,0(x1) ;\n",
          " sw x5,0(x1) | amoadd.w x6,x5,(x2) ;\n {0} | {0} ;\n amoadd.w x6,x5,(x2) | lw x7,0(x1) ;\n"}) {
      const auto test =
          parse_test(fence, fmt::format("RISCV t\n{{ 0:x1=x; 0:x2=y; 0:x5=1; 1:x1=x; 1:x2=y; 1:x5=1; }}\n P0 | P1 ;\n{}"
                                        "locations [0:x6; 1:x6; 1:x7; x; y]\nexists (true)\n",
                                        fmt::format(fmt::runtime(shape), fence)));
      ASSERT_TRUE(test) << render(test.error());
      compared.compare(*test);
    }
  compared.show();
  for (const char* pair : {"graph tso", "graph pso", "graph nsw", "explicit tso"})
    EXPECT_EQ(compared.answers[pair], 15u) << pair;
  EXPECT_EQ(compared.answers["explicit pso"], 9u);  // its machine has no such fence
}

TEST(LitmusEngines, a_limit_is_told_of_racy_tests_too) {
  const auto test = parse_test("racy",
                               "C racy\n{}\nP0(int* x, atomic_int* y) { *x = 1; atomic_store(y, 1); *x = 2; }\n"
                               "P1(int* x, atomic_int* y) { int r0 = *x; int r1 = atomic_load(y); int r2 = *x; }\n"
                               "exists (1:r0=1 /\\ 1:r2=2)\n");
  ASSERT_TRUE(test) << render(test.error());
  const ModelChoice rc11{"rc11", axioms::find_model("rc11"), nullptr};
  core::Budget enough, little;
  enough.start();
  little.max_states = 1;
  little.start();
  const auto whole = engine("graph").run(*test, {&rc11, 1}, {}, &enough);
  EXPECT_TRUE(whole[0].refusal.none()) << whole[0].refusal.text;
  EXPECT_TRUE(whole[0].racy);
  EXPECT_GT(whole[0].states.size(), 2u);
  EXPECT_FALSE(engine("graph").run(*test, {&rc11, 1}, {}, &little)[0].refusal.none());
}

// What explicit states cannot hold is a limit of theirs: no thread of the test goes wrong.
TEST(LitmusEngines, more_threads_than_explicit_states_have) {
  std::string threads = " P0", first = " MOV [x],$1";
  for (int t = 1; t < 66; ++t) {
    threads += fmt::format(" | P{}", t);
    first += t < 65 ? " | NOP" : " | MOV EAX,[x]";
  }
  const auto test = parse_test("many", "X86 many\n{ x=0; }\n" + threads + " ;\n" + first + " ;\nexists (65:EAX=1)\n");
  ASSERT_TRUE(test) << render(test.error());
  const ModelChoice tso{"tso", axioms::find_model("tso"), nullptr};
  EXPECT_EQ(engine("graph").run(*test, {&tso, 1}, {}, nullptr)[0].states.size(), 2u);
  const auto refused = engine("explicit").run(*test, {&tso, 1}, {}, nullptr);
  EXPECT_EQ(refused[0].refusal.text, "conditions on states of more than 64 threads");
}

TEST(LitmusEngines, a_deadlock_is_no_bound) {
  const ModelChoice rc11{"rc11", axioms::find_model("rc11"), nullptr};
  const auto cut_off = [&](const std::string& text) {
    const auto test = parse_test("t", text);
    EXPECT_TRUE(test);
    return engine("graph").run(*test, {&rc11, 1}, {}, nullptr)[0].cut_off;
  };
  EXPECT_FALSE(
      cut_off("C t\n{}\nP0 (mtx_t *m, int *x) { mtx_lock(m); *x = 1; mtx_unlock(m); }\n"
              "P1 (mtx_t *m, int *x) { mtx_lock(m); int r0 = *x; }\nexists (1:r0=0)\n"));
  EXPECT_TRUE(
      cut_off("C t\n{}\nP0 (atomic_int *x) { int r0 = 0; while (r0 < 5) { atomic_store(x, r0); r0 = r0 + 1; } }\n"
              "exists (x=4)\n"));
}

// The thread waits for itself: the log has no answer, as the verdict has none.
TEST(LitmusEngines, without_any_execution_there_is_no_answer) {
  const std::string file = testing::TempDir() + "heddle_no_execution.litmus";
  std::ofstream(file) << "C t\n{}\nP0 (mtx_t *m, int *x) { mtx_lock(m); mtx_lock(m); *x = 1; }\n~exists (x=1)\n";
  drive::Task task;
  task.files = {file};
  core::Budget budget;
  budget.start();
  std::string block;
  const auto run = drive::run_litmus(task, false, budget, [&](const drive::LitmusAnswer& a) { block = a.block; });
  ASSERT_TRUE(run);
  EXPECT_TRUE(block.starts_with("Test t Unknown\n")) << block;
  EXPECT_EQ(run->answers[0].verdicts[0].outcome, core::Outcome::Unknown);
  std::filesystem::remove(file);
}

TEST(LitmusEngines, the_corpus_has_the_same_outcomes_slow) {
  const std::string root = tests::shared("corpora/litmus");
  if (root.empty()) GTEST_SKIP() << "the litmus corpus is not beside the checkout";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path().string());
  std::ranges::sort(files);
  Compared compared;
  for (const std::string& file : files)
    if (const auto test = read_test(file)) compared.compare(*test);
  EXPECT_GT(compared.answers["graph armv8"], 1000u);
  compared.show();
}

}  // namespace
