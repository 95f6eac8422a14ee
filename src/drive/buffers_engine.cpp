// SPDX-License-Identifier: Apache-2.0
#include "drive/buffers_engine.h"

#include <fmt/format.h>

#include "buffers/attacks.h"
#include "buffers/linden_wolper.h"
#include "buffers/saturate.h"
#include "check/ir_replay.h"
#include "core/evidence.h"
#include "drive/buffers_threads.h"
#include "drive/explicit_engine.h"
#include "drive/portfolio.h"
#include "lang/cubicle/instance.h"

namespace heddle::drive {

namespace {

constexpr unsigned longest_buffer = 64;
constexpr std::uint64_t soon = 200'000;  // explicit states

std::optional<ir::StoreOrder> order_of(const models::Model& model) {
  if (model.machine == nullptr || !model.machine->has_buffers() || model.machine->defers_loads()) return std::nullopt;
  const memory::Traits traits = model.machine->traits();
  if (traits.slots) return std::nullopt;
  if (traits.fifo) return ir::StoreOrder::Program;
  return traits.by_location ? std::optional(ir::StoreOrder::Location) : std::nullopt;
}

buffers::Question question_of(const core::Properties& asked, ir::StoreOrder order) {
  buffers::Question question;
  question.order = order;
  question.deadlocks = asked.has<core::Deadlock>();
  for (const core::Property& property : asked.list)
    if (const auto* state = std::get_if<core::StateProposition>(&property))
      question.goals.push_back({state->proposition, state->forbidden_when});
  return question;
}

// A run that shows it, with buffers as short as possible.
core::Finding shortest_run(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  core::Finding finding;
  for (unsigned bound = 1; bound <= longest_buffer; ++bound) {
    Task bounded = task;
    bounded.buffer.set(bound);
    bounded.drawings = nullptr;
    finding = run_explicit(subject, model, bounded, budget);
    if (finding.found() != nullptr || finding.stopped() != nullptr) return finding;
  }
  finding.what =
      core::Reason{core::Reason::Kind::Unconfirmed,
                   fmt::format("a violation was found that needs buffers of more than {} stores", longest_buffer)};
  return finding;
}

// What the answer is about.
core::Claim claimed(const buffers::Answer& answer, const buffers::Question& question) {
  if (answer.deadlock) return {core::Deadlock{}};
  if (!answer.goal) return {core::Assertion{}};
  const buffers::Question::Goal& goal = question.goals[*answer.goal];
  return {core::StateProposition{goal.proposition, goal.forbidden_when}};
}

// Is the run about what the answer is about? The search for a short one takes the first violation that it comes to.
bool shows(const core::Finding& finding, const core::Claim& claim) {
  const core::Found* found = finding.found();
  if (found == nullptr || found->claim.property.index() != claim.property.index()) return false;
  const auto* shown = std::get_if<core::StateProposition>(&found->claim.property);
  return shown == nullptr || shown->proposition == std::get<core::StateProposition>(claim.property).proposition;
}

core::Finding run_to(const buffers::Answer& answer, const buffers::Question& question, const Subject& subject,
                     const models::Model& model, const Task& task, core::Budget& budget) {
  const core::Claim claim = claimed(answer, question);
  std::optional<std::vector<core::Move>> run;
  if (!answer.run.empty() && check::replay(*subject.steps(), model.name, longest_buffer, answer.run, claim).confirmed)
    run = answer.run;
  return shown_run(run, claim, subject, model, task, budget);
}

bool is_papers_search(const Task& task) { return *task.order == "linden-wolper"; }

// With what table 2 of the paper has of a search.
core::Finding tell_paper(const buffers::LindenWolperAnswer& paper, core::Finding finding, double seconds) {
  finding.statistics = {};
  finding.statistics.states = paper.stored;
  finding.statistics.transitions = paper.transitions;
  finding.statistics.seconds = seconds;
  for (const auto& [name, count] : {std::pair{"visited", paper.visited},
                                    {"depth", paper.depth},
                                    {"errors", paper.errors},
                                    {"accelerated cycles", paper.cycles}})
    finding.statistics.more.emplace_back(name, std::to_string(count));
  finding.notes.push_back(fmt::format("linden-wolper: {} states stored, {} visited, depth {}, {} errors", paper.stored,
                                      paper.visited, paper.depth, paper.errors));
  return finding;
}

}  // namespace

core::Finding shown_run(const std::optional<std::vector<core::Move>>& run, const core::Claim& claim,
                        const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  if (!run) return shortest_run(subject, model, task, budget);
  const auto part = fair_share(budget, 2);
  part->max_states = std::min(part->max_states, soon);
  core::Finding finding = shortest_run(subject, model, task, *part);
  if (finding.found() != nullptr) return finding;
  finding = {};
  finding.what = core::Found{claim, core::MoveRun{*run}};
  finding.notes.push_back("this run was found with symbolic states: it may be longer than needed");
  return finding;
}

std::string approximate_proof(const buffers::Answer& answer) {
  const bool split = answer.proof.order == ir::StoreOrder::Location;
  return fmt::format(
      "proved by an over-approximation of the buffers{}: all contents that look right through windows of {}",
      split ? ", one automaton for each process and location" : "",
      answer.window == 1 ? "one store" : fmt::format("{} stores", answer.window));
}

namespace {

// Robustness, by attacks of one process.
core::Finding search_attacks(const ir::Program& program, core::Budget& budget) {
  const double begun = budget.elapsed();
  buffers::AttackAnswer answer = buffers::find_attack(program, budget);
  core::Finding finding;
  if (!answer.run.empty()) {
    finding.what = core::Found{{core::Robust{}}, core::MoveRun{std::move(answer.run)}};
  } else {
    core::Drops drops(budget.probe);
    drops.stopped(core::DropPlace::SearchLimit, answer.stopped);
    std::visit(
        [&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
        core::conclude({.drops = &drops, .ended = !answer.stopped, .stopped = answer.stopped, .seen = answer.states}));
  }
  finding.statistics.states = answer.states;
  finding.statistics.seconds = budget.elapsed() - begun;
  return finding;
}

}  // namespace

Subject steps_of(const cubicle::Instance& instance) {
  Subject subject{instance.program, {}};
  for (std::uint32_t u = 0; u < instance.program.propositions.size(); ++u)
    subject.properties.list.emplace_back(core::StateProposition{u, true});
  return subject;
}

namespace {

std::optional<core::Reason> refuses_instance(const cubicle::System& system, ir::StoreOrder order, const Task& task) {
  const unsigned processes = instance_size(system, task);
  if (!task.engine.given || processes == 0) return refusal("takes an instance, with --engine buffers and --procs N");
  if (!system.has_weak()) return refusal("does not take this system: it has no weak names, and so no buffers");
  if (task.buffer.given) return refusal("has buffers without a bound: --buffer is about explicit states");
  if (task.brab.given) return refusal("takes one instance, and --brab is about any number of processes");
  const auto instance = cubicle::instantiate(system, processes);
  if (!instance) return refusal(instance.error().message);
  if (instance->program.has_commit) return refusal("does not take this system: it has several initial states");
  const Subject steps = steps_of(*instance);
  if (const auto why = buffers::refuse(*steps.steps(), question_of(steps.properties, order)))
    return refusal("does not take this instance: " + *why);
  return std::nullopt;
}

// A run is one of explicit states, with the shortest buffers that allow it.
core::Finding instance_run(const cubicle::System& system, const models::Model& model, const Task& task,
                           core::Budget& budget) {
  core::Finding finding;
  for (unsigned bound = 1; bound <= longest_buffer; ++bound) {
    finding = explore_instance(system, model, {instance_size(system, task), bound}, budget);
    if (finding.found() != nullptr || finding.stopped() != nullptr) return finding;
  }
  finding.what = core::Reason{core::Reason::Kind::Unconfirmed, "a violation was found that needs longer buffers"};
  return finding;
}

core::Finding decide_instance(const cubicle::System& system, const models::Model& model, const Task& task,
                              core::Budget& budget) {
  const double begun = budget.elapsed();
  const auto instance = cubicle::instantiate(system, instance_size(system, task), &budget);
  if (!instance) {
    core::Finding finding;
    finding.what = no_instance(instance.error());
    return finding;
  }
  const Subject steps = steps_of(*instance);
  buffers::Answer answer = buffers::decide(*steps.steps(), question_of(steps.properties, *order_of(model)), budget);
  if (answer.kind == buffers::Answer::Kind::Violated && answer.goal) return instance_run(system, model, task, budget);
  if (answer.kind == buffers::Answer::Kind::Violated)
    answer.stopped =
        core::Reason{core::Reason::Kind::Open, "a number leaves -32768 ... 32767, the range of an instance"};
  if (answer.kind == buffers::Answer::Kind::Holds) {
    const auto checked =
        check::check_buffer_sets(*steps.steps(), answer.proof, drive::claim_of(steps.properties), budget);
    if (checked.stopped) answer.stopped = checked.stopped;
    else if (!checked.verified) answer.stopped = core::internal_error("the proof is not certified: " + checked.why);
  }
  core::Finding finding;
  core::Drops drops(budget.probe);
  drops.stopped(core::DropPlace::SearchLimit, answer.stopped);
  std::visit(
      [&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
      core::conclude({.drops = &drops, .ended = !answer.stopped, .stopped = answer.stopped, .seen = answer.stored}));
  finding.notes.push_back(instance_note(instance_size(system, task)));
  if (!answer.stopped && answer.window != 0) finding.notes.push_back(approximate_proof(answer));
  if (!answer.stopped) finding.certificate = ir::certificate_text(*steps.steps(), answer.proof);
  if (instance->chosen) finding.bounds.emplace_back("the numbers that the text names");
  finding.statistics.states = answer.stored;
  finding.statistics.transitions = answer.expanded;
  finding.statistics.seconds = budget.elapsed() - begun;
  return finding;
}

}  // namespace

std::string_view model_of(ir::StoreOrder order) {
  for (const models::Model& model : models::all())
    if (order_of(model) == order) return model.name;
  return {};
}

check::BufferClaim claim_of(const core::Properties& asked) {
  check::BufferClaim claim;
  claim.deadlocks = asked.has<core::Deadlock>();
  for (const core::Property& property : asked.list)
    if (const auto* state = std::get_if<core::StateProposition>(&property))
      claim.goals.push_back({state->proposition, state->forbidden_when});
  return claim;
}

std::optional<core::Reason> buffers_refuses(const Subject& subject, const models::Model& model, const Task& task) {
  const auto order = order_of(model);
  if (!order) return refusal(fmt::format("has no model '{}'", model.name));
  if (subject.arrays() != nullptr) return refuses_instance(*subject.arrays(), *order, task);
  if (task.buffer.given) return refusal("has buffers without a bound: --buffer is about explicit states");
  if (subject.threads() != nullptr) return buffers_refuses_threads(subject, task);
  if (subject.properties.has<core::Robust>()) {
    if (*order != ir::StoreOrder::Program)
      return refusal(
          "has --property robust under tso only: under pso stores overtake stores, too, and delaying those of one "
          "process "
          "up to one load is no exact test; ask for what must not happen (--reach, --invariant), or for robust under "
          "tso");
    if (task.certificate.given || task.check_certificate.given)
      return refusal("has no certificates for --property robust");
  }
  if (subject.properties.has<core::Ltl>())
    return refusal(
        "has no LTL: over unbounded buffers it is undecidable; --engine ltl checks it with buffers of --buffer N");
  if (const auto why = buffers::refuse(*subject.steps(), question_of(subject.properties, *order)))
    return refusal("does not take this model: " + *why);
  if (is_papers_search(task) && !subject.properties.has<core::Robust>())
    if (const auto why = buffers::refuse_linden_wolper(*subject.steps(), question_of(subject.properties, *order)))
      return refusal("does not take this with --search linden-wolper: " + *why);
  return std::nullopt;
}

core::Finding run_buffers(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  if (subject.arrays() != nullptr) return decide_instance(*subject.arrays(), model, task, budget);
  if (subject.threads() != nullptr) return run_buffers_threads(subject, model, *order_of(model), task, budget);
  const ir::Program& program = *subject.steps();
  if (subject.properties.has<core::Robust>()) {
    core::Finding finding = search_attacks(program, budget);
    const core::Properties rest = subject.properties.without<core::Robust>();
    if (!finding.nothing() || rest.list.empty()) return finding;
    return run_buffers({program, rest, {}, {}}, model, task, budget);
  }
  const double begun = budget.elapsed();
  std::optional<buffers::LindenWolperAnswer> paper;
  if (is_papers_search(task)) {
    paper = buffers::linden_wolper(program, question_of(subject.properties, *order_of(model)), {}, budget);
    if (paper->stopped) return tell_paper(*paper, {*paper->stopped}, budget.elapsed() - begun);
  }
  buffers::Answer answer = buffers::decide(program, question_of(subject.properties, *order_of(model)), budget);
  core::Finding finding;
  if (answer.kind == buffers::Answer::Kind::Violated) {
    finding = run_to(answer, question_of(subject.properties, *order_of(model)), subject, model, task, budget);
    if (shows(finding, claimed(answer, question_of(subject.properties, *order_of(model)))))
      for (const buffers::Answer::Contents& c : answer.contents) {
        const ir::Process& process = program.processes[c.process];
        finding.notes.push_back(fmt::format("there, with {} in {}, its buffer may hold {}", process.name,
                                            process.states[c.control].name, c.expression));
      }
  } else {
    core::Drops drops(budget.probe);
    drops.stopped(core::DropPlace::SearchLimit, answer.stopped);
    // A proof counts when check/ has certified it with automata of its own.
    if (answer.kind == buffers::Answer::Kind::Holds) {
      const auto checked = check::check_buffer_sets(program, answer.proof, claim_of(subject.properties), budget);
      if (checked.verified) finding.certificate = ir::certificate_text(program, answer.proof);
      else if (checked.stopped) answer.stopped = checked.stopped;
      else answer.stopped = core::internal_error("the proof is not certified: " + checked.why);
    }
    std::visit(
        [&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
        core::conclude({.drops = &drops, .ended = !answer.stopped, .stopped = answer.stopped, .seen = answer.stored}));
    if (answer.stopped) finding.certificate.clear();
    else if (answer.window != 0) finding.notes.push_back(approximate_proof(answer));
  }
  // The states of the paper's search are not closed one by one, since sleep sets leave transitions out: a proof is that
  // of saturation, and both must agree.
  if (paper && answer.kind != buffers::Answer::Kind::Unknown &&
      (paper->errors != 0) != (answer.kind == buffers::Answer::Kind::Violated))
    finding.what = core::internal_error("both searches over buffer languages disagree");
  if (paper) return tell_paper(*paper, std::move(finding), budget.elapsed() - begun);
  finding.statistics.states = answer.stored;
  finding.statistics.transitions = answer.expanded;
  finding.statistics.seconds = budget.elapsed() - begun;
  finding.statistics.more.emplace_back("automata", std::to_string(answer.automata));
  finding.statistics.more.emplace_back("largest automaton", std::to_string(answer.largest));
  return finding;
}

}  // namespace heddle::drive
