// What a throw and its catch cost, with one destructor on the way: events of a graph, and steps that other threads can see.
// The same program without the throw is the measure.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "explore/product.h"
#include "graph/check.h"
#include "lang/llvm/load.h"
#include "models/models.h"
#include "support/places.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

constexpr const char* program_text = R"(
#include <atomic>
#include <stdexcept>
#include <thread>
std::atomic<int> x;
struct Cleanup { ~Cleanup() {} };
#ifdef STANDARD
using Thrown = std::runtime_error;
static Thrown make() { return Thrown("no"); }
#else
struct Thrown { int n; };
static Thrown make() { return {3}; }
#endif
static void f() {
  Cleanup c;
  if (x.load(std::memory_order_relaxed) < LIMIT) throw make();
}
int main() {
  std::thread a([] { try { f(); } catch (const Thrown &) {} });
  std::thread b([] { x.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
)";

std::unique_ptr<core::Program> load(bool throws, bool standard) {
  const std::string path = testing::TempDir() + fmt::format("throw_cost_{}.cpp", getpid());
  std::ofstream(path) << program_text;
  lang::llvm_ir::Options options;
  options.runtime = tests::binary_dir() + "/runtime";
  options.defines = {throws ? "LIMIT=5" : "LIMIT=-5"};
  if (standard) options.defines.emplace_back("STANDARD");
  auto program = lang::llvm_ir::load({path}, options);
  if (program) return std::move(*program);
  ADD_FAILURE() << render(program.error());
  return nullptr;
}

// Events that were added in all executions, of which there are two: the throwing thread reads 0 or 1.
std::uint64_t events(const core::Program& program, const char* model) {
  graph::Options options;
  options.model = model;
  options.private_objects = true;
  core::Budget budget;
  const auto verdict = test::unjudged(graph::check(program, options, budget));
  EXPECT_EQ(verdict.outcome, core::Outcome::Safe) << verdict.reason.text;
  EXPECT_EQ(verdict.statistics.executions.value_or(0), 2U);
  return verdict.statistics.transitions.value_or(0);
}

// The longest run of a program without cycles.
class Longest final : core::SuccessorSink {
 public:
  explicit Longest(const explore::Product& product) : product_(product), scratch_(product.make_scratch()) {}
  std::size_t steps() { return from(product_.initial(*scratch_)); }

 private:
  using State = std::vector<std::uint32_t>;
  std::size_t from(const State& state) {
    if (const auto it = known_.find(state); it != known_.end()) return it->second;
    next_.clear();
    product_.successors(state, core::Reduction::Safety, *scratch_, *this);
    std::size_t most = 0;
    for (const State& s : std::vector<State>(next_)) most = std::max(most, 1 + from(s));
    return known_[state] = most;
  }
  void successor(const core::Successor& s) override {
    EXPECT_EQ(s.error, 0U);
    next_.emplace_back(s.state.begin(), s.state.end());
  }

  const explore::Product& product_;
  std::unique_ptr<core::TransitionSystem::Scratch> scratch_;
  std::vector<State> next_;
  std::map<State, std::size_t> known_;
};

TEST(CppThrowCost, at_most_twenty_events_and_five_visible_steps_slow) {
  for (const bool standard : {false, true}) {
    const auto with = load(true, standard), without = load(false, standard);
    ASSERT_TRUE(with != nullptr && without != nullptr);
    for (const char* model : {"sc", "tso", "pso", "armv8", "power", "rc11"}) {
      const std::uint64_t more = events(*with, model) - events(*without, model);
      RecordProperty(fmt::format("events_{}_{}", model, standard), static_cast<int>(more / 2));
      EXPECT_LE(more, 2 * 20U) << model << (standard ? ", std::runtime_error" : ", a class of four bytes");
    }
    for (const char* model : {"sc", "tso", "pso"}) {
      const explore::Product a(*with, *models::machine(model), {}), b(*without, *models::machine(model), {});
      const std::size_t steps = Longest(a).steps(), base = Longest(b).steps();
      RecordProperty(fmt::format("steps_{}_{}", model, standard), static_cast<int>(steps - base));
      EXPECT_LE(steps, base + 5) << model << (standard ? ", std::runtime_error" : ", a class of four bytes");
    }
  }
}

}  // namespace
}  // namespace heddle
