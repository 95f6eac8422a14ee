// How fast the virtual machine runs: invisible instructions, and requests with their answers.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "lang/llvm/load.h"

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

}  // namespace
}  // namespace heddle

BENCHMARK_MAIN();
