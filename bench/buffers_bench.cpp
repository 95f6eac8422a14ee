// Proofs for unbounded buffers: the programs of Linden and Wolper's table 2 (their times, in 2010 and Java: 0.4 to 22.9 s)
// and Lamport's fast mutex for two and three processes. The counter `states` is the number of symbolic states.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "buffers/saturate.h"
#include "lang/promela/promela.h"
#include "support/protocols.h"

namespace heddle {
namespace {

void decide(benchmark::State& state, const tests::Protocol& protocol, ir::StoreOrder order) {
  auto loaded = promela::load_text(protocol.text, "protocol.pml");
  const auto bad = loaded ? promela::add_proposition(*loaded, protocol.bad, "bad") : loaded.error();
  if (!bad) {
    std::fputs(render(bad.error()).c_str(), stderr);
    std::exit(1);
  }
  buffers::Question question;
  question.order = order;
  question.goals = {{*bad, true}};
  std::uint64_t states = 0;
  for (auto _ : state) {
    core::Budget budget;
    states = buffers::saturate(loaded->program, question, budget).stored;
  }
  state.counters["states"] = static_cast<double>(states);
}

constexpr std::uint64_t dekker_syncs = 1U << 0 | 1U << 4, peterson_syncs = 1U << 1 | 1U << 4;

std::uint64_t lamport_syncs(unsigned processes) {
  std::uint64_t fences = 0;
  for (unsigned p = 0; p < processes; ++p) fences |= std::uint64_t{1} << (7 * p + 1) | std::uint64_t{1} << (7 * p + 3);
  return fences;
}

void dekker(benchmark::State& s) { decide(s, tests::dekker(0), ir::StoreOrder::Program); }
void dekker_sync(benchmark::State& s) { decide(s, tests::dekker(dekker_syncs), ir::StoreOrder::Program); }
void dekker_sync_pso(benchmark::State& s) { decide(s, tests::dekker(dekker_syncs), ir::StoreOrder::Location); }
void peterson(benchmark::State& s) { decide(s, tests::peterson(0), ir::StoreOrder::Program); }
void peterson_sync(benchmark::State& s) { decide(s, tests::peterson(peterson_syncs), ir::StoreOrder::Program); }
void lamport(benchmark::State& s) {
  const auto processes = static_cast<unsigned>(s.range(0));
  decide(s, tests::lamport_fast(lamport_syncs(processes), processes), ir::StoreOrder::Program);
}

BENCHMARK(dekker);
BENCHMARK(dekker_sync);
BENCHMARK(dekker_sync_pso);
BENCHMARK(peterson);
BENCHMARK(peterson_sync);
BENCHMARK(lamport)->Arg(2)->Arg(3);

}  // namespace
}  // namespace heddle

BENCHMARK_MAIN();
