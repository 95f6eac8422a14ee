// Proofs for unbounded buffers. The counter `states` is the number of symbolic states, `ratio` the seconds of another
// tool over ours: for table 2 those of Linden and Wolper (2010, Java), for Memorax its own text of the lock (a busy
// Neoverse-V1), for robustness Trencher's page (2.67 GHz). How time grows: processes of Lamport's fast mutex and
// of Burns' lock (2 to 5), variables and values of a process that stores in a loop beside one that copies what it sees.
// `MB` is the peak memory of a process that loads the libraries of this benchmark and decides the question once.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "buffers/attacks.h"
#include "buffers/saturate.h"
#include "lang/promela/promela.h"
#include "support/protocols.h"

namespace heddle {
namespace {

promela::Loaded loaded_from(const std::string& text) {
  auto loaded = promela::load_text(text, "protocol.pml");
  if (loaded) return std::move(*loaded);
  std::fputs(render(loaded.error()).c_str(), stderr);
  std::exit(1);
}

// The largest resident set of a child that runs the search once.
template <class Search>
double peak_megabytes(const Search& search) {
  malloc_trim(0);  // what earlier benchmarks have used would count, too
  const pid_t child = fork();
  if (child == 0) {
    search();
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 0;
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// `other`: seconds of another tool; 0: none.
template <class Search>
void measure(benchmark::State& state, double other, const Search& search) {
  std::uint64_t states = 0;
  state.counters["MB"] = peak_megabytes(search);
  const auto begun = std::chrono::steady_clock::now();
  for (auto _ : state) states = search();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  state.counters["states"] = static_cast<double>(states);
  if (other > 0) state.counters["ratio"] = other * static_cast<double>(state.iterations()) / took.count();
}

void decide(benchmark::State& state, const tests::Protocol& protocol, ir::StoreOrder order, double other) {
  promela::Loaded loaded = loaded_from(protocol.text);
  const auto bad = promela::add_proposition(loaded, protocol.bad, "bad");
  if (!bad) {
    std::fputs(render(bad.error()).c_str(), stderr);
    std::exit(1);
  }
  buffers::Question question;
  question.order = order;
  question.goals = {{*bad, true}};
  measure(state, other, [&] {
    core::Budget budget;
    return buffers::saturate(loaded.program, question, budget).stored;
  });
}

void attack(benchmark::State& state, const std::string& text, double other) {
  const promela::Loaded loaded = loaded_from(text);
  measure(state, other, [&] {
    core::Budget budget;
    return buffers::find_attack(loaded.program, budget).states;
  });
}

constexpr std::uint64_t dekker_syncs = 1U << 0 | 1U << 4, peterson_syncs = 1U << 1 | 1U << 4;
constexpr auto tso = ir::StoreOrder::Program, pso = ir::StoreOrder::Location;

std::uint64_t lamport_syncs(unsigned processes) {
  std::uint64_t fences = 0;
  for (unsigned p = 0; p < processes; ++p) fences |= std::uint64_t{1} << (7 * p + 1) | std::uint64_t{1} << (7 * p + 3);
  return fences;
}

// Linden and Wolper, table 2.
BENCHMARK_CAPTURE(decide, dekker_once, tests::dekker(0, true), tso, 2.446);
BENCHMARK_CAPTURE(decide, dekker_once_sync, tests::dekker(dekker_syncs, true), tso, 1.194);
BENCHMARK_CAPTURE(decide, dekker, tests::dekker(0), tso, 22.881);
BENCHMARK_CAPTURE(decide, dekker_sync, tests::dekker(dekker_syncs), tso, 3.016);
BENCHMARK_CAPTURE(decide, peterson_once, tests::peterson(0, true), tso, 1.969);
BENCHMARK_CAPTURE(decide, peterson_once_sync, tests::peterson(peterson_syncs, true), tso, 0.399);
BENCHMARK_CAPTURE(decide, peterson, tests::peterson(0), tso, 3.097);
BENCHMARK_CAPTURE(decide, peterson_sync, tests::peterson(peterson_syncs), tso, 0.392);
BENCHMARK_CAPTURE(decide, dekker_sync_pso, tests::dekker(dekker_syncs), pso, 0);
// Memorax: its fence insertion as a whole, ours one proof.
BENCHMARK_CAPTURE(decide, burns_memorax, tests::burns2(1U << 0 | 1U << 2), tso, 0.01);
BENCHMARK_CAPTURE(decide, barrier_memorax, tests::sense_barrier(0), tso, 0.08);
// Trencher: robustness.
BENCHMARK_CAPTURE(attack, peterson_trencher, tests::peterson(peterson_syncs).text, 2.9);
BENCHMARK_CAPTURE(attack, lamport3_trencher, tests::lamport_fast(lamport_syncs(3), 3).text, 5.9);

void lamport(benchmark::State& s) {
  const auto processes = static_cast<unsigned>(s.range(0));
  decide(s, tests::lamport_fast(lamport_syncs(processes), processes), tso, 0);
}
BENCHMARK(lamport)->DenseRange(2, 3);

// Without a fence behind the stores of 0 buffers grow without bound. The stores of process i begin at number 4i - 1.
void burns(benchmark::State& s) {
  const auto processes = static_cast<int>(s.range(0));
  std::uint64_t fences = std::uint64_t{1} << 1;
  for (int i = 1; i < processes; ++i) fences |= std::uint64_t{1} << (4 * i);
  decide(s, tests::burns(fences, processes), tso, 0);
}
BENCHMARK(burns)->DenseRange(2, 5);

void copies(benchmark::State& s) {
  const auto variables = static_cast<int>(s.range(0)), values = static_cast<int>(s.range(1));
  std::string cells = "byte y", writer, reader;
  for (int v = 0; v < variables; ++v) {
    cells += fmt::format(", x{}", v);
    for (int value = 1; value <= values; ++value) writer += fmt::format(" store(x{}, {});", v, value % values);
    reader += fmt::format(" load(x{}, r); store(y, r);", v);
  }
  const tests::Protocol protocol{cells + ";\nactive proctype W() { do ::" + writer + " skip od }\n" +
                                     "active proctype R() { byte r; do ::" + reader + " r = 0 od }\n",
                                 fmt::format("y > {}", values), 0};
  decide(s, protocol, tso, 0);
}
BENCHMARK(copies)->Args({1, 2})->Args({1, 3})->Args({1, 4})->Args({1, 5})->Args({2, 2})->Args({3, 2})->Args({4, 2});

}  // namespace
}  // namespace heddle

BENCHMARK_MAIN();
