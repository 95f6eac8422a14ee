// The exploration of graphs against brute force: the same executions, each told exactly once, for every model. Under the
// models with load buffering an execution with promised reads may be visited again; how often is printed.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "check/graph_replay.h"
#include "graph/check.h"
#include "support/brute_force.h"
#include "support/brute_force_mixed.h"
#include "support/random_mini.h"
#include "support/times.h"
#include "support/unjudged.h"

namespace heddle::graph {
namespace {

using test::MiniProgram;
using test::RandomShape;

struct Visits {
  std::uint64_t executions = 0, again = 0;
};

// Every execution of the engine by name; fails on one that is told twice.
std::set<std::string> explored(const MiniProgram& p, const std::string& model, unsigned seed, bool mixed,
                               unsigned workers, Visits& visits) {
  std::set<std::string> names;
  Options o;
  o.model = model;
  o.workers = workers;
  o.hash_executions = true;
  o.on_restart = [&] { names.clear(); };
  o.on_complete = [&](const Completed& done) {
    EXPECT_TRUE(names.insert(mixed ? test::bytes_of(done.witness) : test::name_of(done.witness)).second)
        << model << " seed " << seed << ": twice";
    const auto replayed = check::replay_graph(p, done.witness, {});
    EXPECT_TRUE(replayed.confirmed) << model << " seed " << seed << ": " << replayed.why.text;
  };
  core::Budget budget;
  const auto v = test::unjudged(graph::check(p, o, budget));
  EXPECT_EQ(v.outcome, core::Outcome::Safe) << model << " seed " << seed << ": " << v.reason.text << v.violation;
  visits.executions += names.size();
  visits.again += v.statistics.duplicates.value_or(0);
  return names;
}

template <class Brute = test::BruteForce>
void compare(const std::vector<std::string>& models, unsigned from, unsigned count, const RandomShape& shape,
             unsigned workers = 1) {
  unsigned compared = 0;
  std::map<std::string, Visits> visits;  // by model
  if (count > 1) {                       // one program was chosen for what it is
    count *= test::times();
    from = test::first_seed(from);
  }
  for (unsigned seed = from; seed < from + count; ++seed) {
    MiniProgram spinning, assuming;
    test::random_mini(spinning, seed, shape, false);
    test::random_mini(assuming, seed, shape, true);
    Brute brute(assuming);
    for (const auto& model : models) {
      const auto expected = brute.executions(*axioms::find_model(model), 20000);
      if (brute.gave_up) continue;
      ++compared;
      const auto found = explored(spinning, model, seed, shape.mixed, workers, visits[model]);
      if (found == expected) continue;
      std::string report;
      for (const auto& e : expected)
        if (!found.contains(e)) report += "\n  missed: " + e;
      for (const auto& e : found)
        if (!expected.contains(e)) report += "\n  wrong:  " + e;
      ADD_FAILURE() << model << " seed " << seed << report;
      if (::testing::Test::HasFatalFailure() || ::testing::UnitTest::GetInstance()->failed_test_count() > 3) return;
    }
  }
  EXPECT_GT(compared, count * models.size() / 2);
  std::cout << "  " << count << " programs, executions";
  for (const auto& [model, v] : visits)
    std::cout << "  " << model << " " << v.executions << " + " << v.again << " again";
  std::cout << "\n";
}

const std::vector<std::string> acyclic_models = {"sc", "tso", "pso", "nsw", "ra", "rc11"};
const std::vector<std::string> cyclic_models = {"rmo", "armv8", "armv8.1", "riscv", "power"};

TEST(GraphAxioms, RelaxedAccesses) { compare(acyclic_models, 1, 400, {3, 2, 3, false, false, false}); }
TEST(GraphAxioms, ReadModifyWrites) { compare(acyclic_models, 1001, 400, {3, 2, 3, false, false, true}); }
TEST(GraphAxioms, AllOrders) { compare(acyclic_models, 2001, 600, {3, 2, 3, true, false, true}); }
TEST(GraphAxioms, TwoLongThreads) { compare(acyclic_models, 3001, 300, {2, 2, 5, true, false, true}); }
TEST(GraphAxioms, ManyThreads) { compare(acyclic_models, 4001, 300, {4, 2, 2, true, false, true}); }
TEST(GraphAxioms, SpinLoops) { compare(acyclic_models, 5001, 600, {3, 2, 3, true, true, true}); }

TEST(GraphAxioms, LoadBuffering) { compare(cyclic_models, 6001, 900, {3, 2, 3, false, false, false}); }
TEST(GraphAxioms, LoadBufferingWithReadModifyWrites) {
  compare(cyclic_models, 7001, 900, {3, 2, 3, false, false, true});
}
TEST(GraphAxioms, LoadBufferingInTwoLongThreads) { compare(cyclic_models, 8001, 600, {2, 2, 5, false, false, true}); }
// Beside a promised read its thread reads the location from a write that a revisit replaces: only what is pinned may
// contradict a promise (graph/lost_promises.h).
TEST(GraphAxioms, LoadBufferingBesideReadsThatAreRevisited) {
  compare(cyclic_models, 1008154, 1, {2, 2, 5, false, false, true});
  compare(cyclic_models, 1009130, 1, {2, 2, 5, false, false, true});
}
TEST(GraphAxioms, LoadBufferingWithAllOrders) {
  compare(cyclic_models, 10001, 600, {3, 2, 3, true, false, true});
  compare(cyclic_models, 10601, 300, {4, 2, 2, true, false, true});
  compare(cyclic_models, 10901, 100, {2, 2, 5, true, false, true});
}
// Message passing, causality over three threads, independent reads: what fences are for.
TEST(GraphAxioms, LoadBufferingWithFences) {
  compare(cyclic_models, 20001, 500, {3, 2, 3, false, false, true, false, true});
  compare(cyclic_models, 21001, 500, {3, 3, 5, false, false, false, false, true});
  compare(cyclic_models, 22001, 300, {4, 2, 3, false, false, false, false, true});
}
void compare_mixed(const std::vector<std::string>& models, unsigned from, unsigned count, const RandomShape& shape) {
  compare<test::BruteForceMixed>(models, from, count, shape);
}
TEST(GraphAxioms, MixedSizes) { compare_mixed(acyclic_models, 12001, 300, {3, 2, 2, true, false, true, true}); }
TEST(GraphAxioms, MixedSizesWithLoadBuffering) {
  compare_mixed(cyclic_models, 13001, 300, {3, 2, 2, false, false, true, true});
  compare_mixed(cyclic_models, 15001, 150, {3, 2, 2, true, false, true, true});
  compare_mixed({"power"}, 7100201, 50, {3, 2, 2, true, false, true, true});
}
// A compare-exchange that fails by one piece keeps what another piece has read, though a read-modify-write of that piece
// alone has read the same.
TEST(GraphAxioms, MixedSizesOfReadModifyWritesThatCompete) {
  for (const auto& models : {acyclic_models, cyclic_models}) {
    compare_mixed(models, 1020650, 1, {3, 2, 2, true, false, true, true});
    compare_mixed(models, 1023027, 1, {3, 2, 2, true, false, true, true});
    compare_mixed(models, 1024573, 1, {3, 1, 3, false, false, true, true});
    compare_mixed(models, 3200001, 100, {2, 1, 3, true, false, true, true});
  }
}
// A thread that spins may have read one byte from a write that is promised, and another one that is there.
TEST(GraphAxioms, MixedSizesWithLoadBufferingAndSpinLoops) {
  compare_mixed(cyclic_models, 7120001, 300, {3, 2, 3, false, true, true, true});
}
TEST(GraphAxioms, MixedSizes_slow) {
  compare_mixed(acyclic_models, 14001, 900, {3, 1, 3, false, false, true, true});
  compare_mixed(cyclic_models, 16001, 900, {3, 2, 2, true, false, true, true});
  compare_mixed(cyclic_models, 18001, 900, {3, 1, 3, false, false, true, true});
}
// Atomic sections, with other accesses to the same variables outside.
TEST(GraphAxioms, Sections) {
  compare(acyclic_models, 30001, 300, {.threads = 3, .operations = 3, .sections = true});
  compare(acyclic_models, 31001, 150, {.threads = 2, .operations = 5, .sections = true});
}
TEST(GraphAxioms, SectionsWithLoadBuffering) {
  compare(cyclic_models, 32001, 300, {.threads = 3, .operations = 3, .sections = true});
  compare(cyclic_models, 33001, 300, {.threads = 3, .operations = 3, .orders = false, .sections = true});
}
// Promises count from the next round on, and are found by all.
TEST(GraphAxioms, LoadBufferingByWorkers) {
  compare(cyclic_models, 34001, 250, {3, 2, 3, false, false, true}, 3);
  compare(cyclic_models, 35001, 150, {2, 2, 5, false, false, true}, 2);
  compare(cyclic_models, 36001, 150, {3, 2, 3, false, true, true}, 2);
  compare(cyclic_models, 37001, 100, {.threads = 3, .operations = 3, .orders = false, .sections = true}, 2);
  compare<test::BruteForceMixed>(cyclic_models, 38001, 60, {3, 2, 2, false, false, true, true}, 2);
}
// In the execution in which all reads of the first two threads see 1, the first read of the first thread sees what comes
// from its second read, and the second one a write that it precedes in po ∪ rf. While the second read sees 0 the first
// one cannot see 1, so that no graph in which both could be seen apart is an execution (graph/promise_book.h).
TEST(GraphAxioms, PromiseBehindAPromise) {
  MiniProgram p;
  const auto x = p.variable("x"), y = p.variable("y"), z = p.variable("z"), u = p.variable("u"), v = p.variable("v");
  p.thread().load(1, x).load(2, y).store(u, test::Reg{2}).store(z, 1);
  p.thread().load(1, z).load(2, v).store(y, test::Reg{2});
  p.thread().load(1, u).store(x, test::Reg{1}).store(v, 1).store(v, 2);
  p.seal();
  test::BruteForce brute(p);
  for (const auto& model : cyclic_models) {
    const auto expected = brute.executions(*axioms::find_model(model), 1000000);
    ASSERT_FALSE(brute.gave_up);
    Visits visits;
    EXPECT_EQ(explored(p, model, 0, false, 1, visits), expected) << model;
  }
}
// The loads of z by the second thread can see 0, then what is promised, then 0 again while the promise is not kept. What
// is held of such a run must not be taken for that of the last thread, whose same loads see 0, 1 and 1: riscv and power
// do not order the two loads that see one store, so that x may be 0 although y is 1 (graph/local_order.cpp).
TEST(GraphAxioms, ReadsThatContradictAPromise) {
  using test::Alu, test::Cmp, test::Reg;
  MiniProgram p;
  const auto x = p.variable("x"), y = p.variable("y"), z = p.variable("z");
  const auto w = p.variable("w"), u = p.variable("u"), gate = p.variable("gate");
  const auto loads = [&](test::MiniThread& t, bool stores) {
    t.load(2, z).load(3, y).compute(7, Alu::Xor, Reg{3}, Reg{3}).load(4, MiniProgram::cell(z, Reg{7})).load(5, z);
    if (stores) t.store(w, 1);
    t.compute(7, Alu::Xor, Reg{5}, Reg{5}).load(6, MiniProgram::cell(x, Reg{7}));
    if (stores) t.store(u, Reg{4});
  };
  const auto after = [](test::MiniThread& t, test::Place seen, test::Place store, int value) {
    t.load(1, seen);
    const auto end = t.branch(1, Cmp::Eq, 0);
    t.store(store, value).land(end);
  };
  p.thread().store(x, 1).fence().store(y, 1);
  auto& second = p.thread();
  second.load(1, gate);
  auto end = second.branch(1, Cmp::Eq, 2);
  loads(second, true);
  second.land(end);
  after(p.thread(), w, z, 1);
  after(p.thread(), u, gate, 2);
  auto& last = p.thread();
  last.load(1, gate);
  end = last.branch(1, Cmp::Ne, 2);
  loads(last, false);
  last.land(end);
  p.seal();
  test::BruteForce brute(p);
  for (const auto& model : cyclic_models) {
    const auto expected = brute.executions(*axioms::find_model(model), 10000);
    ASSERT_FALSE(brute.gave_up);
    Visits visits;
    EXPECT_EQ(explored(p, model, 0, false, 1, visits), expected) << model;
  }
}
// Promises of several writes for several reads of one location.
TEST(GraphAxioms, LoadBufferingOfOneLocation) {
  compare(cyclic_models, 39001, 200, {2, 2, 6, false, false, false});
  compare(cyclic_models, 39501, 200, {3, 3, 4, false, false, false});
}
// Only the elder of two threads is promised anything (graph/elder_promises.h).
TEST(GraphAxioms, LoadBufferingBetweenTwoThreads) {
  compare(cyclic_models, 40001, 150, {2, 3, 6, false, false, false});
  compare(cyclic_models, 40501, 150, {2, 3, 6, false, false, true});
  compare(cyclic_models, 41001, 150, {2, 2, 6, true, false, true});
  compare(cyclic_models, 41501, 150, {2, 2, 4, false, true, true});
  compare(cyclic_models, 42001, 150, {2, 3, 8, false, false, true, false, true});
}
// … also beside threads that only write, be they older than both and write before the two begin, or not.
TEST(GraphAxioms, LoadBufferingBesideThreadsThatWrite) {
  for (const auto& [from, shape] : {std::pair{43001U, RandomShape{2, 2, 4, false, false, true}},
                                    std::pair{43501U, RandomShape{2, 3, 5, false, false, false}},
                                    std::pair{44001U, RandomShape{2, 2, 3, false, true, true}}}) {
    std::map<std::string, Visits> visits;
    unsigned compared = 0;
    const unsigned count = 100 * test::times();
    for (unsigned seed = test::first_seed(from); seed < test::first_seed(from) + count; ++seed) {
      MiniProgram spinning, assuming;
      for (MiniProgram* p : {&spinning, &assuming}) {
        std::mt19937 random(seed);
        int value = 1;
        std::vector<test::Place> x;
        for (unsigned v = 0; v < shape.variables; ++v)
          x.push_back(p->variable(std::string(1, static_cast<char>('x' + v))));
        // Threads of these numbers write; usually the first one.
        const unsigned writer = random() % 3 != 0 ? 0 : static_cast<unsigned>(random() % 3);
        const unsigned second = random() % 3 != 0 ? 4 : static_cast<unsigned>(random() % 4);
        for (unsigned t = 0; t < (second < 4 ? 4 : 3); ++t) {
          auto& thread = p->thread();
          if (t != writer && t != second) test::random_body(thread, x, random, value, shape, p == &assuming);
          else
            for (auto n = 1 + random() % 2; n > 0; --n)
              thread.store(x[random() % x.size()], 100 * static_cast<int>(t + n));
        }
        p->seal();
      }
      test::BruteForce brute(assuming);
      for (const auto& model : cyclic_models) {
        const auto expected = brute.executions(*axioms::find_model(model), 20000);
        if (brute.gave_up) continue;
        ++compared;
        EXPECT_EQ(explored(spinning, model, seed, false, 1, visits[model]), expected) << model << " seed " << seed;
      }
      if (HasFailure()) return;
    }
    EXPECT_GT(compared, count * cyclic_models.size() / 2);
    std::cout << "  " << count << " programs, executions";
    for (const auto& [model, v] : visits)
      std::cout << "  " << model << " " << v.executions << " + " << v.again << " again";
    std::cout << "\n";
  }
}
TEST(GraphAxioms, LoadBufferingWithSpinLoops) { compare(cyclic_models, 9001, 900, {3, 2, 3, false, true, true}); }

}  // namespace
}  // namespace heddle::graph
