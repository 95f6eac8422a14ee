// Threads that wait in loops: the executions are those of the same program with assumptions in place of the loops, and
// each is visited once.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>

#include "graph/check.h"
#include "support/mini_program.h"
#include "support/times.h"

namespace heddle::graph {
namespace {

using test::Cmp;
using test::MiniProgram;
using test::MiniThread;
using test::Place;

struct Seen {
  std::map<std::string, unsigned> executions;  // how often each
  bool too_many = false;
};

Seen explore(const MiniProgram& p, const std::string& model) {
  Seen seen;
  Options o;
  o.model = model;
  o.symmetry = false;
  o.count_all = true;
  o.on_restart = [&] { seen = {}; };
  o.on_complete = [&](const Completed& done) {
    const auto& w = done.witness;
    std::map<std::pair<core::Tid, std::uint32_t>, std::string> events;
    const auto name = [&](std::int32_t e) {
      if (e < 0) return std::to_string(e);
      const auto& of = w.events[static_cast<std::size_t>(e)];
      return std::to_string(of.thread) + "." + std::to_string(of.index);
    };
    for (const auto& e : w.events)
      events[{e.thread, e.index}] = std::to_string(e.loc.object) + "=" + std::to_string(e.value.bits) + "<" +
                                    name(e.rf) + "," + name(e.co_prev) + ";";
    std::string text;
    for (const auto& [at, what] : events) text += what;
    ++seen.executions[text];
  };
  core::Budget budget;
  budget.max_states = 1000;
  seen.too_many = check(p, o, budget).stopped() != nullptr;
  return seen;
}

// Goes round until the register is, or is not, zero.
void until(MiniThread& th, std::uint32_t again, unsigned r, bool zero, bool assumed) {
  if (assumed) th.assume(r, zero ? Cmp::Eq : Cmp::Ne, 0);
  else th.branch(r, zero ? Cmp::Ne : Cmp::Eq, 0, again);
}

// Locks of all kinds, and others who store to them.
void random_waiting(MiniProgram& p, unsigned seed, bool assumed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const std::vector<Place> x = {p.variable("x"), p.variable("y")};
  const unsigned threads = 3 + pick(2), variables = 1 + pick(2);
  int value = 1;
  for (unsigned t = 0; t < threads; ++t) {
    MiniThread& th = p.thread();
    const unsigned operations = 1 + pick(2);
    for (unsigned i = 0; i < operations; ++i) {
      const Place v = x[pick(variables)];
      const auto again = th.here();
      switch (pick(6)) {
        case 0: th.store(v, static_cast<int>(pick(3)), core::Order::Release); break;
        case 1:
          th.load(1, v, core::Order::Acquire);
          until(th, again, 1, pick(2) != 0, assumed);
          break;
        case 2: th.rmw(1, core::RmwOp::Xchg, v, value++, core::Order::Acquire).store(v, 0, core::Order::Release); break;
        default:
          th.cas(1, v, 0, value++, core::Order::Acquire);
          until(th, again, 1, true, assumed);
          th.store(v, 0, core::Order::Release);
          break;
      }
    }
  }
  p.seal();
}

TEST(GraphWaiting, AsIfAssumed) {
  unsigned compared = 0, waited = 0;
  const unsigned first = test::first_seed(1), count = 500 * test::times();
  for (unsigned seed = first; seed < first + count; ++seed) {
    MiniProgram loops, assumptions;
    random_waiting(loops, seed, false);
    random_waiting(assumptions, seed, true);
    for (const char* model : {"sc", "tso", "pso", "nsw", "ra", "rc11"}) {
      const Seen some = explore(loops, model);
      if (some.too_many) break;
      for (const auto& [text, times] : some.executions)
        ASSERT_EQ(times, 1u) << model << " seed " << seed << ": " << text;
      const Seen all = explore(assumptions, model);
      if (all.too_many) break;
      ASSERT_EQ(some.executions, all.executions) << model << " seed " << seed;
      ++compared;
      waited += some.executions.size() > 1;
    }
  }
  std::cout << "  " << count << " programs, " << compared << " comparisons\n";
  EXPECT_GT(compared, count * 4);
  EXPECT_GT(waited * 2, compared);
}

// n threads take and release a lock once each while another thread stores something else to it: inside any of their
// turns, or after them all. That is (n + 1)! executions; where it comes between two turns, the lock is never free.
TEST(GraphWaiting, LockOverwritten) {
  const std::uint64_t factorial[] = {1, 1, 2, 6, 24, 120, 720};
  for (const char* model : {"sc", "tso", "pso", "nsw", "ra", "rc11"})
    for (unsigned n = 1; n <= 5; ++n)
      for (unsigned at = 0; at <= n; ++at) {
        MiniProgram p;
        const Place lock = p.variable("lock");
        for (unsigned t = 0; t <= n; ++t) {
          MiniThread& th = p.thread();
          if (t == at) {
            th.store(lock, 2);
            continue;
          }
          const auto again = th.here();
          th.cas(1, lock, 0, 1, core::Order::Acquire);
          th.branch(1, Cmp::Ne, 0, again);
          th.store(lock, 0, core::Order::Release);
        }
        p.seal();
        const Seen seen = explore(p, model);
        EXPECT_EQ(seen.executions.size(), factorial[n + 1]) << model << " " << n << "," << at;
        for (const auto& [text, times] : seen.executions) ASSERT_EQ(times, 1u) << model << " " << n << "," << at;
      }
}

}  // namespace
}  // namespace heddle::graph
