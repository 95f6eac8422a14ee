// SPDX-License-Identifier: Apache-2.0
#include "drive/referee.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "check/cubicle_replay.h"
#include "check/graph_replay.h"
#include "check/ir_replay.h"
#include "check/thread_replay.h"
#include "core/evidence.h"
#include "drive/explicit_engine.h"
#include "drive/ltl_engine.h"
#include "report/closing.h"
#include "report/drawing.h"

namespace heddle::drive {

namespace {

// Why what was found is no verdict. That it is none is a defect of ours, unless its replay is beyond us.
core::Reason not_believed(const core::Reason& why) {
  if (why.kind == core::Reason::Kind::TooLarge)
    return {why.kind, "a violation was found in an execution that is too long to be replayed: " + why.text};
  return core::internal_error("the trace that was found does not replay: " + why.text);
}

void draw(const Subject& subject, const models::Model& model, const Task& task, const check::Replayed& replayed) {
  if (task.drawings == nullptr || !replayed.trace.execution) return;
  report::fresh_drawing(*task.drawings, std::string(model.name)).execution =
      report::execution_picture(*replayed.trace.execution, subject.program(model), &replayed.trace,
                                fmt::format("{} under {}: {}", task.files.front(), model.name, replayed.violation));
}

}  // namespace

check::Replayed replay(const Subject& subject, const models::Model& model, const core::Found& found,
                       unsigned buffer_bound) {
  if (const auto* run = std::get_if<core::ParameterisedRun>(&found.run))
    return check::replay(*subject.arrays(), run->exact && run->buffer == 0 ? "sc" : model.name, *run);
  if (const auto* execution = std::get_if<core::ExecutionWitness>(&found.run))
    return check::replay_graph(subject.program(model), *execution, found.claim);
  const auto& run = std::get<core::MoveRun>(found.run);
  check::Replayed replayed =
      found.claim.is<core::Ltl>() ? replay_ltl(subject, model, found.claim, run, buffer_bound)
      : found.claim.is<core::PropositionError>() && subject.threads() != nullptr
          ? replay_no_value(subject, model, found.claim, run, buffer_bound)
      : subject.steps() != nullptr
          ? check::replay(*subject.steps(), model.name, buffer_bound, run.moves, found.claim)
          : check::replay(subject.threads()->program(model), model.name, buffer_bound, run, found.claim);
  replayed.trace.closing = report::closing_words(replayed.trace, replayed.violation);
  return replayed;
}

void accept(core::Verdict& verdict, check::Replayed replayed) {
  verdict.outcome = core::Outcome::Unsafe;
  verdict.reason = {};
  verdict.violation_kind = word_of(replayed.claim);
  verdict.violation = std::move(replayed.violation);
  verdict.place = std::move(replayed.place);
  verdict.trace = std::move(replayed.trace);
  if (replayed.addresses) verdict.assumptions.emplace_back(core::addresses_were_chosen);
}

void add_conditions(const core::Program& program, core::Verdict& verdict) {
  // An engine may have said so of its own run, with what it did not look for.
  const auto said = [&](const std::string& clause) {
    return clause == core::addresses_were_chosen && std::ranges::any_of(verdict.assumptions, [](const std::string& a) {
             return a == core::addresses_were_chosen || a == core::addresses_are_chosen;
           });
  };
  if (verdict.outcome != core::Outcome::Unknown)
    std::ranges::remove_copy_if(program.assumptions(), std::back_inserter(verdict.assumptions), said);
  if (verdict.outcome == core::Outcome::Safe) std::ranges::copy(program.bounds(), std::back_inserter(verdict.bounds));
}

core::Verdict judge(const Subject& subject, const models::Model& model, std::string_view engine, const Task& task,
                    core::Finding finding) {
  core::Verdict verdict;
  verdict.model = model.name;
  verdict.statistics = finding.statistics;
  verdict.statistics.engine = engine;
  verdict.notes = finding.notes;
  if (const core::Found* found = finding.found()) {
    check::Replayed replayed = replay(subject, model, *found, buffer_bound(task));
    if (!replayed.confirmed) {
      verdict.reason = not_believed(replayed.why);
    } else if (core::is_unsupported(replayed.claim.failure)) {
      verdict.reason = {core::Reason::Kind::Unsupported, replayed.violation};
    } else {
      draw(subject, model, task, replayed);
      accept(verdict, std::move(replayed));
    }
  } else {
    core::pronounce(verdict, finding);
    verdict.assumptions = std::move(finding.assumptions);
  }
  verdict.reason.by = engine;
  return verdict;
}

}  // namespace heddle::drive
