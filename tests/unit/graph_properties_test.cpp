// What the graph engine finds wrong with programs, and with which workers it counts alike.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "graph/check.h"
#include "support/graph_programs.h"
#include "support/unjudged.h"

namespace heddle::graph {
namespace {

using core::Order;
using test::Cmp;
using test::MiniProgram;
using test::Reg;

core::Verdict run(const MiniProgram& p, const std::string& model, const Properties& properties = {}) {
  Options o;
  o.model = model;
  o.properties = properties;
  core::Budget budget;
  return test::unjudged(check(p, o, budget));
}

TEST(GraphProperties, LoadBufferingIsCountedOnceWhereItIsAllowed) {
  for (const char* model : {"rmo", "armv8", "riscv", "power"}) {
    MiniProgram p;
    test::load_buffering(p);
    const auto v = run(p, model);
    EXPECT_EQ(v.statistics.executions, 4u) << model;
  }
}

// Nothing orders the accesses to one variable and those to the other: N stores and N loads of each come in every order,
// but those of a thread in theirs, so that there are binomial(2N, N) runs for each of the two. In many of them
// reads of both threads are on a cycle of program order and reads-from.
TEST(GraphProperties, LoadBufferingBetweenTwoThreadsIsMetOnce) {
  for (const char* model : {"rmo", "armv8", "riscv", "power"})
    for (const bool loads_first : {true, false}) {
      MiniProgram p;
      const auto x = p.variable("x"), y = p.variable("y");
      for (const auto& [mine, other] : {std::pair{x, y}, std::pair{y, x}}) {
        auto& t = p.thread();
        for (unsigned i = 1; i <= 3; ++i) {
          t.load(i, other);
          if (!loads_first) t.store(mine, static_cast<int>(i));
        }
        for (int i = 1; loads_first && i <= 3; ++i) t.store(mine, i);
      }
      p.seal();
      const auto v = run(p, model);
      EXPECT_EQ(v.statistics.executions, 400u) << model;
      EXPECT_EQ(v.statistics.duplicates, 0u) << model;
    }
}

// The thread that creates both writes to what it hands them, also when the first one is there, and they free it: nothing
// of that is on a cycle, and every execution comes once.
TEST(GraphProperties, LoadBufferingBetweenTwoThreadsThatAreHandedObjects) {
  for (const char* model : {"armv8", "riscv", "power"}) {
    MiniProgram p;
    const auto x = p.variable("x"), y = p.variable("y");
    auto& creator = p.thread();
    for (const unsigned r : {1U, 4U}) {
      const Reg object{static_cast<std::uint8_t>(r)}, given{static_cast<std::uint8_t>(r + 1)};
      creator.alloc(r, 8).alloc(r + 1, 8).store(MiniProgram::at(object), given).spawn(r + 2, r == 1 ? 1 : 2, object);
    }
    creator.join(3).join(6);
    for (const auto& [mine, other] : {std::pair{x, y}, std::pair{y, x}}) {
      auto& t = p.body();
      t.load(1, MiniProgram::at(Reg{0})).free(0);
      for (unsigned i = 2; i <= 4; ++i) t.load(i, other).store(mine, static_cast<int>(i));
      const auto end = t.branch(1, Cmp::Eq, 0);
      t.free(1).land(end);
    }
    p.seal();
    const auto v = run(p, model);
    EXPECT_EQ(v.statistics.executions, 400u) << model;
    EXPECT_EQ(v.statistics.duplicates, 0u) << model;
  }
}

// The elder of two threads waits for the end of a third one, which accesses nothing, while the younger has its turn.
TEST(GraphProperties, LoadBufferingBehindTheEndOfAThread) {
  for (const char* model : {"rmo", "armv8", "riscv", "power"})
    for (const bool load_first : {true, false}) {
      MiniProgram p;
      const auto x = p.variable("x"), y = p.variable("y");
      auto& elder = p.thread();
      elder.spawn(2, 1, 0).spawn(3, 2, 0);
      if (load_first) elder.load(1, x).join(3).land(elder.branch(1, Cmp::Eq, 0));
      else elder.join(3).load(1, x);
      elder.store(y, 1);
      p.body().load(1, y).store(x, 1);
      p.body().fence();
      p.seal();
      const auto v = run(p, model);
      EXPECT_EQ(v.statistics.executions, 4u) << model << (load_first ? ", load first" : "");
    }
}

// A message passed with or without release and acquire.
void message(MiniProgram& p, Order store, Order load) {
  const auto x = p.variable("x"), f = p.variable("f");
  p.thread().store(x, 1).store(f, 1, store);
  auto& t = p.thread();
  t.load(1, f, load);
  const auto skip = t.branch(1, Cmp::Eq, 0);
  t.load(2, x).check(2, Cmp::Eq, 1);
  t.land(skip);
  p.seal();
}

TEST(GraphProperties, AssertionsDependOnTheModel) {
  const auto outcome = [](const char* model, Order s, Order l) {
    MiniProgram p;
    message(p, s, l);
    return run(p, model).outcome;
  };
  using core::Outcome;
  for (const char* model : {"sc", "tso"})
    EXPECT_EQ(outcome(model, Order::Relaxed, Order::Relaxed), Outcome::Safe) << model;
  for (const char* model : {"pso", "nsw", "rmo", "armv8", "riscv", "power", "rc11"}) {
    EXPECT_EQ(outcome(model, Order::Relaxed, Order::Relaxed), Outcome::Unsafe) << model;
    EXPECT_EQ(outcome(model, Order::Release, Order::Acquire), Outcome::Safe) << model;
  }
  EXPECT_EQ(outcome("ra", Order::Relaxed, Order::Relaxed), Outcome::Safe);
}

TEST(GraphProperties, Races) {
  for (const bool ordered : {true, false}) {
    MiniProgram p;
    const auto x = p.variable("x"), f = p.variable("f");
    p.thread().store(x, 1, Order::Plain).store(f, 1, ordered ? Order::Release : Order::Relaxed);
    auto& t = p.thread();
    t.load(1, f, Order::Acquire);
    const auto skip = t.branch(1, Cmp::Eq, 0);
    t.load(2, x, Order::Plain);
    t.land(skip);
    p.seal();
    Properties races;
    races.races = true;
    const auto v = run(p, "rc11", races);
    EXPECT_EQ(v.outcome, ordered ? core::Outcome::Safe : core::Outcome::Unsafe);
    if (!ordered) {
      EXPECT_EQ(v.violation_kind, "race");
    }
    EXPECT_EQ(run(p, "sc", races).outcome, core::Outcome::Unknown);
  }
}

TEST(GraphProperties, Deadlock) {
  for (const bool crossed : {true, false}) {
    MiniProgram p;
    const auto a = p.variable("a"), b = p.variable("b");
    p.thread().lock(1, a).lock(1, b).unlock(b).unlock(a);
    if (crossed) p.thread().lock(1, b).lock(1, a).unlock(a).unlock(b);
    else p.thread().lock(1, a).lock(1, b).unlock(b).unlock(a);
    p.seal();
    Properties deadlock;
    deadlock.deadlock = true;
    for (const char* model : {"sc", "tso", "pso", "ra", "rc11", "armv8", "power"}) {
      const auto v = run(p, model, deadlock);
      EXPECT_EQ(v.outcome, crossed ? core::Outcome::Unsafe : core::Outcome::Safe) << model << v.reason.text;
      if (crossed) {
        EXPECT_EQ(v.violation_kind, "deadlock");
      } else {
        EXPECT_EQ(v.statistics.executions, 2u) << model;
      }
    }
  }
}

TEST(GraphProperties, SpinLoopsThatNeverEnd) {
  for (const bool set : {true, false}) {
    MiniProgram p;
    const auto f = p.variable("f");
    auto& t = p.thread();
    t.load(1, f);
    t.branch(1, Cmp::Eq, 0, 0);
    if (set) p.thread().store(f, 1);
    p.seal();
    Properties liveness;
    liveness.liveness = true;
    EXPECT_EQ(run(p, "sc", liveness).outcome, set ? core::Outcome::Safe : core::Outcome::Unsafe);
  }
}

TEST(GraphProperties, Robustness) {
  MiniProgram p;
  test::store_buffering(p);
  Properties robust;
  robust.robust = true;
  EXPECT_EQ(run(p, "sc", robust).outcome, core::Outcome::Safe);
  EXPECT_EQ(run(p, "tso", robust).outcome, core::Outcome::Unsafe);
}

TEST(GraphProperties, MemoryErrors) {
  // Publishes an object; the other thread reads it, the first frees it after a hand-shake or without.
  for (const bool waits : {true, false}) {
    MiniProgram p;
    const auto x = p.variable("x"), done = p.variable("done");
    auto& t = p.thread();
    t.alloc(1, 8).store(p.at(Reg{1}), 5).store(x, Reg{1}, Order::Release);
    if (waits) t.wait(2, done, 1, Order::Acquire);
    t.free(1);
    auto& u = p.thread();
    u.load(1, x, Order::Acquire);
    const auto skip = u.branch(1, Cmp::Eq, 0);
    u.load(2, p.at(Reg{1}));
    u.land(skip);
    u.store(done, 1, Order::Release);
    p.seal();
    for (const char* model : {"sc", "tso", "pso", "rc11", "armv8"}) {
      const auto v = run(p, model);
      EXPECT_EQ(v.outcome, waits ? core::Outcome::Safe : core::Outcome::Unsafe)
          << model << v.violation << v.reason.text;
      if (!waits) {
        EXPECT_EQ(v.violation_kind, "use-after-free") << model;
      }
    }
  }
  MiniProgram twice;
  twice.thread().alloc(1, 8).free(1).free(1);
  twice.seal();
  EXPECT_EQ(run(twice, "sc").outcome, core::Outcome::Unsafe);
  MiniProgram leak;
  leak.thread().alloc(1, 8);
  leak.seal();
  Properties leaks;
  leaks.leaks = true;
  EXPECT_EQ(run(leak, "sc").outcome, core::Outcome::Safe);
  EXPECT_EQ(run(leak, "sc", leaks).violation_kind, "memory-leak");
  MiniProgram beyond;
  const auto a = beyond.variable("a", 2);
  beyond.thread().store(beyond.cell(a, 2), 1);
  beyond.seal();
  EXPECT_EQ(run(beyond, "sc").outcome, core::Outcome::Unsafe);
}

// Two increments as atomic steps of a load and a store: none is lost.
TEST(GraphProperties, AtomicSteps) {
  for (const bool atomic : {true, false}) {
    MiniProgram p;
    const auto c = p.variable("c"), n = p.variable("n");
    for (int i = 0; i < 2; ++i) {
      auto& t = p.thread();
      t.load(1, c).compute(1, test::Alu::Add, Reg{1}, 1).store(c, Reg{1});
      if (atomic) t.joined();
      t.rmw(2, core::RmwOp::Add, n, 1, Order::AcqRel).load(3, c);
      const auto skip = t.branch(2, Cmp::Eq, 0);
      t.check(3, Cmp::Eq, 2);
      t.land(skip);
    }
    p.seal();
    EXPECT_EQ(run(p, "sc").outcome, atomic ? core::Outcome::Safe : core::Outcome::Unsafe);
    for (const char* model : {"tso", "pso", "nsw", "ra", "rc11", "rmo", "armv8", "riscv", "power"})
      if (atomic) {
        EXPECT_EQ(run(p, model).outcome, core::Outcome::Safe) << model;
      }
  }
}

// A failure inside or after an atomic step is none while another thread is half-way through its own.
TEST(GraphProperties, FailuresBetweenTheAccessesOfAnotherAtomicStep) {
  for (const bool atomic : {true, false}) {
    MiniProgram p;
    const auto x = p.variable("x"), y = p.variable("y");
    auto& writer = p.thread();
    writer.store(x, 1, Order::SeqCst).store(y, 1, Order::SeqCst);
    if (atomic) writer.joined();
    auto& reader = p.thread();
    reader.load(1, x, Order::SeqCst).load(2, y, Order::SeqCst);
    if (atomic) reader.joined();
    reader.check(1, Cmp::Eq, Reg{2});
    p.seal();
    for (const char* model : {"sc", "tso", "pso", "nsw", "ra", "rc11", "rmo", "armv8", "riscv", "power"})
      EXPECT_EQ(run(p, model).outcome, atomic ? core::Outcome::Safe : core::Outcome::Unsafe) << model;
  }
}

TEST(GraphProperties, EndlessProgramsAreNotSafe) {
  MiniProgram p;
  const auto x = p.variable("x");
  auto& t = p.thread();
  t.rmw(1, core::RmwOp::Add, x, 1).move(2, 0);
  t.branch(2, Cmp::Eq, 0, 0);
  p.seal();
  EXPECT_EQ(run(p, "sc").outcome, core::Outcome::Unknown);
  Options o;
  o.loop_bound = 5;
  core::Budget budget;
  const auto v = test::unjudged(check(p, o, budget));
  EXPECT_EQ(v.outcome, core::Outcome::Safe);
  EXPECT_EQ(v.bounds, std::vector<std::string>{"loop 5"});
}

// counting(3, 3) has no load buffering: the same executions under all models.
TEST(GraphProperties, WorkersCountAlike) {
  for (const char* model : {"rc11", "armv8", "riscv", "power"})
    for (const unsigned workers : {1u, 2u, 5u}) {
      MiniProgram p;
      test::counting(p, 3, 3);
      Options o;
      o.model = model;
      o.workers = workers;
      o.hash_executions = true;
      core::Budget budget;
      const auto v = test::unjudged(check(p, o, budget));
      EXPECT_EQ(v.outcome, core::Outcome::Safe) << v.reason.text;
      EXPECT_EQ(v.statistics.executions, 1680u) << model << " by " << workers;
      EXPECT_EQ(v.statistics.blocked, 7953u) << model << " by " << workers;
      EXPECT_EQ(v.statistics.duplicates, 0u) << model << " by " << workers;
    }
}

// Each of n threads reads what the one before it writes: all 2^n outcomes, one of them in a cycle of po ∪ rf. Every read
// may be promised its write, so that workers depend on what others find.
TEST(GraphProperties, WorkersFindLoadBuffering) {
  constexpr unsigned n = 9;
  for (const char* model : {"armv8", "riscv", "power", "rmo"})
    for (const unsigned workers : {1u, 2u, 5u}) {
      MiniProgram p;
      std::vector<test::Place> cells;
      for (unsigned i = 0; i < n; ++i) cells.push_back(p.variable("x" + std::to_string(i)));
      for (unsigned i = 0; i < n; ++i) p.thread().load(1, cells[i]).store(cells[(i + 1) % n], 1);
      p.seal();
      Options o;
      o.model = model;
      o.workers = workers;
      core::Budget budget;
      const auto v = test::unjudged(check(p, o, budget));
      EXPECT_EQ(v.outcome, core::Outcome::Safe) << v.reason.text;
      EXPECT_EQ(v.statistics.executions, 1u << n) << model << " by " << workers;
    }
}

}  // namespace
}  // namespace heddle::graph
