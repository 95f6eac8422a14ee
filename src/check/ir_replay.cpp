// SPDX-License-Identifier: Apache-2.0
#include "check/ir_replay.h"

#include <fmt/format.h>

#include "check/naive_replay.h"
#include "check/sc_order.h"

namespace heddle::check {
namespace {

std::string at(const ir::Program& program, core::Site site, bool column = false) {
  if (site >= program.sites.size()) return {};
  const core::SourcePlace& place = program.sites[site];
  return fmt::format(" at {}:{}{}{}", place.file, place.line, column ? fmt::format(":{}", place.column) : "",
                     place.text.empty() ? "" : ": " + place.text);
}

// An assertion of the last state, or an error of the last step.
bool has_failed(Replay& run, const ir::Program& program, Replayed& result) {
  ir::EvalResult failure{};
  if (run.step_error()) failure = *run.step_error();
  const ir::Assertion* failed = run.step_error() ? nullptr : run.failed_assertion(failure);
  if (!run.step_error() && failed == nullptr) return false;
  const bool error = failed == nullptr || ir::is_error(failure.status);
  result.claim.failure = error ? ir::error_kind(failure.status) : "assertion";
  result.violation = error ? ir::error_text(failure.status) + at(program, failure.site, true)
                           : "an assertion does not hold" + at(program, failed->site);
  return true;
}

bool is_so(Replay& run, const ir::Program& program, Replayed& result) {
  if (result.claim.is<core::Assertion>()) return has_failed(run, program, result);
  if (result.claim.is<core::Deadlock>()) {
    result.violation = "no process can move: " + run.positions();
    return run.deadlocked() && !run.at_proper_end();
  }
  if (const auto* state = std::get_if<core::StateProposition>(&result.claim.property)) {
    const std::string& text = program.propositions[state->proposition].text;
    result.violation =
        state->forbidden_when ? fmt::format("'{}' is reachable", text) : fmt::format("'{}' does not always hold", text);
    return run.proposition(state->proposition) == (state->forbidden_when ? ir::Status::True : ir::Status::False);
  }
  if (result.claim.is<core::Robust>()) {
    const auto cycle = cycle_of(program, result.trace);
    if (cycle) result.violation = "this run is not one of sequential consistency: " + *cycle;
    return cycle.has_value();
  }
  if (const auto* wrong = std::get_if<core::PropositionError>(&result.claim.property)) {
    const ir::Status status = run.proposition(wrong->proposition);
    if (!ir::is_error(status)) return false;
    result.claim.failure = ir::error_kind(status);
    result.violation = fmt::format("{} in '{}'", ir::error_text(status), program.propositions[wrong->proposition].text);
    return true;
  }
  return false;
}

}  // namespace

Replayed replay(const ir::Program& program, std::string_view model, unsigned buffer_bound,
                const std::vector<core::Move>& moves, const core::Claim& claim) {
  const auto naive = naive_model(model);
  if (!naive) return not_replayed(fmt::format("no naive machine for {}", model));
  Replayed result;
  result.trace.model = model;
  result.claim = claim;
  Replay run(program, *naive, buffer_bound == 0 ? 0 : NaivePort::unbounded);
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (!run.move(moves[i], result.trace))
      return not_replayed(fmt::format("step {} of the trace is not possible", i + 1));
  if (run.step_error() && !claim.is<core::Assertion>()) return not_replayed("the trace ends in an error of a step");
  result.confirmed = is_so(run, program, result) && (claim.failure.empty() || claim.failure == result.claim.failure);
  return result.confirmed ? result : not_replayed("the trace does not end where it should");
}

}  // namespace heddle::check
