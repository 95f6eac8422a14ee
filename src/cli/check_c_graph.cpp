// SPDX-License-Identifier: Apache-2.0
#include "cli/check_c_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "axioms/models.h"
#include "check/graph_replay.h"
#include "graph/check.h"
#include "report/drawing.h"

namespace heddle::cli {

core::Verdict check_graphs(const CheckRequest& request, const std::string& model, const GraphProperties& asked,
                           const core::Program& program, core::Budget& budget) {
  graph::Options options;
  options.model = model;
  budget.subject = model + ", graph";
  options.properties.deadlock = asked.deadlocks;
  options.properties.leaks = asked.leaks;
  options.properties.races = asked.races || (asked.undefined_races && axioms::find_model(model)->language);
  options.properties.liveness = asked.liveness;
  options.properties.robust = asked.robust;
  options.workers = static_cast<unsigned>(std::clamp<std::uint64_t>(request.workers, 1, 256));
  options.loop_bound = static_cast<std::uint32_t>(std::min<std::uint64_t>(request.loop_bound, 1000000));
  const axioms::Model& row = *axioms::find_model(model);
  options.spurious_cas = request.spurious_cas.empty() ? row.weak_cas_fails : request.spurious_cas == "on";
  options.symmetry = request.symmetry;
  std::string refusal, words;
  core::SourcePlace place;
  options.on_violation = [&](const core::ExecutionWitness& witness,
                             const graph::Violation& violation) -> std::optional<core::Trace> {
    check::GraphReplay replayed = check::replay_graph(program, witness, {violation.kind, violation.thread});
    if (!replayed.confirmed) {
      refusal = replayed.why;
      return std::nullopt;
    }
    words = replayed.violation;
    place = replayed.place;
    if (request.drawings != nullptr)
      report::fresh_drawing(*request.drawings, model).execution = report::execution_picture(
          *replayed.trace.execution, program, &replayed.trace,
          fmt::format("{} under {}: {}", request.files.front(), model, words.empty() ? violation.message : words));
    return std::move(replayed.trace);
  };
  core::Verdict verdict = graph::check(program, options, budget);
  if (std::ranges::find(request.given, "--symmetry") != request.given.end() && request.symmetry && !row.po_rf_acyclic)
    verdict.notes.push_back("symmetry of threads is not looked for where the model allows load buffering");
  if (!words.empty()) verdict.violation = words;
  verdict.place = std::move(place);
  if (!refusal.empty()) {
    verdict.outcome = core::Outcome::Unknown;
    verdict.violation.clear();
    verdict.violation_kind.clear();
    // Its replay evaluates all axioms on the whole execution, and a long one is beyond it. Nobody's mistake.
    const bool too_large = refusal.find("too large") != std::string::npos;
    verdict.reason = (too_large ? "a violation was found in an execution that is too long to be replayed: "
                                : "internal error: the execution that was found does not replay: ") +
                     refusal;
  }
  if (verdict.violation_kind == "unsupported") {
    verdict.outcome = core::Outcome::Unknown;
    verdict.reason = verdict.violation;
    verdict.trace.reset();
  }
  return verdict;
}

}  // namespace heddle::cli
