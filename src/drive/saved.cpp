// SPDX-License-Identifier: Apache-2.0
#include "drive/saved.h"

#include <fmt/format.h>

#include <algorithm>

#include "array/system.h"
#include "check/buffer_certificate.h"
#include "check/cubicle_certificate.h"
#include "core/evidence.h"
#include "core/input.h"
#include "drive/buffers_engine.h"
#include "drive/buffers_threads.h"
#include "drive/cubes_engine.h"
#include "drive/explicit_engine.h"
#include "drive/ltl_engine.h"
#include "drive/referee.h"
#include "lang/cubicle/instance.h"
#include "report/json.h"

namespace heddle::drive {

namespace {

// The verdicts of the report that have a trace, of the models that were named (--model) if some were.
support::Result<std::vector<core::Verdict>> saved_traces(const Task& task, core::Budget& budget) {
  const std::string& file = *task.replay;
  const auto text = core::read_input(file, &budget, core::largest_report);
  if (!text) return text.error();
  auto saved = report::read_json(*text, file);
  if (!saved) return saved.error();
  std::vector<core::Verdict> verdicts;
  for (core::Verdict& verdict : saved->verdicts)
    if (verdict.trace && (!task.models.given || std::ranges::find(*task.models, verdict.model) != task.models->end()))
      verdicts.push_back(std::move(verdict));
  if (verdicts.empty())
    return support::Diagnostic{file,
                               0,
                               0,
                               task.models.given ? "there is no trace under that memory model in this report"
                                                 : "there is no trace in this report",
                               "",
                               "replay a report of an UNSAFE verdict"};
  return verdicts;
}

// The run of a saved trace, in the form that the subject has.
std::variant<core::MoveRun, core::ExecutionWitness, core::ParameterisedRun> run_of(const Subject& subject,
                                                                                   const core::Trace& trace) {
  if (subject.arrays() == nullptr) {
    if (trace.execution) return *trace.execution;
    core::MoveRun run{.moves = {}, .loop_start = trace.loop_start};
    for (const core::TraceStep& step : trace.steps) run.moves.push_back(step.move);
    return run;
  }
  core::ParameterisedRun run{
      .processes = trace.processes, .exact = true, .buffer = static_cast<unsigned>(trace.steps.size()) + 1};
  for (const core::TraceStep& s : trace.steps) {
    if (s.move.kind == core::Move::Kind::Flush)
      run.steps.push_back({.flush = true, .process = s.move.thread, .entry = s.move.choice});
    else run.steps.push_back({.transition = s.move.choice, .parameters = s.parameters});
  }
  return run;
}

// What the report may mean by its word. Propositions are known by number only: any of those given may be meant.
std::vector<core::Claim> claims_of(const Subject& subject, const core::Verdict& old) {
  const core::Claim said =
      core::claim_of(old.violation_kind, old.trace->execution ? old.trace->execution->failed : core::Claim::no_thread);
  std::vector<core::Claim> claims;
  if (subject.steps() == nullptr && !said.is<core::Ltl>()) {
    for (const Formula& formula : subject.formulas)
      for (const std::uint32_t p : formula.propositions)
        if (said.failure == no_value_word) claims.push_back({core::PropositionError{p}, said.failure});
    return claims.empty() ? std::vector{said} : claims;
  }
  if (said.is<core::Deadlock>() || said.is<core::Assertion>() || said.is<core::Robust>()) claims.push_back(said);
  for (const core::Property& property : subject.properties.list)
    if (said.is<core::Ltl>() && std::holds_alternative<core::Ltl>(property)) claims.push_back({property});
    else if (const auto* state = std::get_if<core::StateProposition>(&property)) {
      if (said.is<core::StateProposition>()) claims.push_back({*state});
      if (said.is<core::Assertion>()) claims.push_back({core::PropositionError{state->proposition}, said.failure});
    }
  return claims;
}

support::Diagnostic diverges(const std::string& file, const core::Verdict& saved, const std::string& why) {
  return {file,
          0,
          0,
          fmt::format("the trace under {} does not lead to its violation ({}) any more: {}", saved.model,
                      saved.violation_kind, why),
          "",
          "the sources or the options differ from those of the report"};
}

}  // namespace

check::Replayed replay_verdict(const Subject& subject, const models::Model& model, const core::Verdict& saved,
                               unsigned buffer_bound) {
  if (saved.trace->model != model.name) return check::not_replayed("its trace is one under " + saved.trace->model);
  if (saved.trace->execution && subject.steps() != nullptr &&
      ir::AsThreads::refuse(*subject.steps(), model.machine->has_buffers()))
    return check::not_replayed("it is an execution graph, which this model has none of");
  check::Replayed replayed =
      check::not_replayed("its property is not among those given (repeat --reach or --invariant)");
  for (const core::Claim& claim : claims_of(subject, saved)) {
    replayed = replay(subject, model, {claim, run_of(subject, *saved.trace)}, buffer_bound);
    if (replayed.confirmed) break;
  }
  return replayed;
}

support::Result<std::vector<core::Verdict>> replay_saved(const Language& language, Subject& subject, const Task& task,
                                                         core::Budget& budget) {
  const auto saved = saved_traces(task, budget);
  if (!saved) return saved.error();
  const std::vector<std::string> known = split(language.models, ',');
  std::vector<core::Verdict> verdicts;
  for (const core::Verdict& old : *saved) {
    const models::Model* model = models::find(old.model);
    if (model == nullptr || std::ranges::find(known, old.model) == known.end())
      return support::Diagnostic{*task.replay,
                                 0,
                                 0,
                                 fmt::format("there is no model '{}' for {}", old.model, language.name),
                                 "",
                                 "`heddle models` lists them"};
    if (Threads* threads = subject.threads())
      if (const auto program = threads->prepare(*model); !program) return program.error();
    core::Verdict verdict;
    verdict.model = old.model;
    verdict.statistics.engine = "replay";
    check::Replayed replayed = replay_verdict(subject, *model, old, buffer_bound(task));
    if (!replayed.confirmed) return diverges(*task.replay, old, replayed.why.text);
    if (core::is_unsupported(replayed.claim.failure))
      return diverges(*task.replay, old, replayed.violation + ", which is no violation of the program's");
    if (replayed.spurious && !weak_cas_may_fail(*model, task))
      return diverges(*task.replay, old, "a weak compare-exchange fails spuriously in it, which --spurious-cas allows");
    accept(verdict, std::move(replayed));
    if (task.decided) task.decided(verdict);
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

namespace {

// Symbolic states of store buffers, as a proof for a model of steps.
support::Result<std::vector<core::Verdict>> recheck_buffers(const Subject& subject, const Task& task,
                                                            const std::string& text, core::Budget& budget) {
  const auto sets = ir::parse_certificate(*subject.steps(), text, *task.check_certificate);
  if (!sets) return sets.error();
  core::Verdict verdict;
  verdict.model = model_of(sets->order);
  Task unbounded = task;
  unbounded.buffer = {};
  if (const auto refused = buffers_refuses(subject, *models::find(verdict.model), unbounded))
    return support::Diagnostic{
        *task.check_certificate,
        0,
        0,
        "no certificate of this kind is about this question: the buffers engine " + refused->text,
        "",
        ""};
  if (task.models.given && std::ranges::find(*task.models, verdict.model) == task.models->end())
    return support::Diagnostic{*task.check_certificate,
                               0,
                               0,
                               fmt::format("this certificate is about {}", verdict.model),
                               "",
                               "a proof about one model is none about another"};
  const double begun = budget.elapsed();
  const check::BufferCertificateCheck checked =
      check::check_buffer_sets(*subject.steps(), *sets, claim_of(subject.properties), budget);
  core::Finding finding;
  finding.statistics.states = sets->states.size();
  finding.statistics.seconds = budget.elapsed() - begun;
  std::optional<core::Reason> why = checked.stopped;
  if (!checked.verified && !why)
    why = core::Reason{core::Reason::Kind::Open, "the certificate does not hold: " + checked.why};
  std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
             core::conclude({.ended = checked.verified, .stopped = why, .seen = sets->states.size()}));
  verdict.statistics = finding.statistics;
  verdict.statistics.engine = "certificate";
  core::pronounce(verdict, finding);
  return std::vector<core::Verdict>{verdict};
}

// The same for an instance of an array-based system.
support::Result<std::vector<core::Verdict>> recheck_instance(const cubicle::System& system, const Task& task,
                                                             const std::string& text, core::Budget& budget) {
  if (instance_size(system, task) == 0)
    return support::Diagnostic{*task.check_certificate,
                               0,
                               0,
                               "this certificate is about one instance",
                               "",
                               "give --procs N as when it was written"};
  const auto instance = cubicle::instantiate(system, instance_size(system, task), &budget);
  if (!instance) return instance.error();
  auto verdicts = recheck_buffers(steps_of(*instance), task, text, budget);
  if (!verdicts) return verdicts;
  for (core::Verdict& verdict : *verdicts) {
    if (instance->chosen) verdict.bounds.emplace_back("the numbers that the text names");
    verdict.notes.push_back(instance_note(instance_size(system, task)));
  }
  return verdicts;
}

}  // namespace

support::Result<std::vector<core::Verdict>> recheck_certificate(Subject& subject, const Task& task,
                                                                core::Budget& budget) {
  const std::string& file = *task.check_certificate;
  const auto text = core::read_input(file, &budget, core::largest_report);
  if (!text) return text.error();
  if (subject.steps() != nullptr) return recheck_buffers(subject, task, *text, budget);
  if (subject.threads() != nullptr) return recheck_threads(subject, task, *text, budget);
  const cubicle::System& system = *subject.arrays();
  if (ir::is_certificate(*text)) return recheck_instance(system, task, *text, budget);
  // A proof about one model is none about another.
  const std::vector<std::string>& about = task.require->empty() && task.models.given ? *task.models : *task.require;
  const auto verdict = recheck_cubes(system, {*text, file}, about, budget);
  if (!verdict) return verdict.error();
  return std::vector<core::Verdict>{*verdict};
}

support::Result<core::Verdict> recheck_cubes(const cubicle::System& system, const SavedText& saved,
                                             const std::vector<std::string>& about, core::Budget& budget) {
  const auto compiled = array::compile(system);
  if (!compiled) return compiled.error();
  const double begun = budget.elapsed();
  const check::CertificateCheck checked = check::check_certificate(*compiled, saved.text, budget, about);
  if (checked.malformed) {
    support::Diagnostic d{saved.file, checked.line, 0, checked.reason, "", "--certificate FILE writes one"};
    d.source_line = std::string(support::line_of(saved.text, checked.line));
    return d;
  }
  core::Finding finding;
  finding.statistics.states = checked.cubes;
  finding.statistics.transitions = checked.preimages;
  finding.statistics.seconds = budget.elapsed() - begun;
  const core::Reason why{checked.stopped ? core::Reason::Kind::TimeLimit : core::Reason::Kind::Open,
                         checked.stopped ? checked.reason : "the certificate does not hold: " + checked.reason};
  std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
             core::conclude({.ended = checked.valid,
                             .stopped = checked.valid ? std::nullopt : std::optional(why),
                             .seen = checked.cubes + system.unsafe.size()}));
  core::Verdict verdict;
  verdict.model = checked.model;
  verdict.statistics = finding.statistics;
  verdict.statistics.engine = "certificate";
  verdict.notes = remarks_on(system);
  core::pronounce(verdict, finding);
  return verdict;
}

}  // namespace heddle::drive
