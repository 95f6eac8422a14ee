// What a state costs before it is stored: unpack it, evaluate every guard, take every enabled step, pack the successor.
// Run on the reachable states of bench/models/*.mdve (the first 200,000), under sc. items are states.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <set>

#include "ir/flat_port.h"
#include "ir/layout.h"
#include "ir/steps.h"
#include "lang/dve/dve.h"
#include "support/places.h"

namespace heddle {

namespace {

ir::Program load(const char* name, const dve::Defines& defines) {
  auto program = dve::load(tests::source_dir() + "/bench/models/" + name + ".mdve", {defines, {}});
  if (!program) {
    std::fputs(render(program.error()).c_str(), stderr);
    std::exit(1);
  }
  return std::move(*program);
}

using Packed = std::vector<std::uint32_t>;

std::vector<Packed> reachable(const ir::Program& program, std::size_t most) {
  const ir::Layout layout(program);
  ir::FlatPort port(program);
  ir::Steps<ir::FlatPort> steps(program);
  std::set<Packed> seen;
  std::vector<Packed> queue(1, Packed(layout.slots()));
  layout.pack(port.words(), queue[0].data());
  seen.insert(queue[0]);
  for (std::size_t at = 0; at < queue.size() && queue.size() < most; ++at) {
    layout.unpack(queue[at].data(), port.words());
    port.commit();
    steps.each(port, [&](const auto& step) {
      if (is_error(step.result.status)) return;
      Packed next(layout.slots());
      layout.pack(port.words(), next.data());
      if (seen.insert(next).second) queue.push_back(next);
    });
  }
  return queue;
}

void expand(benchmark::State& state, const char* name, const dve::Defines& defines) {
  const ir::Program program = load(name, defines);
  const std::vector<Packed> states = reachable(program, 200'000);
  const ir::Layout layout(program);
  ir::FlatPort port(program);
  ir::Steps<ir::FlatPort> steps(program);
  Packed next(layout.slots());
  std::uint64_t taken = 0, rounds = 0;
  for (auto _ : state) {
    taken = 0;
    ++rounds;
    for (const Packed& packed : states) {
      layout.unpack(packed.data(), port.words());
      port.commit();
      steps.each(port, [&](const auto& step) {
        std::copy(packed.begin(), packed.end(), next.begin());
        layout.pack_changed(port.changes(step.mark), port.words(), next.data());
        benchmark::DoNotOptimize(next.data());
        ++taken;
      });
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(rounds * states.size()));
  state.counters["steps/state"] = static_cast<double>(taken) / static_cast<double>(states.size());
  state.counters["slots"] = layout.slots();
  state.counters["ns/step"] = benchmark::Counter(static_cast<double>(rounds * taken) * 1e-9,
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

struct Row {
  const char* name;
  const char* model;
  const char* n;
};
constexpr Row rows[] = {{"peterson N=4", "peterson", "4"},
                        {"phils N=10", "phils", "10"},
                        {"bakery N=3", "bakery", "3"},
                        {"szymanski N=4", "szymanski", "4"}};

}  // namespace

}  // namespace heddle

int main(int argc, char** argv) {
  for (const heddle::Row& row : heddle::rows) {
    benchmark::RegisterBenchmark(row.name, [row](benchmark::State& state) {
      heddle::expand(state, row.model, {{"N", row.n}});
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
