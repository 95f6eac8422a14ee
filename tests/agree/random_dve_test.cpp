// Random DVE models under sc, tso, pso and sb1: the explicit engine against the naive machine of check/, which shares
// no line about memory with it. Without reduction the states must be as many; with it, and for every search order and
// number of workers, the answers must be the same.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <deque>
#include <set>

#include "check/ir_replay.h"
#include "check/naive_port.h"
#include "explore/search.h"
#include "ir/steps.h"
#include "ir/system.h"
#include "lang/dve/dve.h"
#include "models/models.h"
#include "support/random_dve.h"

namespace heddle {
namespace {

constexpr unsigned bound = 2;

struct Naive {
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  bool error = false;  // a step or an assertion goes wrong
  bool deadlock = false;
  bool reached = false;  // the proposition holds somewhere
  bool waited = false;
};

struct MemoryWords {
  static constexpr bool direct = true;
  std::vector<std::int32_t> array;
  std::int32_t* words() { return array.data(); }
  std::int32_t load(std::uint32_t cell) const { return array[cell]; }
  static bool store(std::uint32_t, std::int32_t, bool) { return false; }
  void set(std::uint32_t, std::int32_t) {}
};

Naive enumerate(const ir::Program& program, check::NaiveModel model, std::uint32_t proposition) {
  Naive result;
  check::NaivePort port(program, model, bound);
  ir::Steps<check::NaivePort> steps(program);
  std::set<std::vector<std::int32_t>> seen{port.key()};
  std::deque<check::NaivePort::Contents> todo{port.contents()};
  while (!todo.empty()) {
    check::NaivePort::Contents state = todo.front();
    todo.pop_front();
    state.accesses.clear();
    state.cost = {};
    state.waited_for_room = false;
    port.restore(state);
    ++result.states;
    MemoryWords view{port.memory_words()};
    result.reached |= evaluate(program, program.propositions[proposition].code, view).status == ir::Status::True;
    ir::EvalResult failure{};
    if (steps.failed_assertion(port, failure) != nullptr) result.error = true;
    port.restore(state);
    bool any = false;
    const auto reach = [&] {
      any = true;
      ++result.edges;
      if (seen.insert(port.key()).second) todo.push_back(port.contents());
    };
    steps.each(port, [&](const auto& step) {
      any = true;
      if (ir::is_error(step.result.status)) result.error = true;
      else reach();
    });
    const bool waits = port.contents().waited_for_room;
    result.waited |= waits;
    if (!steps.in_commit(port))
      for (std::uint32_t p = 0; p < program.processes.size(); ++p) {
        port.restore(state);
        for (const unsigned index : port.flushable(p)) {
          port.restore(state);
          port.flush(p, index);
          reach();
        }
      }
    bool final = true;
    for (const ir::Process& process : program.processes) {
      const auto& at = process.states[static_cast<std::size_t>(state.words[process.control])];
      final &= at.starts.empty() && at.receives.empty();
    }
    result.deadlock |= !any && !final && !waits;  // who only waits for room is not stuck in the model
  }
  return result;
}

class Agreement {
 public:
  void compare(const tests::RandomModel& model) {
    auto program = dve::load_text(model.text, "random.dve", model.atomic);
    ASSERT_TRUE(program) << render(program.error()) << model.text << model.atomic;
    const auto proposition = dve::add_proposition(*program, model.proposition, "--reach");
    ASSERT_TRUE(proposition) << render(proposition.error());
    for (const char* name : {"sc", "tso", "pso", "sb1"}) {
      SCOPED_TRACE(std::string(name) + "\n" + model.text + model.atomic + model.proposition);
      const Naive naive = enumerate(*program, *check::naive_model(name), *proposition);
      const memory::Machine& machine = *models::machine(name);

      // Without looking for anything: every state and edge.
      const ir::System plain(*program, machine, {.buffer_bound = bound, .visible = {}, .assertions = false});
      explore::SearchOptions all;
      all.errors = false;
      core::Budget budget;
      all.workers = 1 + turn_ % 2;
      const auto result = search(plain, all, budget);
      ASSERT_EQ(result.states, naive.states);
      ASSERT_EQ(result.transitions, naive.edges);
      ASSERT_EQ(!plain.bounds_reached().empty(), naive.waited);

      const ir::System system(*program, machine,
                              {.buffer_bound = bound, .visible = {*proposition}, .assertions = true});
      // Reductions and orders take turns: every combination meets every kind of model many times.
      explore::SearchOptions options;
      options.reduction = turn_ % 4 == 0 ? core::Reduction::None : core::Reduction::Safety;
      options.order =
          std::array{explore::SearchOrder::Breadth, explore::SearchOrder::Depth, explore::SearchOrder::Cost}[turn_ % 3];
      options.workers = 1 + turn_ / 2 % 2;
      ++turn_;
      answer(*program, name, system, options, naive.error, core::Claim{core::Assertion{}});
      if (naive.error) continue;  // the rest would end at the error, at a different one for each order
      options.goals = {{*proposition, true}};
      answer(*program, name, system, options, naive.reached, core::Claim{core::StateProposition{*proposition, true}});
      options.goals.clear();
      options.deadlocks = true;
      answer(*program, name, system, options, naive.deadlock, core::Claim{core::Deadlock{}});
    }
  }

 private:
  static void answer(const ir::Program& program, const char* model, const ir::System& system,
                     const explore::SearchOptions& options, bool violated, const core::Claim& claim) {
    core::Budget budget;
    const auto result = search_with_trace(system, options, budget);
    ASSERT_EQ(result.found.has_value(), violated)
        << "claim " << claim.property.index() << " order " << static_cast<int>(options.order) << " reduction "
        << static_cast<int>(options.reduction);
    if (!violated) return;
    const auto replayed = check::replay(program, model, bound, result.found->moves, claim);
    ASSERT_TRUE(replayed.confirmed) << replayed.why.text;
    if (options.order == explore::SearchOrder::Cost) {
      ASSERT_EQ(replayed.trace.cost, result.found->cost);
    }
  }

  unsigned turn_ = 0;
};

void run(std::uint64_t seed, int count) {
  tests::RandomDve generator(seed);
  Agreement agreement;
  for (int i = 0; i < count; ++i) {
    agreement.compare(generator.next());
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(RandomDve, AgreesWithTheNaiveMachine) { run(20260101, 300); }
TEST(RandomDve, AgreesWithTheNaiveMachine_slow) {
  const char* wanted = std::getenv("HEDDLE_RANDOM_MODELS");  // 100000 for the long run
  run(424242, wanted != nullptr ? std::atoi(wanted) : 1000);
}

}  // namespace
}  // namespace heddle
