// The theorem on data-race freedom that drive/drf_engine.h rests on, held against execution graphs: where explicit states of
// sc find no race but between seq_cst accesses, every model with the trait has the outcomes of sc and no others.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "explore/product.h"
#include "explore/search.h"
#include "graph/check.h"
#include "models/models.h"
#include "support/mini_program.h"

namespace heddle {
namespace {

using core::Order;
using test::MiniProgram;

// Threads that lock, that look at a lock without waiting for it, and that access shared variables inside and outside
// of critical sections, by orders of which most are seq_cst or plain.
class Random {
 public:
  Random(MiniProgram& program, unsigned seed) : random_(seed) {
    for (const char* name : {"x", "y", "z"}) data_.push_back(program.variable(name));
    for (const char* name : {"l", "m"}) locks_.push_back(program.variable(name));
    guarded_ = pick(4) != 0;
    const unsigned threads = 2 + pick(2);
    for (unsigned t = 0; t < threads; ++t) body(program.thread(), threads == 2 ? 4 : 2);
    program.seal();
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void body(test::MiniThread& thread, unsigned count) {
    unsigned reg = 1;
    for (unsigned i = 0; i < count; ++i) operation(thread, reg);
  }

  void operation(test::MiniThread& thread, unsigned& reg) {
    const unsigned lock = pick(2), kind = pick(12);
    if (kind < 6) {  // a critical section: x under l, y under m
      thread.lock(7, locks_[lock]);
      access(thread, reg, guarded_ ? data_[lock] : data_[pick(2)], Order::Plain);
      if (pick(2) == 0) access(thread, reg, guarded_ ? data_[lock] : data_[pick(2)], Order::Plain);
      thread.unlock(locks_[lock]);
    } else if (kind < 9) {
      access(thread, reg, data_[2], Order::SeqCst);
    } else if (kind < 10) {  // an atomic section, as the library has them
      const Order order = pick(2) == 0 ? Order::Plain : Order::SeqCst;
      access(thread, reg, data_[pick(4) == 0 ? pick(2) : 2], order);
      thread.locked();
      access(thread, reg, data_[2], pick(2) == 0 ? Order::Plain : Order::SeqCst);
      thread.locked().joined();
    } else if (kind == 10) {
      thread.load(next(reg), locks_[lock], pick(2) == 0 ? Order::Acquire : Order::SeqCst);
    } else {
      access(thread, reg, data_[pick(3)], pick(2) == 0 ? Order::Relaxed : Order::SeqCst);
    }
  }

  void access(test::MiniThread& thread, unsigned& reg, test::Place place, Order order) {
    if (pick(2) == 0) thread.load(next(reg), place, order);
    else if (order == Order::SeqCst && pick(2) == 0) thread.rmw(next(reg), core::RmwOp::Add, place, 1, order);
    else thread.store(place, static_cast<int>(1 + pick(3)), order);
  }

  static unsigned next(unsigned& reg) { return reg < 6 ? reg++ : reg; }

  std::mt19937 random_;
  std::vector<test::Place> data_, locks_;
  bool guarded_ = true;
};

std::set<std::string> outcomes(const MiniProgram& program, std::string_view model) {
  std::set<std::string> found;
  graph::Options options;
  options.model = model;
  options.on_complete = [&](const graph::Completed& done) {
    std::string text;
    for (const auto& [thread, local] : done.threads)
      for (unsigned r = 1; r < 7; ++r) text += fmt::format("{},", MiniProgram::value_of(local, r));
    for (const auto& [loc, value] : done.memory) text += fmt::format("{}={};", loc.object, value.bits);
    found.insert(text);
  };
  core::Budget budget;
  EXPECT_TRUE(graph::check(program, options, budget).nothing());
  return found;
}

bool race_free(const MiniProgram& program) {
  const explore::Product product(program, *models::machine("sc"), {.races = true, .seq_cst_only = true});
  core::Budget budget;
  const explore::SearchResult result = explore::search(product, {.reduction = core::Reduction::Safety}, budget);
  EXPECT_FALSE(result.stopped);
  return !result.found;
}

void compare(unsigned first, unsigned count) {
  unsigned free = 0, weak = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    MiniProgram program;
    const Random made(program, seed);
    const bool decided = race_free(program);
    const std::set<std::string> sc = outcomes(program, "sc");
    free += decided ? 1 : 0;
    bool more = false;
    for (const models::Model& model : models::all()) {
      if (!model.drf_sc) continue;
      if (decided) ASSERT_EQ(outcomes(program, model.name), sc) << model.name << " seed " << seed;
      else if (!more) more = outcomes(program, model.name) != sc;
    }
    weak += more ? 1 : 0;
  }
  fmt::print("{} programs: {} have no race but between seq_cst accesses, {} of the others have executions beyond sc\n",
             count, free, weak);
  EXPECT_GT(free, count / 12);
  EXPECT_GT(weak, count / 50);
}

TEST(Drf, SeqCstRacesAloneAddNoOutcome) { compare(1, 300); }
TEST(Drf, SeqCstRacesAloneAddNoOutcome_slow) {
  const char* wanted = std::getenv("HEDDLE_RANDOM_PROGRAMS");
  compare(10000, wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : 1500);
}

// Locks that threads look at without taking them: acquire and release alone give no order to such a look.
TEST(Drf, ALookAtALockIsARace) {
  MiniProgram program;
  const test::Place x = program.variable("x"), lock = program.variable("lock");
  program.thread().store(x, 1, Order::Plain).lock(7, lock);
  program.thread().load(1, lock, Order::SeqCst).load(2, x, Order::Plain);
  program.seal();
  EXPECT_FALSE(race_free(program));
  EXPECT_NE(outcomes(program, "armv8"), outcomes(program, "sc"));
}

TEST(Drf, AtomicsOfOtherSizesRace) {
  MiniProgram program;
  const test::Place x = program.variable("x");
  program.thread().store(x, 1, Order::SeqCst);
  program.thread().load(1, MiniProgram::part(x, 0, 4), Order::SeqCst);
  EXPECT_FALSE(race_free(program.seal()));
}

// In a section the part and the whole are read in one step: the later read, which races with nothing, must not stand for
// both.
TEST(Drf, AtomicsOfOtherSizesRaceBehindOthers) {
  MiniProgram program;
  const test::Place x = program.variable("x");
  program.thread().store(x, 1, Order::SeqCst);
  program.thread()
      .load(1, MiniProgram::part(x, 0, 4), Order::SeqCst)
      .locked()
      .load(2, x, Order::SeqCst)
      .locked()
      .joined();
  EXPECT_FALSE(race_free(program.seal()));
}

TEST(Drf, ReadsOfOtherSizesDoNotRace) {
  MiniProgram program;
  const test::Place x = program.variable("x");
  program.thread().load(1, x, Order::SeqCst);
  program.thread().load(1, MiniProgram::part(x, 0, 4), Order::SeqCst);
  EXPECT_TRUE(race_free(program.seal()));
}

}  // namespace
}  // namespace heddle
