// Load buffering in threads whose number of accesses depends on loads that order nothing (graph/hidden_loads.h), against
// brute force.
//
// An axiomatic model allows that a write is there only because a load sees what comes of it. The exploration of graphs
// finds what is read out of order in executions first (graph/promises.h), and so does the oracle here: a cycle of
// po ∪ rf counts if all it reads was written by the same thread in an execution that counts.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "graph/check.h"
#include "support/brute_force.h"
#include "support/mini_program.h"
#include "support/times.h"
#include "support/unjudged.h"

namespace heddle::graph {
namespace {

using test::Cmp, test::MiniProgram, test::MiniThread, test::Reg;

// An execution by its name (BruteForce::executions).
struct Named {
  struct Access {
    unsigned thread = 0;
    bool read = false;
    std::string what, from;  // location and value; for a read the write
  };
  std::map<std::string, Access> accesses;

  explicit Named(const std::string& name) {
    std::istringstream words(name);
    for (std::string word; words >> word;) {
      const std::size_t kind = word.find_first_of("RW"), end = word.find_first_of("<>");
      Access a;
      a.thread = static_cast<unsigned>(std::stoul(word));
      a.read = word[kind] == 'R';
      a.what = word.substr(kind + 1, end - kind - 1);
      a.from = word.substr(end + 1);
      accesses[word.substr(0, kind)] = a;
    }
  }
  // What is read of whom.
  std::set<std::pair<unsigned, std::string>> seen() const {
    std::set<std::pair<unsigned, std::string>> all;
    for (const auto& [name, a] : accesses)
      if (a.read && a.from != "init") all.insert({accesses.at(a.from).thread, a.what});
    return all;
  }
  std::set<std::pair<unsigned, std::string>> written() const {
    std::set<std::pair<unsigned, std::string>> all;
    for (const auto& [name, a] : accesses)
      if (!a.read) all.insert({a.thread, a.what});
    return all;
  }
  bool acyclic() const {  // in po ∪ rf
    std::set<std::string> done;
    for (bool more = true; more;) {
      more = false;
      std::map<unsigned, bool> stuck;
      for (const auto& [name, a] : in_order()) {
        if (done.contains(name) || stuck[a.thread]) continue;
        if (a.read && a.from != "init" && !done.contains(a.from)) {
          stuck[a.thread] = true;
          continue;
        }
        done.insert(name);
        more = true;
      }
    }
    return done.size() == accesses.size();
  }

 private:
  std::vector<std::pair<std::string, Access>> in_order() const {
    std::vector<std::pair<std::string, Access>> all(accesses.begin(), accesses.end());
    const auto index = [](const std::string& name) { return std::stoul(name.substr(name.find('.') + 1)); };
    std::ranges::sort(all, {}, [&](const auto& a) { return std::pair{a.second.thread, index(a.first)}; });
    return all;
  }
};

std::set<std::string> founded(const std::set<std::string>& executions) {
  std::set<std::string> all;
  std::set<std::pair<unsigned, std::string>> written;
  for (bool more = true; more;) {
    more = false;
    for (const std::string& name : executions) {
      if (all.contains(name)) continue;
      const Named x(name);
      if (!x.acyclic() && !std::ranges::includes(written, x.seen())) continue;
      all.insert(name);
      written.merge(x.written());
      more = true;
    }
  }
  return all;
}

std::set<std::string> explored(const MiniProgram& p, const std::string& model, unsigned workers) {
  std::set<std::string> names;
  Options o;
  o.model = model;
  o.workers = workers;
  o.hash_executions = true;
  o.on_restart = [&] { names.clear(); };
  o.on_complete = [&](const Completed& done) { names.insert(test::name_of(done.witness)); };
  core::Budget budget;
  EXPECT_EQ(test::unjudged(graph::check(p, o, budget)).outcome, core::Outcome::Safe);
  return names;
}

class RandomThreads {
 public:
  RandomThreads(MiniProgram& p, unsigned seed) : p_(p), random_(seed) {
    for (const char* name : {"w", "x", "y"}) shared_.push_back(p.variable(name));
    const bool first = pick(2) != 0, third = pick(3) == 0;
    if (first) hiding(p.thread());
    plain(p.thread());
    if (!first) hiding(p.thread());
    if (third) pick(2) ? plain(p.thread()) : hiding(p.thread());
    p.seal();
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  test::Place any() { return shared_[pick(3)]; }
  test::Operand value() { return pick(3) != 0 ? 1 : 2; }

  // Loads and stores of what was loaded.
  void plain(MiniThread& t) {
    t.load(1, any());
    for (unsigned n = 1 + pick(3); n > 0; --n) {
      if (pick(5) == 0) t.load(2, any());
      else t.store(any(), pick(2) ? test::Operand(Reg{1}) : value());
    }
  }
  // A load picks a number, which comes back through memory and decides what comes before a store.
  void hiding(MiniThread& t) {
    const auto own = p_.variable("own");
    std::uint32_t guard = 0;
    const bool guarded = pick(2) != 0;
    if (guarded) {
      t.load(1, any());
      guard = t.branch(1, Cmp::Ne, 1);
    }
    t.load(2, any());
    if (pick(3) != 0) t.compute(3, test::Alu::Less, 0, Reg{2});
    else t.compute(3, test::Alu::Min, Reg{2}, 1);  // depends on the load if that has seen 0
    bool exchanged = false;
    switch (pick(6)) {
      case 0:
        t.store(own, Reg{3});
        t.rmw(4, core::RmwOp::Xchg, own, 2);
        exchanged = true;
        break;
      case 1: t.rmw(5, core::RmwOp::Add, own, Reg{3}); break;
      case 2: t.cas(5, own, Reg{3}, 3); break;
      case 3: t.rmw(2, core::RmwOp::Xchg, any(), 1).store(own, Reg{2}); break;
      default: t.store(own, Reg{3}); break;
    }
    if (!exchanged) t.load(4, own);
    const auto skip = t.branch(4, pick(2) ? Cmp::Eq : Cmp::Ne, 0);
    if (pick(3) == 0) t.load(5, any());
    else t.store(any(), value());
    t.land(skip);
    if (pick(4) == 0) t.load(1, any());
    t.store(any(), pick(5) == 0 ? test::Operand(Reg{5}) : value());
    if (guarded) t.land(guard);
  }

  MiniProgram& p_;
  std::mt19937 random_;
  std::vector<test::Place> shared_;
};

void compare(unsigned from, unsigned count, unsigned workers) {
  std::size_t executions = 0, cyclic = 0, unfounded = 0;
  unsigned compared = 0;
  count *= test::times();
  from = test::first_seed(from);
  for (unsigned seed = from; seed < from + count; ++seed) {
    MiniProgram p;
    const RandomThreads threads(p, seed);
    test::BruteForce brute(p);
    for (const char* model : {"armv8", "armv8.1", "riscv", "power", "rmo"}) {
      const auto all = brute.executions(*axioms::find_model(model), 20000);
      if (brute.gave_up) continue;
      ++compared;
      const auto expected = founded(all);
      const auto found = explored(p, model, workers);
      executions += found.size();
      unfounded += all.size() - expected.size();
      for (const auto& e : expected) {
        cyclic += !Named(e).acyclic();
        if (!found.contains(e)) ADD_FAILURE() << model << " seed " << seed << "\n  missed: " << e;
      }
      for (const auto& e : found)
        if (!all.contains(e)) ADD_FAILURE() << model << " seed " << seed << "\n  wrong:  " << e;
      if (::testing::UnitTest::GetInstance()->failed_test_count() > 3) return;
    }
  }
  EXPECT_GT(compared, count);
  std::cout << "  " << compared << " comparisons, " << executions << " executions, " << cyclic << " with cycles, "
            << unfounded << " that only justify themselves\n";
}

TEST(HiddenLoads, BruteForce) { compare(1, 400, 1); }
TEST(HiddenLoads, BruteForceByWorkers) { compare(100001, 60, 2); }

}  // namespace
}  // namespace heddle::graph
