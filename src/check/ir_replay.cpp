// SPDX-License-Identifier: Apache-2.0
#include "check/ir_replay.h"

#include <fmt/format.h>

#include "check/naive_replay.h"

namespace heddle::check {
namespace {

std::string at(const ir::Program& program, core::Site site, bool column = false) {
  if (site >= program.sites.size()) return {};
  const core::SourcePlace& place = program.sites[site];
  return fmt::format(" at {}:{}{}{}", place.file, place.line, column ? fmt::format(":{}", place.column) : "",
                     place.text.empty() ? "" : ": " + place.text);
}

}  // namespace

Replayed replay(const ir::Program& program, const std::string& model, unsigned buffer_bound,
                const std::vector<core::Move>& moves, const Claim& claim) {
  Replayed result;
  result.trace.model = model;
  const auto naive = naive_model(model);
  if (!naive) {
    result.why = "no naive machine for " + model;
    return result;
  }
  Replay run(program, *naive, buffer_bound == 0 ? 0 : NaivePort::unbounded);
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (!run.move(moves[i], result.trace)) {
      result.why = fmt::format("step {} of the trace is not possible", i + 1);
      return result;
    }
  if (run.step_error() && claim.kind != Claim::Kind::StepError) {
    result.why = "the trace ends in an error of a step";
    return result;
  }
  switch (claim.kind) {
    case Claim::Kind::StepError:
      if (!run.step_error()) break;
      result.kind = ir::error_kind(run.step_error()->status);
      result.violation = ir::error_text(run.step_error()->status) + at(program, run.step_error()->site, true);
      result.confirmed = true;
      break;
    case Claim::Kind::Assertion: {
      ir::EvalResult failure{};
      const ir::Assertion* failed = run.failed_assertion(failure);
      if (failed == nullptr) break;
      const bool error = ir::is_error(failure.status);
      result.kind = error ? ir::error_kind(failure.status) : "assertion";
      result.violation = error ? ir::error_text(failure.status) + at(program, failure.site, true)
                               : "an assertion does not hold" + at(program, failed->site);
      result.confirmed = true;
      break;
    }
    case Claim::Kind::Proposition: {
      const bool holds = run.proposition(claim.proposition) == ir::Status::True;
      result.confirmed = holds == claim.value;
      result.kind = claim.value ? "reach" : "invariant";
      const std::string& text = program.propositions[claim.proposition].text;
      result.violation =
          claim.value ? fmt::format("'{}' is reachable", text) : fmt::format("'{}' does not always hold", text);
      break;
    }
    case Claim::Kind::PropositionError: {
      const ir::Status status = run.proposition(claim.proposition);
      result.confirmed = ir::is_error(status);
      if (!result.confirmed) break;
      result.kind = ir::error_kind(status);
      result.violation =
          fmt::format("{} in '{}'", ir::error_text(status), program.propositions[claim.proposition].text);
      break;
    }
    case Claim::Kind::Deadlock:
      result.confirmed = run.deadlocked();
      result.kind = "deadlock";
      result.violation = "no process can move: " + run.positions();
      break;
  }
  if (!result.confirmed) result.why = "the trace does not end where it should";
  return result;
}

}  // namespace heddle::check
