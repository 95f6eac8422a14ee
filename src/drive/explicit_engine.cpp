// SPDX-License-Identifier: Apache-2.0
#include "drive/explicit_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/evidence.h"
#include "explore/livelock.h"
#include "explore/product.h"
#include "explore/search.h"
#include "ir/system.h"
#include "lang/cubicle/instance.h"
#include "report/drawing.h"

namespace heddle::drive {

namespace {

explore::SearchOptions search_options(const Task& task, core::Drops& drops) {
  explore::SearchOptions options;
  options.order = *task.order == "dfs"    ? explore::SearchOrder::Depth
                  : *task.order == "cost" ? explore::SearchOrder::Cost
                                          : explore::SearchOrder::Breadth;
  options.reduction = *task.por ? core::Reduction::Safety : core::Reduction::None;
  options.workers = static_cast<unsigned>(std::clamp<std::uint64_t>(*task.workers, 1, 256));
  options.drops = &drops;
  return options;
}

void put_statistics(core::Finding& finding, const explore::SearchResult& result, double seconds) {
  finding.statistics.states = result.states;
  finding.statistics.transitions = result.transitions;
  if (result.levels != 0) finding.statistics.levels = result.levels;
  finding.statistics.bytes = result.bytes;
  finding.statistics.seconds = seconds;
  if (result.found && !result.found->best)
    finding.notes.emplace_back(
        "a limit ended the search for a shorter or less relaxed trace: this one may be longer than needed");
}

// What a search that found nothing is worth.
void conclude(core::Finding& finding, const explore::SearchResult& result, const core::Drops& drops) {
  std::visit(
      [&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
      core::conclude({.drops = &drops, .ended = !result.stopped, .stopped = result.stopped, .seen = result.states}));
}

// A buffer of no places is one that no store ever waits for, and yet not the machine that was asked for.
std::vector<std::string> bounds_of(const core::TransitionSystem& system, const memory::Machine& machine,
                                   unsigned buffer) {
  std::vector<std::string> bounds = system.bounds_reached();
  if (buffer == 0 && machine.has_buffers() && !machine.traits().slots && bounds.empty())
    bounds.emplace_back("buffer 0");
  return bounds;
}

void draw(const Task& task, const models::Model& model, core::Finding& finding, const core::TransitionSystem& system) {
  if (task.drawings == nullptr || !task.draws_states) return;
  const auto scratch = system.make_scratch();
  report::StateGraph drawn = report::state_graph(
      system, [&](core::State state, const core::Move& move) { return system.move_text(state, move, *scratch); });
  if (!drawn.complete) finding.notes.push_back(report::partly_drawn(model.name, finding.found() != nullptr));
  report::fresh_drawing(*task.drawings, std::string(model.name)).states = std::move(drawn);
}

// Was one found? A search for it that did not end is noted.
bool look_for_livelock(core::Finding& finding, const explore::Product& product, core::Budget& budget,
                       core::Drops& drops) {
  const auto fails = [&](core::State state, auto& scratch) { return product.assumption_failed(state, scratch); };
  const explore::LivelockResult result = explore::find_livelock(product, fails, budget);
  finding.statistics.states = result.states;
  finding.statistics.transitions = result.transitions;
  finding.statistics.bytes = result.bytes;
  drops.stopped(core::DropPlace::CycleLimit, result.found ? std::nullopt : result.stopped);
  if (!result.found) return false;
  core::MoveRun run;
  std::vector<core::Move> path = result.stem;
  run.loop_start = product.single_moves(path, core::Reduction::None).size();
  path.insert(path.end(), result.loop.begin(), result.loop.end());
  run.moves = product.single_moves(path, core::Reduction::None);
  finding.what = core::Found{{core::Livelock{}}, std::move(run)};
  return true;
}

core::Finding explore_threads(const core::Program& program, const core::Properties& asked, const models::Model& model,
                              const Task& task, core::Budget& budget) {
  core::Finding finding;
  if (const auto refused = explore::Product::refuse(program, *model.machine)) {
    finding.what = refusal(*refused);
    return finding;
  }
  const core::Race* race = asked.find<core::Race>();
  const bool spurious_cas = *task.spurious_cas == "on";
  const explore::Product product(program, *model.machine,
                                 {.buffer_bound = buffer_bound(task),
                                  .spurious_cas = spurious_cas,
                                  .leaks = asked.has<core::Leak>(),
                                  .deadlocks = asked.has<core::Deadlock>(),
                                  .races = race != nullptr && !race->language_only,
                                  .costs = *task.order == "cost"});
  core::Drops drops(budget.probe);
  explore::SearchOptions options = search_options(task, drops);
  options.deadlocks = asked.has<core::Deadlock>();
  const double begun = budget.elapsed();
  const explore::SearchResult result = explore::search_with_trace(product, options, budget);
  put_statistics(finding, result, budget.elapsed() - begun);
  const bool failed = result.found && result.found->kind != explore::Found::Kind::Deadlock;
  if (failed && core::is_unsupported(product.error_kind(result.found->detail))) {
    // The machine cannot go on here; the program does nothing wrong that could be replayed.
    finding.what = refusal(product.error_text(result.found->detail));
  } else if (result.found) {
    core::Claim claim{core::Deadlock{}};
    if (failed) claim = core::claim_of(product.error_kind(result.found->detail));
    finding.what =
        core::Found{claim, core::MoveRun{product.single_moves(result.found->moves, result.found->reduction)}};
  } else if (result.stopped || !asked.has<core::Livelock>() || !look_for_livelock(finding, product, budget, drops)) {
    conclude(finding, result, drops);
    finding.bounds = bounds_of(product, *model.machine, buffer_bound(task));
  }
  finding.statistics.seconds = budget.elapsed() - begun;
  if (product.met_addresses()) finding.assumptions.emplace_back(core::addresses_are_chosen);
  if (product.met_weak_cas() && !spurious_cas) finding.assumptions.emplace_back(core::weak_cas_succeeds);
  draw(task, model, finding, product);
  return finding;
}

// Another violation in the same program is shown before a leak.
core::Finding leaks_last(const core::Program& program, const core::Properties& asked, const models::Model& model,
                         const Task& task, core::Budget& budget) {
  core::Finding finding = explore_threads(program, asked, model, task, budget);
  if (finding.found() == nullptr || !finding.found()->claim.is<core::Leak>()) return finding;
  core::Finding other = explore_threads(program, asked.without<core::Leak>(), model, task, budget);
  return other.found() != nullptr ? other : finding;
}

core::Claim claim_found(const explore::Found& found, const std::vector<explore::Goal>& goals) {
  using Kind = explore::Found::Kind;
  switch (found.kind) {
    case Kind::StateError:
    case Kind::StepError: return {core::Assertion{}};
    case Kind::Deadlock: return {core::Deadlock{}};
    case Kind::GoalError: return {core::PropositionError{goals[found.detail].proposition}};
    case Kind::Goal: break;
  }
  return {core::StateProposition{goals[found.detail].proposition, goals[found.detail].forbidden_when}};
}

core::Finding explore_steps(const ir::Program& program, const core::Properties& asked, const models::Model& model,
                            const Task& task, core::Budget& budget) {
  core::Finding finding;
  if (const auto refused = ir::System::refuse(program, *model.machine)) {
    finding.what = refusal(*refused);
    return finding;
  }
  core::Drops drops(budget.probe);
  explore::SearchOptions options = search_options(task, drops);
  options.deadlocks = asked.has<core::Deadlock>();
  ir::SystemOptions system_options{.buffer_bound = buffer_bound(task), .visible = {}};
  for (const core::Property& property : asked.list)
    if (const auto* state = std::get_if<core::StateProposition>(&property)) {
      options.goals.push_back({state->proposition, state->forbidden_when});
      system_options.visible.push_back(state->proposition);
    }
  const ir::System system(program, *model.machine, system_options);
  const double begun = budget.elapsed();
  const explore::SearchResult result = explore::search_with_trace(system, options, budget);
  put_statistics(finding, result, budget.elapsed() - begun);
  if (result.found) {
    finding.what = core::Found{claim_found(*result.found, options.goals), core::MoveRun{result.found->moves}};
  } else {
    conclude(finding, result, drops);
    finding.bounds = bounds_of(system, *model.machine, buffer_bound(task));
  }
  finding.notes.insert(finding.notes.end(), program.remarks.begin(), program.remarks.end());
  if (program.property != ir::none)
    finding.notes.push_back(fmt::format("only runs that the property process {} follows were looked at",
                                        program.processes[program.property].name));
  draw(task, model, finding, system);
  return finding;
}

core::ParameterisedRun run_of(const std::vector<core::Move>& moves, const cubicle::Instance& instance,
                              const InstanceOptions& options) {
  core::ParameterisedRun run{.processes = options.processes, .steps = {}, .exact = true, .buffer = options.buffer};
  for (const core::Move& m : moves) {
    if (m.kind == core::Move::Kind::Flush) {
      run.steps.push_back({.flush = true, .process = m.thread, .entry = m.choice});
      continue;
    }
    const cubicle::Instance::Origin& origin = instance.origins[instance.program.processes[m.thread].edges[m.choice]];
    if (origin.transition != cubicle::Instance::Origin::initial)
      run.steps.push_back({.transition = static_cast<std::uint32_t>(origin.transition),
                           .parameters = {origin.parameters.begin(), origin.parameters.end()}});
  }
  return run;
}

}  // namespace

unsigned instance_size(const cubicle::System& system, const Task& task) {
  return static_cast<unsigned>(*task.procs != 0 ? *task.procs : system.number_procs);
}

std::string instance_note(unsigned processes) {
  return fmt::format("an instance of {} process{}: SAFE says nothing of others", processes, processes == 1 ? "" : "es");
}

unsigned buffer_bound(const Task& task) {
  return static_cast<unsigned>(std::min<std::uint64_t>(*task.buffer, 1000000));
}

core::Reason no_instance(const support::Diagnostic& why) {
  return why.limit ? core::Reason{core::Reason::Kind::Reading, why.message} : refusal(why.message);
}

core::Finding explore_instance(const cubicle::System& system, const models::Model& model,
                               const InstanceOptions& options, core::Budget& budget) {
  core::Finding finding;
  const auto instance = cubicle::instantiate(system, options.processes, &budget);
  if (!instance) {
    finding.what = no_instance(instance.error());
    return finding;
  }
  // Without weak names there is no memory to reorder: every model is sc.
  const memory::Machine& machine = system.has_weak() ? *model.machine : *models::machine("sc");
  ir::SystemOptions how;
  how.buffer_bound = options.buffer;
  explore::SearchOptions search;
  search.workers = options.workers;
  core::Drops drops(budget.probe);
  search.drops = &drops;
  for (std::uint32_t u = 0; u < instance->program.propositions.size(); ++u) {
    how.visible.push_back(u);
    search.goals.push_back({u, true});
  }
  const ir::System product(instance->program, machine, how);
  const double begun = budget.elapsed();
  const explore::SearchResult result = explore::search_with_trace(product, search, budget);
  put_statistics(finding, result, budget.elapsed() - begun);
  finding.statistics.more.emplace_back("processes", std::to_string(options.processes));
  finding.statistics.more.emplace_back("initial states", std::to_string(instance->initial_states));
  finding.notes.push_back(instance_note(options.processes));
  if (!system.invariants.empty()) finding.notes.emplace_back("the system's invariant blocks are trusted");
  if (result.found && result.found->kind == explore::Found::Kind::Goal) {
    finding.what = core::Found{{core::UnsafeCube{}}, run_of(result.found->moves, *instance, options)};
  } else if (result.found) {
    finding.what = core::Reason{core::Reason::Kind::Open, "a number leaves -32768 ... 32767, the range of an instance"};
  } else {
    conclude(finding, result, drops);
    finding.bounds = bounds_of(product, machine, options.buffer);
    if (instance->chosen) finding.bounds.emplace_back("the numbers that the text names");
  }
  return finding;
}

std::optional<core::Reason> explicit_refuses(const Subject& subject, const models::Model& model, const Task& task) {
  if (model.machine == nullptr) return refusal(fmt::format("has no model '{}'", model.name));
  if (*task.order == "saturate" || *task.order == "linden-wolper")
    return refusal(fmt::format("does not have --search {}", *task.order));
  for (const auto& [given, option] :
       {std::pair{task.symmetry.given, "--symmetry"}, {task.loop_bound.given, "--loop-bound"}})
    if (given && task.engine.given) return refusal(fmt::format("does not have {}", option));
  if (subject.properties.has<core::Ltl>()) return refusal("looks at finite runs only");
  if (subject.properties.has<core::Liveness>()) return refusal("does not have --property liveness");
  if (subject.properties.has<core::Robust>()) return refusal("does not have --property robust");
  if (subject.arrays() == nullptr && task.certificate.given) return refusal("writes no certificate");
  if (const cubicle::System* system = subject.arrays()) {
    if (instance_size(*system, task) == 0) return refusal("checks one instance: give --procs N");
    if (!task.engine.given && *task.procs == 0) return refusal("checks one instance only");
    for (const auto& [given, option] :
         {std::pair{task.brab.given, "--brab"}, {task.certificate.given, "--certificate"}})
      if (given) return refusal(fmt::format("checks one instance, and {} is about any number of processes", option));
  }
  return std::nullopt;
}

core::Finding run_explicit(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  return explore_finite(subject, subject.properties, model, task, budget);
}

core::Finding explore_finite(const Subject& subject, const core::Properties& asked, const models::Model& model,
                             const Task& task, core::Budget& budget) {
  if (const Threads* threads = subject.threads())
    return leaks_last(threads->program(model), asked, model, task, budget);
  if (const ir::Program* program = subject.steps()) return explore_steps(*program, asked, model, task, budget);
  const cubicle::System& system = *subject.arrays();
  return explore_instance(
      system, model, {instance_size(system, task), buffer_bound(task), static_cast<unsigned>(*task.workers)}, budget);
}

}  // namespace heddle::drive
