// Bytes a state and nanoseconds an insertion of the state store, on breadth-first search over a made-up protocol: eight
// processes in a ring, each with a control state and a global that only it writes, in 16 slots. The search stops at the
// number of states asked for. Its own work is small: ns/insert is nearly all the store's.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "support/interner.h"
#include "support/state_store.h"

namespace {

using namespace heddle::support;

constexpr std::size_t processes = 8;
using Slots = std::array<std::uint32_t, 2 * processes>;

// A process steps through 12 control states. In two of them it waits for its left neighbour's global, in three it
// writes its own. Calls insert(slots) for each successor.
template <class Insert>
void successors(std::span<const std::uint32_t> state, const Insert& insert) {
  Slots next;
  std::copy(state.begin(), state.end(), next.begin());
  for (std::size_t p = 0; p < processes; ++p) {
    const std::size_t own = 2 * p;
    const std::uint32_t neighbour = state[(own + 2 * processes - 1) % (2 * processes)];
    const std::uint32_t control = state[own];
    if (control % 6 == 5 && neighbour > state[own + 1]) continue;
    next[own] = (control + 1) % 12;
    if (control % 4 == 1) next[own + 1] = (state[own + 1] + control) % 5;
    insert(next);
    next[own] = state[own], next[own + 1] = state[own + 1];
  }
}

double resident() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long pages = 0, all = 0;
  if (file == nullptr || std::fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
  if (file != nullptr) std::fclose(file);
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// range: states, parents kept, workers
void breadth_first(benchmark::State& bench) {
  const auto wanted = static_cast<std::uint64_t>(bench.range(0));
  const auto workers = static_cast<unsigned>(bench.range(2));
  for ([[maybe_unused]] auto iteration : bench) {
    const double empty = resident();
    const double begun = cpu_seconds();
    StateStore store({2 * processes, bench.range(1) != 0, workers, 1});
    std::atomic<std::uint64_t> edges{0};
    {
      auto cursor = store.make_cursor(0);
      store.insert(cursor, Slots{}, no_state, 0);
    }
    Frontier frontier(store);
    for (unsigned depth = 1; store.size() < wanted && frontier.advance() != 0; ++depth) {
      std::vector<std::thread> threads;
      const auto work = [&](unsigned worker) {
        auto cursor = store.make_cursor(worker);
        std::array<StateStore::Prepared, processes> prepared;
        std::array<StateStore::Inserted, processes> inserted;
        std::uint64_t inserts = 0;
        Frontier::Batch batch;
        while (store.size() < wanted && frontier.take(batch)) {
          for (std::uint64_t i = 0; i < batch.count; ++i) {
            const StateNumber number = batch.first + i * Frontier::Batch::step;
            store.load(cursor, number);
            std::size_t count = 0;
            successors(cursor.slots(), [&](const Slots& next) { prepared[count++] = store.prepare(cursor, next); });
            store.insert(cursor, std::span(prepared).first(count), number, depth % 3, inserted);
            inserts += count;
          }
        }
        edges += inserts;
      };
      for (unsigned w = 1; w < workers; ++w) threads.emplace_back(work, w);
      work(0);
      for (auto& thread : threads) thread.join();
    }
    const double seconds = cpu_seconds() - begun;
    bench.counters["states"] = static_cast<double>(store.size());
    bench.counters["inserts"] = static_cast<double>(edges);
    bench.counters["cpu-ns/insert"] = 1e9 * seconds / static_cast<double>(edges);
    bench.counters["bytes/state"] = (resident() - empty) / static_cast<double>(store.size());
    bench.counters["tables/state"] = static_cast<double>(store.bytes()) / static_cast<double>(store.size());
  }
}
BENCHMARK(breadth_first)
    ->ArgNames({"states", "parents", "workers"})
    ->Args({1'000'000, 0, 1})
    ->Args({10'000'000, 0, 1})
    ->Args({3'000'000, 1, 1})
    ->Args({3'000'000, 0, 2})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// Chunks of 64 bytes, each interned twice.
void intern(benchmark::State& bench) {
  for ([[maybe_unused]] auto iteration : bench) {
    Interner interner;
    std::array<std::uint64_t, 8> chunk{};
    for (std::uint64_t round = 0; round < 2; ++round) {
      for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(bench.range(0)); ++i) {
        chunk[i % 8] = i;
        chunk[0] = i;
        benchmark::DoNotOptimize(interner.intern(std::as_bytes(std::span(chunk))));
        chunk[i % 8] = 0;
      }
    }
    bench.counters["bytes/chunk"] = static_cast<double>(interner.bytes()) / interner.size();
  }
  bench.SetItemsProcessed(2 * bench.range(0));
}
BENCHMARK(intern)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
