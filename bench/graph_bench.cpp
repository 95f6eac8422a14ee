// The graph engine against the recorded figures of ground-truth/executions.csv (GenMC 0.11.0, its processor time on its
// own machine): processor time per execution, as a ratio. Not a test: nothing here fails by being slow.
//
//   graph_bench [NAME…]     all rows, or those whose names begin so
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <ctime>
#include <string>

#include "core/budget.h"
#include "graph/check.h"
#include "support/graph_programs.h"
#include "support/unjudged.h"

namespace {

using heddle::test::MiniProgram;

struct Row {
  const char* name;
  void (*make)(MiniProgram&);
  unsigned long complete, blocked;
  double seconds;  // recorded
};

const Row rows[] = {
    {"counting(3,3)", [](MiniProgram& p) { heddle::test::counting(p, 3, 3); }, 1680, 7953, 0.35},
    {"counting(4,2)", [](MiniProgram& p) { heddle::test::counting(p, 4, 2); }, 2520, 22628, 0.77},
    {"counting(4,3)", [](MiniProgram& p) { heddle::test::counting(p, 4, 3); }, 369600, 3630108, 139},
    {"lastzero(10)", [](MiniProgram& p) { heddle::test::lastzero(p, 10); }, 3328, 0, 0.20},
    {"lastzero(15)", [](MiniProgram& p) { heddle::test::lastzero(p, 15); }, 147456, 0, 14.5},
    {"indexer(15)", [](MiniProgram& p) { heddle::test::indexer(p, 15); }, 4096, 0, 2.35},
};

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("%-15s %10s %10s %9s %9s %12s %8s\n", "program", "complete", "blocked", "cpu s", "recorded",
              "us/execution", "ratio");
  for (const Row& row : rows) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; ++i) wanted = wanted || std::string(row.name).starts_with(argv[i]);
    if (!wanted) continue;
    MiniProgram p;
    row.make(p);
    heddle::graph::Options o;
    o.model = "rc11";
    heddle::core::Budget budget;
    const double begun = processor_seconds();
    const auto v = heddle::test::unjudged(heddle::graph::check(p, o, budget));
    const double used = processor_seconds() - begun;
    const auto complete = v.statistics.executions.value_or(0), blocked = v.statistics.blocked.value_or(0);
    const double per = used / static_cast<double>(complete + blocked);
    const double recorded = row.seconds / static_cast<double>(row.complete + row.blocked);
    std::printf("%-15s %10lu %10lu %9.3f %9.2f %12.2f %8.3f%s\n", row.name, static_cast<unsigned long>(complete),
                static_cast<unsigned long>(blocked), used, row.seconds, per * 1e6, per / recorded,
                complete != row.complete || blocked > row.blocked ? "  WRONG COUNT" : "");
    std::fflush(stdout);
  }
  return 0;
}
