// Atomic sections against an oracle without axioms: where all accesses are seq_cst, inside sections and outside, the
// outcomes under every model that has sequential consistency for such programs are those of the interleavings in which
// no thread is interrupted within a section.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "check/graph_replay.h"
#include "graph/check.h"
#include "models/models.h"
#include "support/mini_program.h"

namespace heddle {
namespace {

using core::Order;
using test::MiniProgram;

// Sections of two or three accesses, and accesses outside, to the same two or three variables.
void random_sections(MiniProgram& p, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<test::Place> x;
  for (const char* name : {"x", "y", "z"}) x.push_back(p.variable(name));
  const unsigned variables = 2 + pick(2), threads = 2 + pick(2);
  for (unsigned t = 0; t < threads; ++t) {
    test::MiniThread& thread = p.thread();
    unsigned inside = 0;  // how many accesses of the section are to come
    for (unsigned i = 0, r = 1; i < (threads == 2 ? 4U : 3U); ++i, ++r) {
      const test::Place place = x[pick(variables)];
      switch (pick(5)) {
        case 0: thread.rmw(r, core::RmwOp::Add, place, 1, Order::SeqCst); break;
        case 1: thread.cas(r, place, 0, static_cast<int>(1 + pick(3)), Order::SeqCst, Order::SeqCst); break;
        case 2: thread.store(place, static_cast<int>(1 + pick(3)), Order::SeqCst); break;
        default: thread.load(r, place, Order::SeqCst); break;
      }
      if (inside > 0) {
        --inside;
        thread.locked().joined();
      } else if (pick(2) == 0) {
        inside = 1 + pick(2);
        thread.locked();
      }
    }
  }
  p.seal();
}

using Memory = std::map<core::Loc, std::uint64_t>;

std::string outcome(const std::vector<core::Local>& threads, const Memory& memory) {
  std::string text;
  for (const auto& local : threads)
    for (unsigned r = 1; r < 5; ++r) text += fmt::format("{},", MiniProgram::value_of(local, r));
  for (const auto& [loc, value] : memory)
    if (value != 0) text += fmt::format("{}={};", loc.object, value);
  return text;
}

// All interleavings, one access at a time.
class Interleavings {
 public:
  explicit Interleavings(const MiniProgram& p) : program_(p) {
    std::vector<core::Local> threads;
    for (const auto& e : p.initial_threads())
      p.start(e.entry, e.arg, static_cast<core::Tid>(threads.size()), threads.emplace_back(), nullptr);
    from(threads, {});
  }
  std::set<std::string> outcomes;

 private:
  void from(const std::vector<core::Local>& threads, const Memory& memory) {
    if (!seen_.insert({threads, memory}).second) return;
    bool interrupted = false, ended = true;
    for (std::size_t t = 0; t < threads.size() && !interrupted; ++t) {
      const core::Request q = program_.request(threads[t]);
      if (q.kind == core::Kind::Ended) continue;
      ended = false;
      if (!(interrupted = q.joined)) continue;
      step(threads, memory, t, q);
    }
    for (std::size_t t = 0; t < threads.size() && !interrupted; ++t)
      if (const core::Request q = program_.request(threads[t]); q.kind != core::Kind::Ended)
        step(threads, memory, t, q);
    if (ended) outcomes.insert(outcome(threads, memory));
  }

  void step(std::vector<core::Local> threads, Memory memory, std::size_t t, const core::Request& q) {
    std::uint64_t& value = memory[q.loc];
    const std::uint64_t old = value;
    if (q.kind == core::Kind::Store) value = q.value.bits;
    else if (q.kind == core::Kind::Rmw && q.op == core::RmwOp::Add) value = old + q.value.bits;
    else if (q.kind == core::Kind::Rmw && old == q.expected.bits) value = q.value.bits;
    program_.resume(threads[t], {old}, nullptr);
    from(threads, memory);
  }

  const MiniProgram& program_;
  std::set<std::pair<std::vector<core::Local>, Memory>> seen_;
};

std::set<std::string> outcomes(const MiniProgram& program, std::string_view model, unsigned seed) {
  std::set<std::string> found;
  graph::Options options;
  options.model = model;
  options.on_restart = [&] { found.clear(); };
  options.on_complete = [&](const graph::Completed& done) {
    std::vector<core::Local> threads;
    for (const auto& [thread, local] : done.threads) threads.emplace_back(local.begin(), local.end());
    Memory memory;
    for (const auto& [loc, value] : done.memory) memory[loc] = value.bits;
    found.insert(outcome(threads, memory));
    const auto replayed = check::replay_graph(program, done.witness, {});
    EXPECT_TRUE(replayed.confirmed) << model << " seed " << seed << ": " << replayed.why.text;
  };
  core::Budget budget;
  EXPECT_TRUE(graph::check(program, options, budget).nothing()) << model << " seed " << seed;
  return found;
}

TEST(Sections, OfSeqCstAccessesAreSequential) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    MiniProgram program;
    random_sections(program, seed);
    const std::set<std::string> expected = Interleavings(program).outcomes;
    ASSERT_EQ(outcomes(program, "sc", seed), expected) << "sc seed " << seed;
    for (const models::Model& model : models::all()) {
      if (!model.drf_sc) continue;
      ASSERT_EQ(outcomes(program, model.name, seed), expected) << model.name << " seed " << seed;
    }
  }
}

}  // namespace
}  // namespace heddle
