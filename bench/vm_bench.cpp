// How fast the virtual machine runs: invisible instructions, and requests with their answers. Then the workloads of the
// LLMC thesis (tables 5.7 and 5.8, section 5.3.1: 48 cores, 128 GiB) under its model, lmo, with its buffer sizes,
// beside the thesis's figures; "-" where it gives none. A second line, "all steps", is the same run without partial
// order reduction where that makes a difference. LLMC has a state for each instruction, of which hardly any is left
// here: its state counts are met by none of these runs, so look at all bytes as well as at those a state; counting 4x5,
// which the thesis does not have, shows what a state takes once there are millions.
//
//   vm_bench [WORKLOAD…]     all workloads, or those whose names begin so; options of Google Benchmark for the first
//   part
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "core/budget.h"
#include "explore/product.h"
#include "explore/search.h"
#include "lang/llvm/load.h"
#include "models/models.h"
#include "support/places.h"

namespace heddle {
namespace {

std::unique_ptr<core::Program> program_of(const char* code) {
  char name[] = "/tmp/heddle-bench-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name);
  const auto file = (folder / "bench.ll").string();
  std::ofstream(file) << code;
  auto program = lang::llvm_ir::load({file}, {});
  std::filesystem::remove_all(folder);
  if (!program) std::abort();
  return std::move(*program);
}

// Nine instructions an iteration: three xor-shifts of two, an increment, a comparison, a branch.
constexpr int iterations = 100000;
const char* const loop = R"(
define i32 @main() {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %j, %head ]
  %x = phi i32 [ 1, %0 ], [ %x3, %head ]
  %a = shl i32 %x, 13
  %x1 = xor i32 %x, %a
  %b = lshr i32 %x1, 17
  %x2 = xor i32 %x1, %b
  %c = shl i32 %x2, 5
  %x3 = xor i32 %x2, %c
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, 100000
  br i1 %more, label %head, label %done
done:
  ret i32 %x3
})";

void instructions(benchmark::State& state) {
  const auto program = program_of(loop);
  core::Local local;
  for (auto _ : state) {
    program->start(program->initial_threads()[0].entry, {}, 0, local);
    benchmark::DoNotOptimize(local.data());
  }
  state.SetItemsProcessed(state.iterations() * iterations * 9);
}
BENCHMARK(instructions);

const char* const accesses = R"(
@x = global i32 0
define i32 @main() {
  br label %head
head:
  %v = load atomic i32, ptr @x monotonic, align 4
  %w = add i32 %v, 1
  store atomic i32 %w, ptr @x monotonic, align 4
  br label %head
})";

void requests(benchmark::State& state) {
  const auto program = program_of(accesses);
  core::Local local;
  program->start(program->initial_threads()[0].entry, {}, 0, local);
  core::Answer answer;
  for (auto _ : state) {
    const auto q = program->request(local);
    answer.value = core::Value(q.value.bits & 0xff);
    program->resume(local, answer);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(requests);

struct Workload {
  const char* name;
  const char* file;
  std::vector<std::string> defines;
  unsigned buffer;
  // The thesis: states, seconds on 48 cores, MiB. 0: none given.
  double states, seconds, mebibytes;
};

constexpr const char* counting = "tests/regress/c/threads/counting.c";
constexpr const char* queue = "examples/msq.c";
const Workload workloads[] = {
    {"counting 2x2", counting, {"THREADS=2", "INCS=2"}, 3, 0, 0, 0},
    {"counting 2x3", counting, {"THREADS=2", "INCS=3"}, 3, 0, 0, 0},
    {"counting 2x4", counting, {"THREADS=2", "INCS=4"}, 3, 0, 0, 0},
    {"counting 3x2", counting, {"THREADS=3", "INCS=2"}, 3, 0, 0, 0},
    {"counting 3x3", counting, {"THREADS=3", "INCS=3"}, 3, 0, 0, 0},
    {"counting 3x4", counting, {"THREADS=3", "INCS=4"}, 3, 0, 0, 0},
    {"counting 4x2", counting, {"THREADS=4", "INCS=2"}, 3, 111713, 1.12, 1.4},
    {"counting 4x3", counting, {"THREADS=4", "INCS=3"}, 3, 16075101, 99.54, 174.9},
    {"counting 4x4", counting, {"THREADS=4", "INCS=4"}, 3, 2868903162, 19038.1, 29882.9},
    {"counting 4x5", counting, {"THREADS=4", "INCS=5"}, 3, 0, 0, 0},
    {"MSQ X1 E||D;E;E;D;D", queue, {"TEST=1"}, 3, 18000, 3.3, 1},
    {"MSQ X2 E;D||(E;D;D;E)", queue, {"TEST=2"}, 3, 9749606, 180.6, 144},
    {"MSQ X4 E||D;E;E;D;D", queue, {"TEST=1"}, 5, 21036, 4.4, 1},  // X3 is the same run
    {"MSQ X5 E;E;D||(D;E);D", queue, {"TEST=3"}, 5, 1027044, 27.9, 15.4},
    {"MSQ X6 E;D||(E;D;D;E)", queue, {"TEST=2"}, 5, 12349674, 222.3, 191.8},
    {"MSQ X7 E||E||E;D;D;D", queue, {"TEST=5"}, 5, 1390462376, 19348.8, 15561.9},
    {"MSQ X8 E||E||D||D", queue, {"TEST=6"}, 5, 3886772182, 44406.8, 60545.2},  // the thesis's run was not complete
    {"Fibonacci 20", "tests/regress/c/threads/fibonacci.c", {"N=20"}, 5, 0, 0, 30},
};

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// "ours / theirs" in a column.
void column(double ours, double theirs, const char* format) {
  char a[32], b[32] = "-";
  std::snprintf(a, sizeof a, format, ours);
  if (theirs > 0) std::snprintf(b, sizeof b, format, theirs);
  std::printf(" %11s %11s", a, b);
}

// One line of the table; none for a run without reduction that has as many states as the one before.
bool explored(const Workload& w, const core::Program& program, core::Reduction reduction, std::uint64_t& last) {
  const explore::Product product(program, *models::machine("lmo"), {.buffer_bound = w.buffer});
  explore::SearchOptions options;
  options.reduction = reduction;
  options.deadlocks = true;
  core::Budget budget;
  const double begun = processor_seconds();
  const explore::SearchResult result = explore::search(product, options, budget);
  const double seconds = processor_seconds() - begun;
  if (result.states == last) return true;
  last = result.states;
  const auto states = static_cast<double>(result.states), bytes = static_cast<double>(result.bytes);
  constexpr double mebi = 1024.0 * 1024.0;
  std::printf("%-22s", reduction == core::Reduction::None ? "  all steps" : w.name);
  column(states, w.states, "%.0f");
  column(seconds, w.seconds, "%.2f");
  column(states / seconds, w.seconds > 0 ? w.states / w.seconds : 0, "%.0f");
  column(bytes / states, w.states > 0 ? w.mebibytes * mebi / w.states : 0, "%.1f");
  column(bytes / mebi, w.mebibytes, "%.1f");
  std::printf("%s%s\n", result.found ? "  A VIOLATION" : "", result.stopped ? "  INCOMPLETE" : "");
  std::fflush(stdout);
  return !result.found && !result.stopped;
}

bool run(const Workload& w) {
  lang::llvm_ir::Options reading;
  reading.pending_loads = true;
  reading.defines = w.defines;
  const char* folder = std::getenv("HEDDLE_BINARY_DIR");
  reading.runtime =
      folder != nullptr ? std::string(folder) + "/runtime" : std::string(tests::source_dir() + "/build/runtime");
  const auto loaded = lang::llvm_ir::load({std::string(tests::source_dir() + "/") + w.file}, reading);
  if (!loaded) {
    std::printf("%-22s cannot be read: %s\n", w.name, loaded.error().message.c_str());
    return false;
  }
  std::uint64_t reduced = 0;
  return explored(w, **loaded, core::Reduction::Safety, reduced) &&
         explored(w, **loaded, core::Reduction::None, reduced);
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc < 2) benchmark::RunSpecifiedBenchmarks();
  std::printf("\nthis program on one core, then LLMC on 48%-43s\n%-22s", "", "workload");
  for (const char* title : {"states", "seconds", "states/s", "bytes/state", "MiB"})
    std::printf(" %11s %11s", title, "LLMC");
  std::printf("\n");
  bool right = true;
  for (const heddle::Workload& w : heddle::workloads) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; ++i) wanted = wanted || std::string(w.name).starts_with(argv[i]);
    if (wanted) right = heddle::run(w) && right;
  }
  return right ? 0 : 1;
}
