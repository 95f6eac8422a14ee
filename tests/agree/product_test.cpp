// Random thread programs under sc, tso and pso: all final memories that the explicit engine reaches, with and without
// reduction, against those of the naive machine of check/, which shares no line about memory with it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "models/models.h"
#include "support/mini_program.h"
#include "support/outcomes.h"
#include "support/random_mini.h"

namespace heddle {
namespace {

constexpr unsigned bound = 3;

void compare(unsigned first, unsigned count) {
  for (unsigned seed = first; seed < first + count; ++seed) {
    test::MiniProgram program;
    random_mini(program, seed,
                {.threads = 3, .variables = 2, .operations = 4, .orders = true, .loops = seed % 5 == 0, .rmws = true});
    for (const char* model : {"sc", "tso", "pso"}) {
      SCOPED_TRACE(fmt::format("seed {} under {}", seed, model));
      const tests::Outcomes naive = tests::by_naive_machine(program, *check::thread_model(model), bound);
      const explore::Product product(program, *models::machine(model), {.buffer_bound = bound});
      for (const auto reduction : {core::Reduction::None, core::Reduction::Safety}) {
        const tests::Outcomes ours = tests::by_product(product, reduction);
        ASSERT_EQ(ours.memories, naive.memories);
        ASSERT_EQ(ours.deadlock, naive.deadlock);
        ASSERT_EQ(ours.failed, naive.failed);
      }
    }
  }
}

// Two threads that fill objects of their own, publish their addresses, also in fields of each other, and look into what
// they find: what other threads cannot reach yet is stored, exchanged and freed as well.
class Publishing {
 public:
  Publishing(test::MiniProgram& program, unsigned seed) : random_(seed) {
    box_ = program.variable("box", 5);  // too large to be part of an outcome: names of objects differ
    for (unsigned t = 0; t < 2; ++t) results_[t] = program.variable(fmt::format("result{}", t), 2);
    for (unsigned t = 0; t < 2; ++t) body(program.thread(), results_[t]);
    program.seal();
  }

 private:
  using Order = core::Order;
  static constexpr unsigned mine = 1, found = 3, value = 4;  // registers; `mine` and the next are own objects

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  test::Reg own() { return test::Reg{static_cast<std::uint8_t>(mine + pick(2))}; }
  test::Place box() { return test::MiniProgram::cell(box_, static_cast<int>(pick(2))); }
  Order store_order() { return pick(4) == 0 ? (pick(2) == 0 ? Order::Release : Order::SeqCst) : Order::Relaxed; }

  void body(test::MiniThread& th, test::Place result) {
    th.alloc(mine, 16).alloc(mine + 1, 16);
    const unsigned count = 3 + pick(3);
    for (unsigned i = 0; i < count; ++i) operation(th, result);
  }

  void operation(test::MiniThread& th, test::Place result) {
    using test::MiniProgram;
    const int number = ++last_;
    switch (pick(12)) {
      case 0:
      case 1:
      case 2: th.store(MiniProgram::at(own()), number, store_order()); break;
      case 3: th.store(MiniProgram::at(own(), 1), own()); break;
      case 4:
      case 5: th.store(box(), own(), store_order()); break;
      case 6:
        th.store(MiniProgram::at(own()), number);
        th.rmw(value, core::RmwOp::Xchg, MiniProgram::at(own()), number + 100,
               pick(2) == 0 ? Order::Relaxed : Order::AcqRel);
        break;
      case 7: th.rmw(value, core::RmwOp::Xchg, box(), own(), pick(2) == 0 ? Order::Relaxed : Order::AcqRel); break;
      case 8: th.fence(pick(2) == 0 ? Order::Release : Order::SeqCst); break;
      default: {
        th.load(found, box(), pick(2) == 0 ? Order::Relaxed : Order::Acquire);
        const std::uint32_t nothing = th.branch(found, test::Cmp::Eq, 0);
        if (pick(6) == 0) th.load(found, MiniProgram::at(test::Reg{found}, 1));
        if (pick(4) == 0) {
          th.store(MiniProgram::at(test::Reg{found}), number);
        } else {
          th.load(value, MiniProgram::at(test::Reg{found}));
          th.store(MiniProgram::cell(result, static_cast<int>(pick(2))), test::Reg{value});
        }
        th.land(nothing);
        break;
      }
    }
  }

  std::mt19937 random_;
  int last_ = 0;
  test::Place box_, results_[2];
};

void compare_publishing(unsigned first, unsigned count) {
  constexpr unsigned roomy = 16;  // for all: what sleeps takes no place (explore/sleepers.h)
  std::size_t all = 0, reduced = 0, different = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    test::MiniProgram program;
    const Publishing written(program, seed);
    for (const char* model : {"tso", "pso"}) {
      SCOPED_TRACE(fmt::format("seed {} under {}", seed, model));
      const tests::Outcomes naive = tests::by_naive_machine(program, *check::thread_model(model), roomy);
      const explore::Product product(program, *models::machine(model), {.buffer_bound = roomy, .leaks = false});
      const tests::Outcomes whole = tests::by_product(product, core::Reduction::None);
      const tests::Outcomes fewer = tests::by_product(product, core::Reduction::Safety);
      ASSERT_EQ(whole, naive);
      ASSERT_EQ(fewer, naive);
      all += whole.states;
      reduced += fewer.states;
      different += naive.memories.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_LT(3 * reduced, 2 * all);
  EXPECT_GT(different, count / 10);
  fmt::print("{} states without reduction, {} with\n", all, reduced);
}

// One thread writes to an object of its own again and again and publishes its address, another one looks into it. With
// less room than that needs there may be more outcomes than the bound allows, since what sleeps takes no place, but none
// of those is missing, and none is wrong.
TEST(Product, ObjectsThatAreWrittenAgainAndAgainBeforeTheyArePublished) {
  constexpr int most_stores = 7;
  constexpr std::uint8_t mine = 1, value = 2;
  std::size_t more = 0;
  for (int stores = 1; stores <= most_stores; ++stores) {
    test::MiniProgram program;
    const test::Place box = program.variable("box", 5), result = program.variable("result");
    auto& writer = program.thread();
    writer.alloc(mine, 16);
    for (int i = 1; i <= stores; ++i) writer.store(test::MiniProgram::at(test::Reg{mine}, i % 3 == 0 ? 1 : 0), i);
    writer.store(test::MiniProgram::cell(box, 0), test::Reg{mine});
    auto& reader = program.thread();
    reader.load(mine, test::MiniProgram::cell(box, 0));
    const std::uint32_t nothing = reader.branch(mine, test::Cmp::Eq, 0);
    reader.load(value, test::MiniProgram::at(test::Reg{mine})).store(result, test::Reg{value});
    reader.land(nothing);
    program.seal();
    for (const char* model : {"tso", "pso"}) {
      const tests::Outcomes all = tests::by_naive_machine(program, *check::thread_model(model), most_stores + 1);
      for (unsigned room = 1; room <= most_stores + 1; ++room) {
        SCOPED_TRACE(fmt::format("{} stores under {} with buffers of {}", stores, model, room));
        const tests::Outcomes least = tests::by_naive_machine(program, *check::thread_model(model), room);
        const explore::Product product(program, *models::machine(model), {.buffer_bound = room, .leaks = false});
        const tests::Outcomes found = tests::by_product(product, core::Reduction::Safety);
        EXPECT_TRUE(std::ranges::includes(found.memories, least.memories)) << found << " of\n" << least;
        EXPECT_TRUE(std::ranges::includes(all.memories, found.memories)) << found << " of\n" << all;
        more += found.memories.size() > least.memories.size();
      }
    }
  }
  EXPECT_GT(more, 0U);
}

TEST(Product, HasTheOutcomesOfTheNaiveMachine) { compare(1, 300); }
TEST(Product, HasTheOutcomesOfTheNaiveMachine_slow) { compare(100000, 2500); }
TEST(Product, StoresOfObjectsThatArePublishedLater) { compare_publishing(1, 40); }
TEST(Product, StoresOfObjectsThatArePublishedLater_slow) {
  const char* wanted = std::getenv("HEDDLE_RANDOM_PROGRAMS");
  compare_publishing(1000, wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : 200);
}

}  // namespace
}  // namespace heddle
