// SPDX-License-Identifier: Apache-2.0
#include "buffers/threads.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/diagnostics.h"

namespace heddle::buffers {
namespace {

// Local states and answers: so many before they are asked for, at first and more in each round.
constexpr std::size_t at_first = 2'000, more = 1'000, most = 200'000;

}  // namespace

ThreadsAnswer decide(ir::Unfolding& threads, const Question& question, core::Budget& budget) {
  ThreadsAnswer result;
  std::size_t allowance = at_first;
  for (;;) {
    threads.grow(allowance, budget);
    result.program = threads.unfolded(false);
    HEDDLE_ASSERT(!refuse(result.program.program, question));
    result.answer = decide(result.program.program, question, budget);
    Answer& answer = result.answer;
    if (answer.kind == Answer::Kind::Unknown) return result;
    if (answer.kind == Answer::Kind::Violated) {
      const std::string why = answer.failure ? result.program.unsupported[answer.failure->site] : std::string();
      if (why.empty()) return result;
      answer.kind = Answer::Kind::Unknown;
      answer.stopped =
          core::Reason{core::Reason::Kind::Unsupported,
                       fmt::format("{} {}", result.program.program.processes[answer.failure->process].name, why)};
      return result;
    }
    const auto holes = threads.holes(answer.proof);
    if (holes.empty()) return result;
    std::optional<core::Reason> stopped = budget.over();
    if (threads.size() > most)
      stopped =
          core::Reason{core::Reason::Kind::Open, "the threads have too many local states, or see too many values"};
    if (stopped) {
      answer.kind = Answer::Kind::Unknown;
      answer.stopped = stopped;
      return result;
    }
    for (const ir::Unfolding::Question& hole : holes) threads.answer(hole);
    allowance = std::max(allowance, threads.size()) + more;
  }
}

}  // namespace heddle::buffers
