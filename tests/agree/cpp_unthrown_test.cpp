// Exceptions that are not thrown cost nothing (Still, Ročkai, Barnat: "Model checking of C and C++ with exceptions", table III):
// a program with handlers and cleanups in which nothing is thrown has the same states and transitions, and the same
// execution graphs of as many events, as with stubs for an unwinder, which fail when they are called.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "explore/product.h"
#include "explore/search.h"
#include "graph/check.h"
#include "lang/llvm/load.h"
#include "models/models.h"
#include "support/places.h"
#include "support/twin_programs.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

// A program's own functions go before those of the library (runtime/README.md).
constexpr const char* stubs = R"(
void abort(void);
#define STUB(result, name) result name(void) { abort(); }
STUB(int, _Unwind_RaiseException)
STUB(void, _Unwind_Resume)
STUB(void, _Unwind_DeleteException)
STUB(int, _Unwind_ForcedUnwind)
STUB(int, _Unwind_Backtrace)
STUB(unsigned long, _Unwind_GetLanguageSpecificData)
STUB(unsigned long, _Unwind_GetRegionStart)
STUB(unsigned long, _Unwind_GetIP)
STUB(void, _Unwind_SetGR)
STUB(void, _Unwind_SetIP)
)";

// Two threads that take turns with a lock, in a try block with things to clean up, and could throw; with -D THROWN they do.
constexpr const char* guarded = R"(
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
#ifdef THROWN
constexpr int limit = 1;
#else
constexpr int limit = 100;
#endif
std::mutex mutex;
std::vector<int> shared;
std::atomic<int> caught;
void add(int n) {
  auto own = std::make_unique<int>(n);
  const std::lock_guard lock(mutex);
  if (shared.size() >= limit) throw std::length_error("too many");
  shared.push_back(*own);
}
int first() {
  const std::lock_guard lock(mutex);
  return shared.at(0);
}
void work() {
  try {
    add(1);
    add(first());
  } catch (const std::out_of_range &) {
    caught.store(1);
  } catch (...) {
    caught.store(2);
  }
}
int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
}
)";

// Exceptions that threads hand to each other, if there are any.
constexpr const char* futures = R"(
#include <cassert>
#include <future>
#include <stdexcept>
int main() {
  std::promise<int> promise;
  std::thread maker([&] {
    try {
      promise.set_value(3);
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  });
  try {
    assert(promise.get_future().get() == 3);
  } catch (const std::future_error &) {
    assert(false);
  }
  maker.join();
}
)";

class Unthrown : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::ifstream(tests::cxx_runtime() + "/cxx/symbols.txt"))
      GTEST_SKIP() << "no C++ library at " << tests::cxx_runtime();
    stubs_ = written("stubs.c", stubs);
  }

  static std::string written(const std::string& name, const char* text) {
    const std::string path = testing::TempDir() + fmt::format("unthrown_{}_{}", getpid(), name);
    std::ofstream(path) << text;
    return path;
  }

  std::unique_ptr<core::Program> load(const std::string& file, bool with_stubs,
                                      const std::vector<std::string>& defines = {}) const {
    lang::llvm_ir::Options options;
    options.runtime = tests::cxx_runtime();
    options.defines = defines;
    std::vector<std::string> files = {file};
    if (with_stubs) files.push_back(stubs_);
    auto program = lang::llvm_ir::load(files, options);
    if (program) return std::move(*program);
    ADD_FAILURE() << render(program.error());
    return nullptr;
  }

  void compare(const std::string& file) const;

  std::string stubs_;
};

std::string states_of(const core::Program& program, const char* model) {
  const explore::Product product(program, *models::machine(model), {});
  explore::SearchOptions options;
  options.reduction = core::Reduction::Safety;
  core::Budget budget;
  const explore::SearchResult result = explore::search(product, options, budget);
  EXPECT_FALSE(result.found || result.stopped);
  EXPECT_GT(result.states, 0U);
  return fmt::format("{} states, {} transitions", result.states, result.transitions);
}

std::string graphs_of(const core::Program& program, const char* model) {
  graph::Options options;
  options.model = model;
  core::Budget budget;
  const auto verdict = test::unjudged(graph::check(program, options, budget));
  EXPECT_EQ(verdict.outcome, core::Outcome::Safe) << verdict.reason.text;
  return fmt::format("{} executions, {} events", verdict.statistics.executions.value_or(0),
                     verdict.statistics.transitions.value_or(0));
}

void Unthrown::compare(const std::string& file) const {
  SCOPED_TRACE(file);
  const auto with = load(file, false), without = load(file, true);
  ASSERT_TRUE(with != nullptr && without != nullptr);
  for (const char* model : {"sc", "tso", "pso"})
    EXPECT_EQ(states_of(*with, model), states_of(*without, model)) << model;
  for (const char* model : {"sc", "tso", "pso", "armv8", "power", "rc11"})
    EXPECT_EQ(graphs_of(*with, model), graphs_of(*without, model)) << model;
}

TEST_F(Unthrown, handlers_cost_nothing_slow) { compare(written("guarded.cpp", guarded)); }

TEST_F(Unthrown, futures_cost_nothing_slow) { compare(written("futures.cpp", futures)); }

TEST_F(Unthrown, examples_cost_nothing_slow) {
  for (const char* name : {"singleton", "spsc_ring"})
    compare(fmt::format("{}/examples/{}.cpp", tests::source_dir(), name));
}

// The stubs are called where something is thrown.
TEST_F(Unthrown, stubs_fail_slow) {
  const auto program = load(written("guarded.cpp", guarded), true, {"THROWN"});
  ASSERT_NE(program, nullptr);
  graph::Options options;
  options.model = "sc";
  core::Budget budget;
  EXPECT_EQ(test::unjudged(graph::check(*program, options, budget)).outcome, core::Outcome::Unsafe);
}

}  // namespace
}  // namespace heddle
