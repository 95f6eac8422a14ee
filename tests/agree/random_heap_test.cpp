// Random small C programs about objects that are published, linked and freed, and threads that create others: what the
// explicit engine finds, with and without reduction, at different levels of optimisation and with one search after the
// other, against the naive machine of check/, and under sc, tso and pso against execution graphs, whose findings replay.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "check/graph_replay.h"
#include "check/naive_threads.h"
#include "explore/product.h"
#include "explore/search.h"
#include "graph/check.h"
#include "models/models.h"
#include "support/outcomes.h"
#include "support/random_c.h"
#include "support/random_heap.h"
#include "support/random_lifetimes.h"
#include "support/times.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

using tests::Threads;

// For all: private stores sleep and take no place in a buffer (explore/sleepers.h).
constexpr unsigned roomy = 200;

struct Ends {
  std::set<std::string> memories;
  bool deadlock = false, failed = false, leaked = false;
  std::size_t states = 0;
  friend bool operator==(const Ends& a, const Ends& b) {
    return a.memories == b.memories && a.deadlock == b.deadlock && a.failed == b.failed && a.leaked == b.leaked;
  }
  friend std::ostream& operator<<(std::ostream& out, const Ends& e) {
    for (const std::string& memory : e.memories) out << memory << "\n";
    return out << (e.deadlock ? "deadlock " : "") << (e.failed ? "failed " : "") << (e.leaked ? "leaked " : "");
  }
  void note(const std::string& kind) { (kind == "memory-leak" ? leaked : failed) = true; }
};

std::optional<Ends> by_naive(const core::Program& program, const char* model, bool spurious, std::size_t most) {
  Ends ends;
  std::unordered_set<std::string> seen;
  std::deque<check::NaiveThreads> todo{check::NaiveThreads(program, *check::thread_model(model), roomy)};
  seen.insert(todo.front().canonical_key());
  while (!todo.empty()) {
    if (seen.size() > most) return std::nullopt;
    const check::NaiveThreads state = std::move(todo.front());
    todo.pop_front();
    if (state.ended()) continue;
    const auto end = tests::naive_steps(state, spurious, [&](const auto& next, const check::NaiveReport& report) {
      if (report.failure) ends.note(report.failure->kind);
      else if (next.ended() || seen.insert(next.canonical_key()).second) todo.push_back(next);
    });
    if (end == tests::NaiveEnd::Deadlock) ends.deadlock = true;
    if (end == tests::NaiveEnd::Complete) ends.memories.insert(tests::show_memory(program, state));
  }
  ends.states = seen.size();
  return ends;
}

Ends by_product(const explore::Product& product, core::Reduction reduction) {
  struct Sink final : core::SuccessorSink {
    void successor(const core::Successor& s) override {
      any = true;
      if (s.error != 0) ends.note(product->error_kind(s.error));
      else if (std::vector<std::uint32_t> next(s.state.begin(), s.state.end()); seen.insert(next).second)
        todo.push_back(next);
    }
    const explore::Product* product = nullptr;
    Ends ends;
    bool any = false;
    std::set<std::vector<std::uint32_t>> seen;
    std::deque<std::vector<std::uint32_t>> todo;
  } sink;
  sink.product = &product;
  const auto scratch = product.make_scratch();
  sink.todo.push_back(product.initial(*scratch));
  sink.seen.insert(sink.todo.front());
  while (!sink.todo.empty()) {
    const auto state = sink.todo.front();
    sink.todo.pop_front();
    sink.any = false;
    product.successors(state, reduction, *scratch, sink);
    if (sink.any) continue;
    if (!product.proper_end(state, *scratch)) {
      sink.ends.deadlock = true;
      continue;
    }
    const std::string shown = product.show(state, *scratch);
    bool ended = shown.find('=') != std::string::npos;
    for (std::size_t at = shown.find(':'); at != std::string::npos && at < shown.find('=');
         at = shown.find(':', at + 1))
      ended &= shown.compare(at + 1, 5, "ended") == 0;
    if (ended) sink.ends.memories.insert(shown.substr(shown.rfind(' ', shown.find('='))));
  }
  sink.ends.states = sink.seen.size();
  return sink.ends;
}

// The states of a search that goes on after errors: those of by_product().
std::uint64_t states_of_search(const explore::Product& product, explore::SearchOrder order, unsigned workers) {
  core::Budget budget;
  explore::SearchOptions options;
  options.order = order;
  options.reduction = core::Reduction::Safety;
  options.workers = workers;
  options.errors = false;
  return explore::search(product, options, budget).states;
}

void expect_replay(const core::Program& program, const core::Finding& finding) {
  const core::Found* found = finding.found();
  if (found == nullptr) return;
  const auto replayed = check::confirm_graph(program, std::get<core::ExecutionWitness>(found->run), found->claim);
  EXPECT_TRUE(replayed.confirmed) << word_of(found->claim) << ": " << replayed.why.text;
}

// `exits`: every execution comes to a call of exit, where leaks are looked for.
void against_graphs(const core::Program& program, const char* model, const Ends& expected, bool exits,
                    unsigned& decided) {
  graph::Options options;
  options.model = model;
  options.properties.leaks = exits;
  core::Budget budget;
  budget.max_states = 20000;
  const auto finding = graph::check(program, options, budget);
  expect_replay(program, finding);
  const auto v = test::unjudged(finding);
  if (v.outcome == core::Outcome::Unknown) return;
  ++decided;
  EXPECT_EQ(v.outcome == core::Outcome::Unsafe, expected.failed || (exits && expected.leaked)) << v.violation;
}

// Models without a naive machine: what is found is an execution of the model that fails as is said.
void replay_under(const core::Program& program, const char* model, unsigned& found) {
  SCOPED_TRACE(model);
  graph::Options options;
  options.model = model;
  core::Budget budget;
  budget.max_states = 2000;
  const auto finding = graph::check(program, options, budget);
  found += finding.found() != nullptr;
  expect_replay(program, finding);
}

struct Counts {
  unsigned programs = 0, comparisons = 0, skipped = 0, failed = 0, leaked = 0, decided = 0, replayed = 0;
  std::size_t naive = 0, all = 0, reduced = 0, several = 0;
};

// The part of a module's text that is one of its programs.
std::string text_of(const std::string& text, unsigned program) {
  const auto begin = [&](unsigned i) {
    return std::min({text.find(fmt::format("void *c{}_", i)), text.find(fmt::format("void *t{}_0(", i)), text.size()});
  };
  return text.substr(begin(program), begin(program + 1) - begin(program));
}

// False: too many states for the naive machine.
bool compare(const core::Program& program, const char* model, bool spurious, const std::string& text, Counts& counts) {
  const auto naive = by_naive(program, model, spurious, 4000);
  if (!naive) return false;
  const explore::Product product(program, *models::machine(model), {.buffer_bound = roomy, .spurious_cas = spurious});
  const Ends whole = by_product(product, core::Reduction::None);
  EXPECT_EQ(whole, *naive) << "without reduction";
  const Ends fewer = by_product(product, core::Reduction::Safety);
  EXPECT_EQ(fewer, *naive) << "with reduction";
  EXPECT_EQ(states_of_search(product, explore::SearchOrder::Depth, 1), fewer.states);
  EXPECT_EQ(states_of_search(product, explore::SearchOrder::Breadth, 2), fewer.states);
  counts.comparisons += 4;
  counts.naive += naive->states, counts.all += whole.states, counts.reduced += fewer.states;
  counts.failed += naive->failed, counts.leaked += naive->leaked, counts.several += naive->memories.size() > 1;
  const bool graphs = !spurious && !models::machine(model)->defers_loads();
  if (graphs) against_graphs(program, model, *naive, text.find("exit(0)") != std::string::npos, counts.decided);
  if (graphs && model == std::string("pso"))
    for (const char* other : {"rc11", "armv8", "riscv", "power", "rmo"}) replay_under(program, other, counts.replayed);
  return true;
}

template <class Generator>
Counts compare(std::uint64_t seed, unsigned modules, unsigned programs) {
  Counts counts;
  for (unsigned n = 0; n < modules; ++n) {
    Generator generator(seed + n);
    const std::string text = generator.module(programs);
    for (const bool pending : {false, true}) {
      lang::llvm_ir::Options options;
      options.optimise = std::to_string(n % 3);
      options.pending_loads = pending;
      options.cflags = {"-w"};
      const auto loaded = tests::load_module(text, options);
      EXPECT_NE(loaded, nullptr);
      if (!loaded) return counts;
      const auto each = tests::programs_of(*loaded, programs);
      for (unsigned i = 0; i < programs; ++i) {
        EXPECT_FALSE(each[i].empty());
        const Threads program(*loaded, each[i]);
        counts.programs += !pending;
        const bool spurious = i % 4 == 0;
        for (const char* model : pending ? std::vector{"lmo", "nsw"} : std::vector{"sc", "tso", "pso"}) {
          SCOPED_TRACE(fmt::format("seed {} program {} under {} at -O{} spurious {}\n{}", seed + n, i, model, n % 3,
                                   spurious, text_of(text, i)));
          if (!compare(program, model, spurious, text_of(text, i), counts)) ++counts.skipped;
          if (testing::Test::HasFailure()) return counts;
        }
      }
    }
  }
  fmt::print(
      "  {} programs, {} comparisons and {} with graphs, {} replays, {} skipped, {} failed, {} leaked, {} with several "
      "ends; "
      "states: {} naive, {} whole, {} reduced\n",
      counts.programs, counts.comparisons, counts.decided, counts.replayed, counts.skipped, counts.failed,
      counts.leaked, counts.several, counts.naive, counts.all, counts.reduced);
  return counts;
}

TEST(RandomHeap, HasTheEndsOfTheNaiveMachine) {
  const Counts counts = compare<tests::RandomHeap>(test::first_seed(1), 3 * test::times(), 4);
  EXPECT_GT(counts.several, counts.programs / 5);
  EXPECT_LT(2 * counts.reduced, counts.naive);
}

TEST(RandomHeap, ObjectsThatAreFreedWhileOthersLookIntoThem) {
  const Counts counts = compare<tests::RandomLifetimes>(test::first_seed(1), 3 * test::times(), 12);
  EXPECT_GT(counts.failed, counts.programs / 5);
  EXPECT_GT(counts.replayed, counts.programs / 2);
}

}  // namespace
}  // namespace heddle
