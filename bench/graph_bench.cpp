// Execution graphs by processor time. The first table is what a user runs: C files through `heddle check`, less what
// reading and compiling the file takes, against the recorded processor time of GenMC 0.11.0 for the same program (on an
// Arm Neoverse-V1 core, compilation excluded) where there is one, and against rc11 for the models of hardware. The
// second is the engine alone: the same programs made by hand, without a compiler, a library or dynamic objects. Not a
// test: nothing here fails by being slow.
//
//   graph_bench [NAME…]     all rows, or those whose names begin so
// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/budget.h"
#include "graph/check.h"
#include "support/graph_programs.h"

namespace {

using heddle::test::MiniProgram;

double seconds_of(int who) {
  rusage used{};
  getrusage(who, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct File {
  const char* name;
  const char* path;  // below the project
  const char* definitions;
  const char* models;  // the first is what the others are compared with
  double recorded;     // under the first; 0: no figure
};

const File files[] = {
    {"lastzero(15)", "tests/regress/c/threads/lastzero.c", "-D N=15", "rc11", 14.5},
    {"lastzero(12)", "tests/regress/c/threads/lastzero.c", "-D N=12", "rc11 armv8 riscv rmo power", 0},
    {"indexer(15)", "tests/regress/c/threads/indexer.c", "-D N=15", "rc11", 2.35},
    {"indexer(13)", "tests/regress/c/threads/indexer.c", "-D N=13", "rc11 armv8 riscv rmo power", 0},
    {"counting(3,3)", "bench/c/counting.c", "-D N=3 -D K=3", "rc11 armv8 riscv rmo power", 0.35},
    {"counting(4,2)", "bench/c/counting.c", "-D N=4 -D K=2", "rc11", 0.77},
    {"fib(5)", "bench/c/fib.c", "-D N=5", "rc11", 4.63},
    {"ticket lock", "bench/c/ticket.c", "-D N=3", "rc11 armv8 riscv rmo power", 0},
    {"MCS lock", "bench/c/mcs.c", "-D N=3", "rc11 armv8 riscv rmo power", 0},
    {"barrier(3)", "bench/c/barrier.c", "-D N=3", "sc", 0},
    {"semaphore(3)", "bench/c/semaphore.c", "-D N=3", "sc", 0},
    {"condition(3)", "bench/c/condition.c", "-D N=3", "sc", 0},
    {"msq", "examples/msq.c", "", "rc11 armv8", 0},
};

bool wanted(const char* name, int argc, char** argv) {
  if (argc < 2) return true;
  for (int i = 1; i < argc; ++i)
    if (std::string(name).starts_with(argv[i])) return true;
  return false;
}

// Processor time of one run, and the last line that it prints.
double run(const std::string& command, std::string& line) {
  const double begun = seconds_of(RUSAGE_CHILDREN);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return 0;
  std::array<char, 4096> text{};
  line.clear();
  while (std::fgets(text.data(), static_cast<int>(text.size()), pipe) != nullptr) line = text.data();
  pclose(pipe);
  return seconds_of(RUSAGE_CHILDREN) - begun;
}

// The number before a word of a verdict's line: "(graph, 1,680 executions, 7,953 blocked, 0.43 s)".
double count_before(const std::string& line, const std::string& word) {
  const std::size_t end = line.find(' ' + word);
  if (end == std::string::npos) return 0;
  std::size_t begin = end;
  std::string digits;
  while (begin > 0 && ((line[begin - 1] >= '0' && line[begin - 1] <= '9') || line[begin - 1] == ',')) --begin;
  for (std::size_t i = begin; i < end; ++i)
    if (line[i] != ',') digits += line[i];
  return digits.empty() ? 0 : std::strtod(digits.c_str(), nullptr);
}

void run_file(const File& f, const std::string& heddle) {
  std::string models = f.models;
  double first = 0;
  for (std::size_t begin = 0; begin < models.size();) {
    const std::size_t end = std::min(models.find(' ', begin), models.size());
    const std::string model = models.substr(begin, end - begin);
    begin = end + 1;
    const std::string command = heddle + " check " + HEDDLE_SOURCE_DIR + "/" + f.path + " " + f.definitions + " -m " +
                                model + " --engine graph --symmetry off --trace off --timeout 120 ";
    std::string line, ignored;
    const double whole = run(command + "2>&1", line), reading = run(command + "--max-states 1 2>&1", ignored);
    const double used = std::max(whole - reading, 0.0);
    const double complete = count_before(line, "execution"), blocked = count_before(line, "blocked");
    const double per = complete + blocked > 0 ? used / (complete + blocked) : 0;
    if (first == 0) first = per;
    std::printf("%-14s %-6s %10.0f %10.0f %9.3f %12.2f", f.name, model.c_str(), complete, blocked, used, per * 1e6);
    if (model != models.substr(0, models.find(' '))) std::printf(" %9s %8.2f", "", first > 0 ? per / first : 0);
    else if (f.recorded > 0) std::printf(" %9.2f %8.3f", f.recorded, used / f.recorded);
    std::printf("%s\n", line.find("SAFE") == std::string::npos ? "  UNDECIDED" : "");
    std::fflush(stdout);
  }
}

struct Row {
  const char* name;
  void (*make)(MiniProgram&);
  unsigned long complete, blocked;
  double seconds;  // recorded for the C program
};

const Row rows[] = {
    {"counting(3,3)", [](MiniProgram& p) { heddle::test::counting(p, 3, 3); }, 1680, 7953, 0.35},
    {"counting(4,2)", [](MiniProgram& p) { heddle::test::counting(p, 4, 2); }, 2520, 22628, 0.77},
    {"counting(4,3)", [](MiniProgram& p) { heddle::test::counting(p, 4, 3); }, 369600, 3630108, 139},
    {"lastzero(10)", [](MiniProgram& p) { heddle::test::lastzero(p, 10); }, 3328, 0, 0.20},
    {"lastzero(15)", [](MiniProgram& p) { heddle::test::lastzero(p, 15); }, 147456, 0, 14.5},
    {"indexer(15)", [](MiniProgram& p) { heddle::test::indexer(p, 15); }, 4096, 0, 2.35},
};

void run_row(const Row& row) {
  MiniProgram p;
  row.make(p);
  heddle::graph::Options o;
  o.model = "rc11";
  heddle::core::Budget budget;
  const double begun = seconds_of(RUSAGE_SELF);
  const auto v = heddle::graph::check(p, o, budget);
  const double used = seconds_of(RUSAGE_SELF) - begun;
  const auto complete = v.statistics.executions.value_or(0), blocked = v.statistics.blocked.value_or(0);
  const double per = used / static_cast<double>(complete + blocked);
  std::printf("%-14s %-6s %10lu %10lu %9.3f %12.2f%s\n", row.name, "rc11", static_cast<unsigned long>(complete),
              static_cast<unsigned long>(blocked), used, per * 1e6,
              complete != row.complete || blocked > row.blocked ? "  WRONG COUNT" : "");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string heddle = (std::filesystem::path(argv[0]).parent_path() / "heddle").string();
  std::printf("C files through heddle check; ratio: to the recorded time, or per execution to the first model\n");
  std::printf("%-14s %-6s %10s %10s %9s %12s %9s %8s\n", "program", "model", "complete", "blocked", "cpu s",
              "us/execution", "recorded", "ratio");
  for (const File& f : files)
    if (wanted(f.name, argc, argv)) run_file(f, heddle);
  std::printf("\nthe engine alone, on programs made by hand\n");
  for (const Row& row : rows)
    if (wanted(row.name, argc, argv)) run_row(row);
  return 0;
}
