// Data races in the explicit engine, compared with all runs of the naive machine and happens-before by the book, and,
// where sequential consistency decides (plain and seq_cst accesses only), with the execution graphs of rc11.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "c_snippet.h"
#include "check/naive_races.h"
#include "check/naive_threads.h"
#include "check/thread_replay.h"
#include "explore/product.h"
#include "explore/search.h"
#include "graph/check.h"
#include "models/models.h"
#include "support/mini_program.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

using core::Order;
using test::MiniProgram;

struct Shape {
  unsigned threads = 2, operations = 4;
  bool only_seq_cst = false;
  bool spawned = false;  // a first thread creates the others, joins them and looks at the variables
};

void random_racy(MiniProgram& p, unsigned seed, const Shape& shape) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const test::Place data[] = {p.variable("d"), p.variable("e")};
  const test::Place flags[] = {p.variable("f"), p.variable("g")};
  const auto one_of = [&](std::initializer_list<Order> orders) {
    return shape.only_seq_cst ? Order::SeqCst : orders.begin()[pick(static_cast<unsigned>(orders.size()))];
  };
  const auto operations = [&](test::MiniThread& t) {
    std::optional<std::uint32_t> skip;
    for (unsigned i = 0, n = 1 + pick(shape.operations); i < n; ++i) {
      const test::Place flag = flags[pick(4) == 0], datum = data[pick(4) == 0];
      switch (pick(shape.only_seq_cst ? 8 : 10)) {
        case 0:
        case 1: t.store(datum, 1, Order::Plain); break;
        case 2: t.load(2, datum, Order::Plain); break;
        case 3:
        case 4:
          t.store(flag, static_cast<int>(1 + pick(2)),
                  one_of({Order::Relaxed, Order::Release, Order::Release, Order::SeqCst}));
          break;
        case 5:
        case 6:
          t.load(1, flag, one_of({Order::Relaxed, Order::Acquire, Order::Acquire, Order::SeqCst}));
          if (!skip) skip = t.branch(1, test::Cmp::Eq, 0);
          break;
        case 7:
          if (pick(3) == 0)
            t.cas(1, flag, 1, 2, one_of({Order::Relaxed, Order::AcqRel, Order::Acquire}),
                  one_of({Order::Relaxed, Order::Acquire}));
          else
            t.rmw(1, core::RmwOp::Add, flag, 1,
                  one_of({Order::Relaxed, Order::Release, Order::Acquire, Order::AcqRel}));
          break;
        default: t.fence(one_of({Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst})); break;
      }
    }
    if (skip) t.land(*skip);
  };
  if (!shape.spawned) {
    for (unsigned t = 0; t < shape.threads; ++t) operations(p.thread());
  } else {
    auto& first = p.thread();
    if (pick(2) == 0) first.store(data[0], 5, Order::Plain);
    for (unsigned t = 1; t < shape.threads; ++t) first.spawn(2 + t, t, 0);
    if (pick(2) == 0) first.load(1, flags[0], Order::Relaxed);
    const unsigned joined = pick(3) == 0 ? shape.threads - 1 : shape.threads;
    for (unsigned t = 1; t < joined; ++t) first.join(2 + t);
    first.store(data[pick(2)], 6, Order::Plain);
    for (unsigned t = 1; t < shape.threads; ++t) operations(p.body());
  }
  p.seal();
}

// All runs, one after the other. Gives up (and says so) where there are too many.
class AllRuns {
 public:
  AllRuns(const core::Program& program, check::ThreadModel model) : begin_(program, model, 1000) {}
  std::optional<bool> race() {
    go(begin_, {});
    if (found_) return true;
    return steps_ > limit ? std::nullopt : std::optional(false);
  }

 private:
  static constexpr unsigned limit = 15000;
  void next(check::NaiveThreads state, check::NaiveRaces races, const check::NaiveReport& report) {
    ++steps_;
    races.add(report.event);
    if (races.race()) found_ = true;
    else if (!report.failure) go(state, races);
  }
  void go(const check::NaiveThreads& state, const check::NaiveRaces& races) {
    for (core::Tid t = 0; t < state.threads.size() && !found_ && steps_ <= limit; ++t) {
      check::NaiveThreads stepped = state;
      check::NaiveReport report;
      if (stepped.step(t, 0, &report)) next(stepped, races, report);
      for (const unsigned index : state.flushable(t)) {
        check::NaiveThreads flushed = state;
        check::NaiveReport flush_report;
        flushed.flush(t, index, &flush_report);
        if (!found_) next(flushed, races, flush_report);
      }
    }
  }
  check::NaiveThreads begin_;
  unsigned steps_ = 0;
  bool found_ = false;
};

// The engine's answer, with its trace replayed.
bool race_by_engine(const core::Program& program, const std::string& model, core::Reduction reduction) {
  const explore::Product product(program, *models::machine(model),
                                 {.buffer_bound = 100, .leaks = false, .races = true});
  core::Budget budget;
  explore::SearchOptions options;
  options.reduction = reduction;
  const explore::SearchResult result = explore::search_with_trace(product, options, budget);
  EXPECT_FALSE(result.stopped);
  if (!result.found) return false;
  EXPECT_EQ(product.error_kind(result.found->detail), "race");
  const auto replayed = check::replay(
      program, model, 100, {product.single_moves(result.found->moves, result.found->reduction)}, {core::Race{}});
  EXPECT_TRUE(replayed.confirmed) << replayed.why.text;
  return true;
}

struct Tally {
  unsigned racy = 0, safe = 0, skipped = 0;
};

void compare_with_all_runs(const core::Program& program, const std::string& model, Tally& tally) {
  const auto naive = AllRuns(program, *check::thread_model(model)).race();
  if (!naive) {
    ++tally.skipped;
    return;
  }
  ++(*naive ? tally.racy : tally.safe);
  for (const auto reduction : {core::Reduction::None, core::Reduction::Safety})
    ASSERT_EQ(race_by_engine(program, model, reduction), *naive);
}

void compare(unsigned first, unsigned count) {
  for (const Shape shape : {Shape{}, Shape{3, 2}, Shape{3, 3, false, true}}) {
    Tally tally;
    for (unsigned seed = first; seed < first + count; ++seed)
      for (const char* model : {"sc", "tso", "pso"}) {
        SCOPED_TRACE(fmt::format("seed {} under {}, {} threads{}", seed, model, shape.threads,
                                 shape.spawned ? ", spawned" : ""));
        MiniProgram program;
        random_racy(program, seed, shape);
        compare_with_all_runs(program, model, tally);
        if (testing::Test::HasFailure()) return;
      }
    testing::Test::RecordProperty(fmt::format("threads{}{}", shape.threads, shape.spawned ? "spawned" : ""),
                                  fmt::format("{} racy, {} safe, {} skipped", tally.racy, tally.safe, tally.skipped));
    EXPECT_GT(tally.racy, count / 4);
    EXPECT_GT(tally.safe, count / 4);
  }
}

TEST(Races, AreThoseOfAllRuns) { compare(1, 60); }
TEST(Races, AreThoseOfAllRuns_slow) { compare(10000, 500); }
TEST(Races, AreThoseOfAllRuns_endless) { compare(10500, 30000); }

// A program whose atomics are all seq_cst has a race under rc11 iff it has one in some interleaving.
TEST(Races, OfSeqCstProgramsAreThoseOfGraphs) {
  unsigned racy = 0;
  constexpr unsigned count = 300;
  for (unsigned seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    MiniProgram program;
    random_racy(program, seed, {2 + seed % 2, 4, true, seed % 3 == 0});
    graph::Options options;
    options.model = "rc11";
    options.properties.races = true;
    core::Budget budget;
    const core::Verdict graphs = test::unjudged(graph::check(program, options, budget));
    ASSERT_NE(graphs.outcome, core::Outcome::Unknown) << graphs.reason.text;
    const bool race = graphs.outcome == core::Outcome::Unsafe;
    racy += race ? 1 : 0;
    ASSERT_EQ(race_by_engine(program, "sc", core::Reduction::Safety), race);
  }
  EXPECT_GT(racy, count / 10);
  EXPECT_LT(racy, count - count / 10);
}

// Loops: the clocks must not make the state space infinite.
TEST(Races, OfLoopsHaveFinitelyManyStates) {
  for (const bool released : {true, false}) {
    MiniProgram program;
    const auto data = program.variable("data"), turn = program.variable("turn");
    for (int me = 0; me < 2; ++me) {
      auto& t = program.thread();
      const auto again = t.here();
      t.wait(1, turn, me, Order::Acquire);
      t.load(2, data, Order::Plain).compute(2, test::Alu::Xor, test::Reg{2}, 1).store(data, test::Reg{2}, Order::Plain);
      t.store(turn, 1 - me, released ? Order::Release : Order::Relaxed);
      t.branch(0, test::Cmp::Eq, 0, again);
    }
    program.seal();
    for (const char* model : {"sc", "tso", "pso"})
      EXPECT_EQ(race_by_engine(program, model, core::Reduction::Safety), !released) << model;
  }
}

// lmo and nsw need loads that can be put off, which only compiled programs have.
TEST(Races, UnderModelsThatPutLoadsOff) {
  const char* const stores[] = {"d=1;", "__atomic_store_n(&f,1,__ATOMIC_RELAXED);",
                                "__atomic_store_n(&f,1,__ATOMIC_RELEASE);", "__atomic_thread_fence(__ATOMIC_RELEASE);",
                                "__atomic_fetch_add(&f,1,__ATOMIC_RELAXED);"};
  const char* const loads[] = {"b=d;", "if(!__atomic_load_n(&f,__ATOMIC_RELAXED))return 0;",
                               "if(!__atomic_load_n(&f,__ATOMIC_ACQUIRE))return 0;",
                               "__atomic_thread_fence(__ATOMIC_ACQUIRE);", "a=__atomic_load_n(&f,__ATOMIC_RELAXED);"};
  std::mt19937 random(7);
  Tally tally;
  for (unsigned i = 0; i < 24; ++i) {
    std::string code = "static int d,f; static void*w(void*u){";
    for (unsigned k = 0; k < 3; ++k) code += k == 0 && i % 3 != 0 ? stores[0] : stores[random() % 5];
    code += "return 0;} static void*r(void*u){int a=0,b=0;";
    for (unsigned k = 0; k < 3; ++k) code += k == 2 && i % 4 != 0 ? loads[0] : loads[random() % 5];
    code += "return 0;} int main(void){__heddle_spawn(w,0);__heddle_spawn(r,0);return 0;}";
    SCOPED_TRACE(code);
    const auto program = tests::program_of(code, "0", true);
    ASSERT_TRUE(program);
    for (const char* model : {"lmo", "nsw"}) compare_with_all_runs(*program, model, tally);
    if (HasFailure()) return;
  }
  RecordProperty("tally", fmt::format("{} racy, {} safe, {} skipped", tally.racy, tally.safe, tally.skipped));
  EXPECT_GT(tally.racy, 5u);
  EXPECT_GT(tally.safe, 5u);
}

}  // namespace
}  // namespace heddle
