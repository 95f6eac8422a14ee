// Litmus tests a second: reading, enumerating and judging, on generated tests of each dialect under its own model, and
// on the litmus corpus where it lies beside the checkout.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lang/litmus/generate.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/run.h"
#include "support/shared.h"

namespace {

using namespace heddle;
using lang::litmus::Dialect;

struct Text {
  std::string name, text;
};

const char* own_model(Dialect d) {
  switch (d) {
    case Dialect::C: return "rc11";
    case Dialect::AArch64: return "armv8";
    case Dialect::PPC: return "power";
    case Dialect::RISCV: return "riscv";
    default: return "tso";
  }
}

std::uint64_t judge_all(const std::vector<Text>& texts) {
  std::uint64_t candidates = 0;
  for (const Text& t : texts) {
    const auto test = lang::litmus::parse_test(t.name, t.text);
    if (!test) continue;
    const lang::litmus::ModelChoice model{own_model(test->dialect), axioms::find_model(own_model(test->dialect)),
                                          nullptr};
    candidates += lang::litmus::run_test(*test, {&model, 1}, {})[0].candidates;
  }
  return candidates;
}

void report(benchmark::State& state, const std::vector<Text>& texts) {
  std::uint64_t candidates = 0;
  for (auto _ : state) candidates += judge_all(texts);
  const double tests = static_cast<double>(state.iterations()) * static_cast<double>(texts.size());
  state.counters["tests/s"] = benchmark::Counter(tests, benchmark::Counter::kIsRate);
  state.counters["candidates/s"] = benchmark::Counter(static_cast<double>(candidates), benchmark::Counter::kIsRate);
}

void generated(benchmark::State& state) {
  const auto dialect = static_cast<Dialect>(state.range(0));
  std::vector<Text> texts;
  for (const auto& cycle : lang::litmus::all_cycles(lang::litmus::default_pool(dialect), 6)) {
    auto made = lang::litmus::generate_test(cycle, dialect);
    if (made) texts.push_back({made->name, made->text});
  }
  state.SetLabel(std::string(lang::litmus::dialect_name(dialect)));
  report(state, texts);
}
BENCHMARK(generated)->DenseRange(0, 5)->Unit(benchmark::kMillisecond);

void corpus(benchmark::State& state) {
  const std::string root = heddle::tests::shared("corpora/litmus");
  if (root.empty()) return state.SkipWithError("the litmus corpus is not beside the checkout");
  std::vector<Text> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".litmus") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    texts.push_back({entry.path().string(), text.str()});
  }
  report(state, texts);
}
BENCHMARK(corpus)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
