// Load buffering between two threads of std::thread: every execution is visited once (graph/elder_promises.h), though their
// creator writes what it gives them, also after the first one is there, and they free that. As many as with pthreads.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>

#include "graph/check.h"
#include "lang/llvm/load.h"
#include "support/twin_programs.h"
#include "support/unjudged.h"

namespace heddle {
namespace {

constexpr const char* program_text = R"(
#include <atomic>
#include <pthread.h>
#include <thread>
constexpr auto order = std::memory_order_relaxed;
std::atomic<int> x, y;
void a() { for (int i = 1; i <= 3; ++i) { (void)y.load(order); x.store(i, order); } }
void b() { for (int i = 1; i <= 3; ++i) { (void)x.load(order); y.store(i, order); } }
#ifdef PTHREADS
void* run_a(void*) { a(); return nullptr; }
void* run_b(void*) { b(); return nullptr; }
int main() {
  pthread_t s, t;
  pthread_create(&s, nullptr, run_a, nullptr);
  pthread_create(&t, nullptr, run_b, nullptr);
  pthread_join(s, nullptr);
  pthread_join(t, nullptr);
}
#elif defined ONE
int main() { std::thread s(a); b(); s.join(); }
#else
int main() { std::thread s(a), t(b); s.join(); t.join(); }
#endif
)";

core::Verdict checked(const char* model, const std::string& variant) {
  const std::string path = testing::TempDir() + fmt::format("cpp_load_buffering_{}.cpp", getpid());
  std::ofstream(path) << program_text;
  lang::llvm_ir::Options options;
  options.runtime = tests::cxx_runtime();
  options.defines = {variant};
  const auto program = lang::llvm_ir::load({path}, options);
  EXPECT_TRUE(program) << (program ? "" : render(program.error()));
  if (!program) return {};
  graph::Options graphs;
  graphs.model = model;
  graphs.private_objects = true;
  core::Budget budget;
  return test::unjudged(graph::check(**program, graphs, budget));
}

TEST(CppLoadBuffering, is_met_once_slow) {
  if (!std::ifstream(tests::cxx_runtime() + "/cxx/symbols.txt")) GTEST_SKIP() << "no C++ library";
  for (const char* model : {"armv8", "riscv", "power"})
    for (const char* variant : {"PTHREADS", "ONE", "TWO"}) {
      const auto verdict = checked(model, variant);
      EXPECT_EQ(verdict.outcome, core::Outcome::Safe) << verdict.reason.text;
      EXPECT_EQ(verdict.statistics.executions, 400U) << model << " " << variant;
      EXPECT_EQ(verdict.statistics.duplicates, 0U) << model << " " << variant;
    }
}

}  // namespace
}  // namespace heddle
