// Random thread programs under sc, tso and pso: all final memories that the explicit engine reaches, with and without
// reduction, against those of the naive machine of check/, which shares no line about memory with it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "check/naive_threads.h"
#include "explore/product.h"
#include "explore/search.h"
#include "memory/models.h"
#include "support/mini_program.h"
#include "support/random_mini.h"

namespace heddle {
namespace {

constexpr unsigned bound = 3;

struct Outcomes {
  std::set<std::string> memories;  // at the ends of all executions
  bool deadlock = false;
  bool failed = false;
  friend bool operator==(const Outcomes&, const Outcomes&) = default;
};

Outcomes by_naive_machine(const core::Program& program, check::ThreadModel model) {
  Outcomes outcomes;
  std::unordered_set<std::string> seen;
  std::deque<check::NaiveThreads> todo{check::NaiveThreads(program, model, bound)};
  seen.insert(todo.front().key());
  while (!todo.empty()) {
    const check::NaiveThreads state = todo.front();
    todo.pop_front();
    bool any = false;
    const auto reach = [&](const check::NaiveThreads& next, const check::NaiveReport& report) {
      any = true;
      if (report.failure) outcomes.failed = true;
      else if (seen.insert(next.key()).second) todo.push_back(next);
    };
    bool all_ended = true, blocked = false;
    for (core::Tid t = 0; t < state.threads.size(); ++t) {
      all_ended &= state.has_ended(t);
      blocked |= state.request(t).kind == core::Kind::Blocked;
      const std::uint64_t choices = state.request(t).kind == core::Kind::Choose ? state.request(t).value.bits : 1;
      for (std::uint32_t choice = 0; choice < choices; ++choice) {
        check::NaiveThreads next = state;
        check::NaiveReport report;
        if (next.step(t, choice, &report)) reach(next, report);
      }
      for (const unsigned index : state.flushable(t)) {
        check::NaiveThreads next = state;
        check::NaiveReport report;
        next.flush(t, index, &report);
        reach(next, report);
      }
    }
    if (any || blocked) continue;
    if (!all_ended) {
      outcomes.deadlock = true;
      continue;
    }
    std::string memory;
    for (std::uint32_t object = 1; object <= program.globals().size(); ++object)
      memory += fmt::format(" {}={}", program.globals()[object - 1].name, state.read({object, 0, 8}).value.bits);
    outcomes.memories.insert(memory);
  }
  return outcomes;
}

Outcomes by_product(const explore::Product& product, core::Reduction reduction) {
  struct Sink final : core::SuccessorSink {
    void successor(const core::Successor& s) override {
      any = true;
      if (s.error != 0) failed = true;
      else if (std::vector<std::uint32_t> next(s.state.begin(), s.state.end()); seen.insert(next).second) todo.push_back(next);
    }
    bool any = false, failed = false;
    std::set<std::vector<std::uint32_t>> seen;
    std::deque<std::vector<std::uint32_t>> todo;
  } sink;
  Outcomes outcomes;
  const auto scratch = product.make_scratch();
  sink.todo.push_back(product.initial(*scratch));
  while (!sink.todo.empty()) {
    const auto state = sink.todo.front();
    sink.todo.pop_front();
    sink.any = false;
    product.successors(state, reduction, *scratch, sink);
    if (sink.any) continue;
    if (!product.proper_end(state, *scratch)) {
      outcomes.deadlock = true;
      continue;
    }
    const std::string shown = product.show(state, *scratch);
    // A failed assume is an end too, but no execution; threads that ended say so.
    bool ended = true;
    for (std::size_t at = shown.find(':'); at != std::string::npos && at < shown.find('='); at = shown.find(':', at + 1))
      ended &= shown.compare(at + 1, 5, "ended") == 0;
    if (ended) outcomes.memories.insert(shown.substr(shown.rfind(' ', shown.find('='))));
  }
  outcomes.failed = sink.failed;
  return outcomes;
}

void compare(unsigned first, unsigned count) {
  for (unsigned seed = first; seed < first + count; ++seed) {
    test::MiniProgram program;
    random_mini(program, seed, {.threads = 3, .variables = 2, .operations = 4, .orders = true, .loops = seed % 5 == 0, .rmws = true});
    for (const char* model : {"sc", "tso", "pso"}) {
      SCOPED_TRACE(fmt::format("seed {} under {}", seed, model));
      const Outcomes naive = by_naive_machine(program, *check::thread_model(model));
      const explore::Product product(program, *memory::find_machine(model), {.buffer_bound = bound});
      for (const auto reduction : {core::Reduction::None, core::Reduction::Safety}) {
        const Outcomes ours = by_product(product, reduction);
        ASSERT_EQ(ours.memories, naive.memories);
        ASSERT_EQ(ours.deadlock, naive.deadlock);
        ASSERT_EQ(ours.failed, naive.failed);
      }
    }
  }
}

TEST(Product, HasTheOutcomesOfTheNaiveMachine) { compare(1, 300); }
TEST(Product, HasTheOutcomesOfTheNaiveMachine_slow) { compare(100000, 5000); }

}  // namespace
}  // namespace heddle
