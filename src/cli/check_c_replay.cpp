// SPDX-License-Identifier: Apache-2.0
#include "cli/check_c_replay.h"

#include <fmt/format.h>

#include "axioms/models.h"
#include "check/closing.h"
#include "check/graph_replay.h"
#include "check/thread_replay.h"
#include "cli/explicit.h"
#include "cli/replays.h"
#include "memory/models.h"

namespace heddle::cli {
namespace {

check::ThreadClaim claim_of(const core::Verdict& saved) {
  using Kind = check::ThreadClaim::Kind;
  check::ThreadClaim claim;
  claim.failure_kind = saved.violation_kind;
  if (saved.violation_kind == "deadlock") claim.kind = Kind::Deadlock;
  if (saved.violation_kind == "race") claim.kind = Kind::Race;
  if (saved.violation_kind == "livelock") {
    claim.kind = Kind::Livelock;
    claim.loop_start = saved.trace->loop_start;
  }
  return claim;
}

// The trace of what happens now; `why` if that is not what was saved.
core::Verdict again(const CheckRequest& request, const core::Verdict& saved, const core::Program& program,
                    std::string& why) {
  core::Verdict verdict;
  verdict.model = saved.model;
  verdict.statistics.engine = "replay";
  verdict.outcome = core::Outcome::Unsafe;
  if (saved.trace->execution) {
    const core::ExecutionWitness& witness = *saved.trace->execution;
    check::GraphReplay replayed = check::replay_graph(program, witness, {saved.violation_kind, witness.failed});
    if (!replayed.confirmed) why = replayed.why;
    verdict.violation_kind = saved.violation_kind;
    verdict.violation = replayed.violation;
    verdict.place = replayed.place;
    verdict.trace = std::move(replayed.trace);
    return verdict;
  }
  std::vector<core::Move> moves;
  for (const core::TraceStep& step : saved.trace->steps) moves.push_back(step.move);
  check::ThreadReplay replayed = check::replay(program, saved.model, buffer_bound(request), moves, claim_of(saved));
  if (!replayed.confirmed) why = replayed.why;
  verdict.violation_kind = replayed.kind;
  verdict.violation = replayed.violation;
  verdict.place = replayed.place;
  replayed.trace.closing = check::closing_words(replayed.trace, replayed.violation);
  verdict.trace = std::move(replayed.trace);
  return verdict;
}

}  // namespace

support::Result<std::vector<core::Verdict>> replay_c(const CheckRequest& request, const ProgramFor& program_for) {
  const auto saved = saved_traces(request);
  if (!saved) return saved.error();
  std::vector<core::Verdict> verdicts;
  for (const core::Verdict& old : *saved) {
    const axioms::Model* given_by_axioms = axioms::find_model(old.model);
    const memory::Machine* machine = memory::find_machine(old.model);
    if (given_by_axioms == nullptr && machine == nullptr)
      return support::Diagnostic{
          request.replay, 0, 0, fmt::format("there is no model '{}'", old.model), "", "`heddle models` lists them"};
    const auto program =
        program_for(given_by_axioms != nullptr ? given_by_axioms->needs_deps : machine->defers_loads());
    if (!program) return program.error();
    std::string why;
    core::Verdict verdict = again(request, old, **program, why);
    if (!why.empty()) return diverges(request.replay, old, why);
    verdicts.push_back(std::move(verdict));
    if (request.decided) request.decided(verdicts.back());
  }
  return verdicts;
}

}  // namespace heddle::cli
