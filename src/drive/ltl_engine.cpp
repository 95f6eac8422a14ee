// SPDX-License-Identifier: Apache-2.0
#include "drive/ltl_engine.h"

#include <fmt/format.h>

#include "check/lasso_replay.h"
#include "core/evidence.h"
#include "drive/explicit_engine.h"
#include "explore/ltl.h"
#include "ir/system.h"

namespace heddle::drive {

namespace {

core::Found found_lasso(std::uint32_t formula, explore::Lasso lasso) {
  core::MoveRun run{.moves = std::move(lasso.stem)};
  if (!lasso.loop.empty()) run.loop_start = run.moves.size();
  run.moves.insert(run.moves.end(), lasso.loop.begin(), lasso.loop.end());
  return {{core::Ltl{formula}}, std::move(run)};
}

core::Found found_error(explore::LtlResult::Error error) {
  core::Claim claim{core::Assertion{}};
  if (error.kind == explore::LtlResult::Error::Kind::Proposition) claim = {core::PropositionError{error.proposition}};
  return {claim, core::MoveRun{.moves = std::move(error.moves)}};
}

// An automaton of the user's own may tell one step from two. Machines with buffers are explored without reduction: one
// that preserves memory fairness is not known to us (random models have violations that ample sets lose).
core::Reduction reduction_for(const Formula& formula, const models::Model& model, const Task& task) {
  const bool sound = formula.sentence && !ltl::uses_next(*formula.sentence) && !formula.process_fairness &&
                     !model.machine->has_buffers();
  return sound && *task.por ? core::Reduction::Safety : core::Reduction::None;
}

std::string violation(const ir::Program& program, const Formula& formula, bool ends) {
  const char* run = ends ? "a run that ends" : formula.process_fairness ? "a fair run" : "a run";
  if (formula.sentence) return fmt::format("{} does not satisfy '{}'", run, formula.text);
  if (formula.violations) return fmt::format("the automaton {} accepts {}", formula.text, run);
  return fmt::format("the property process {} accepts {}", program.processes[program.property].name, run);
}

}  // namespace

std::optional<core::Reason> ltl_refuses(const Subject& subject, const models::Model& model, const Task&) {
  if (!subject.properties.has<core::Ltl>()) return refusal("is for --ltl and --automaton");
  if (subject.steps() == nullptr) return refusal("has models of modelling languages only");
  if (model.machine == nullptr) return refusal(fmt::format("has no model '{}'", model.name));
  if (subject.steps()->property != ir::none)
    for (const Formula& formula : subject.formulas)
      if (formula.violations) return refusal("checks a model with a property process for what that accepts only");
  return std::nullopt;
}

core::Finding run_ltl(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  const ir::Program& program = *subject.steps();
  const Subject finite{program, subject.properties.without<core::Ltl>(), {}};
  core::Finding finding = run_explicit(finite, model, task, budget);
  if (!finding.nothing()) return finding;
  core::Drops drops(budget.probe);
  const double begun = budget.elapsed();
  std::uint64_t states = 0, transitions = 0;
  for (const core::Property& property : subject.properties.list) {
    const auto* asked = std::get_if<core::Ltl>(&property);
    if (asked == nullptr) continue;
    const Formula& formula = subject.formulas[asked->formula];
    const ir::System system(program, *model.machine,
                            {.buffer_bound = buffer_bound(task),
                             .visible = formula.propositions,
                             .assertions = false,
                             .ended_runs_stutter = true});
    explore::LtlResult result =
        explore::find_violation(system,
                                {.violations = formula.violations ? &*formula.violations : nullptr,
                                 .propositions = formula.propositions,
                                 .process_fairness = formula.process_fairness,
                                 .memory_fairness = formula.memory_fairness,
                                 .reduction = reduction_for(formula, model, task)},
                                budget);
    if (finding.bounds.empty()) finding.bounds = system.bounds_reached();
    states += result.states;
    transitions += result.transitions;
    finding.statistics.bytes = std::max(finding.statistics.bytes.value_or(0), result.bytes);
    if (result.lasso) finding.what = found_lasso(asked->formula, std::move(*result.lasso));
    else if (result.error) finding.what = found_error(std::move(*result.error));
    if (finding.found() != nullptr || drops.stopped(core::DropPlace::CycleLimit, result.stopped)) break;
  }
  finding.statistics.more.emplace_back("product states", std::to_string(states));
  finding.statistics.more.emplace_back("product transitions", std::to_string(transitions));
  finding.statistics.seconds += budget.elapsed() - begun;
  if (finding.found() == nullptr) {
    std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
               core::conclude({.drops = &drops, .ended = true, .stopped = {}, .seen = states}));
  }
  return finding;
}

check::Replayed replay_ltl(const Subject& subject, const models::Model& model, const core::Claim& claim,
                           const core::MoveRun& run, unsigned buffer_bound) {
  const std::uint32_t number = std::get<core::Ltl>(claim.property).formula;
  if (number >= subject.formulas.size()) return check::not_replayed("there is no such formula");
  const Formula& formula = subject.formulas[number];
  const auto loop = run.moves.begin() + static_cast<std::ptrdiff_t>(std::min(run.loop_start, run.moves.size()));
  const check::LassoClaim said{.formula = formula.sentence ? &*formula.sentence : nullptr,
                               .violations = formula.violations ? &*formula.violations : nullptr,
                               .propositions = formula.propositions,
                               .process_fairness = formula.process_fairness,
                               .memory_fairness = formula.memory_fairness};
  check::ReplayedLasso lasso = check::replay_lasso(*subject.steps(), std::string(model.name), buffer_bound,
                                                   {run.moves.begin(), loop}, {loop, run.moves.end()}, said);
  if (!lasso.confirmed) return check::not_replayed(lasso.why);
  check::Replayed replayed;
  replayed.confirmed = true;
  replayed.claim = claim;
  replayed.violation = violation(*subject.steps(), formula, loop == run.moves.end());
  replayed.trace = std::move(lasso.trace);
  return replayed;
}

}  // namespace heddle::drive
