// SPDX-License-Identifier: Apache-2.0
#include "drive/ltl_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <variant>

#include "check/lasso_replay.h"
#include "check/thread_lasso.h"
#include "core/evidence.h"
#include "drive/explicit_engine.h"
#include "explore/ltl.h"
#include "explore/product.h"
#include "ir/system.h"
#include "ltl/syntax.h"
#include "ltl/translate.h"

namespace heddle::drive {

namespace {

// The system that a formula is checked on, and its moves as the referee takes them.
class Runs {
 public:
  // `assertions`: of models; otherwise they have been looked for before.
  Runs(const Subject& subject, const Formula& formula, const models::Model& model, const Task& task,
       bool assertions = false) {
    if (const Threads* threads = subject.threads()) {
      product_.emplace(threads->program(model), *model.machine,
                       explore::ProductOptions{.buffer_bound = buffer_bound(task),
                                               .spurious_cas = *task.spurious_cas == "on",
                                               .leaks = false,
                                               .conditions = &threads->conditions(model),
                                               .single_steps = tells_steps(formula)});
      return;
    }
    steps_.emplace(*subject.steps(), *model.machine,
                   ir::SystemOptions{.buffer_bound = buffer_bound(task),
                                     .visible = formula.propositions,
                                     .assertions = assertions,
                                     .ended_runs_stutter = true});
  }

  const core::TransitionSystem& system() const {
    return product_ ? static_cast<const core::TransitionSystem&>(*product_) : *steps_;
  }

  core::Found found(std::uint32_t formula, const explore::Lasso& lasso) const {
    core::MoveRun run{.moves = single(lasso.stem)};
    if (!lasso.loop.empty()) run.loop_start = run.moves.size();
    std::vector<core::Move> all = lasso.stem;
    all.insert(all.end(), lasso.loop.begin(), lasso.loop.end());
    run.moves = single(all);
    return {{core::Ltl{formula}}, std::move(run)};
  }

  std::variant<core::Found, core::Reason> found(const explore::LtlResult::Error& error) const {
    using Kind = explore::LtlResult::Error::Kind;
    core::Claim claim{core::Assertion{}};
    if (error.kind == Kind::Proposition)
      claim = {core::PropositionError{error.proposition}, product_ ? std::string(no_value_word) : ""};
    else if (product_) claim = core::claim_of(product_->error_kind(error.error));
    if (core::is_unsupported(claim.failure)) return refusal(product_->error_text(error.error));
    return core::Found{claim, core::MoveRun{.moves = single(error.moves)}};
  }

 private:
  std::vector<core::Move> single(const std::vector<core::Move>& moves) const {
    return product_ ? product_->single_moves(moves, core::Reduction::None) : moves;
  }
  // An automaton of the user's own may tell one step from two.
  static bool tells_steps(const Formula& formula) { return !formula.sentence || ltl::uses_next(*formula.sentence); }

  std::optional<explore::Product> product_;
  std::optional<ir::System> steps_;
};

// An automaton of the user's own may tell one step from two. Machines with buffers are explored without reduction: one
// that preserves memory fairness is not known to us (random models have violations that ample sets lose). Threads are
// too: what reduces them is meant for machines with buffers.
core::Reduction reduction_for(const Subject& subject, const Formula& formula, const models::Model& model,
                              const Task& task) {
  const bool sound = subject.steps() != nullptr && formula.sentence && !ltl::uses_next(*formula.sentence) &&
                     !formula.process_fairness && !model.machine->has_buffers();
  return sound && *task.por ? core::Reduction::Safety : core::Reduction::None;
}

explore::LtlQuery query_of(const Formula& formula, core::Reduction reduction, const Task& task) {
  return {.violations = formula.violations ? &*formula.violations : nullptr,
          .propositions = formula.propositions,
          .process_fairness = formula.process_fairness,
          .memory_fairness = formula.memory_fairness,
          .reduction = reduction,
          .workers = static_cast<unsigned>(std::clamp<std::uint64_t>(*task.workers, 1, 256))};
}

bool says_fairness_by_formula(const Task& task) { return *task.fairness == "formula"; }

// The violations of V => phi (Havel, section 3.1), where V says of each of the `slots` that it is again and again empty; the
// atoms about slots stand behind those of phi.
std::optional<ltl::Automaton> violations_if_fair(const ltl::Sentence& phi, std::uint32_t slots, core::Budget& budget) {
  ltl::Sentence implied = phi;
  const auto add = [&](ltl::Operator op, std::uint32_t left, std::uint32_t right = 0) {
    implied.nodes.push_back({op, left, right});
    return static_cast<std::uint32_t>(implied.nodes.size() - 1);
  };
  std::uint32_t fair = add(ltl::Operator::True, 0);
  for (std::uint32_t i = 0; i < slots; ++i) {
    const std::uint32_t empty = add(ltl::Operator::Atom, static_cast<std::uint32_t>(implied.atoms.size()));
    implied.atoms.push_back({fmt::format("slot {} is empty", i)});
    fair = add(ltl::Operator::And, fair, add(ltl::Operator::Globally, add(ltl::Operator::Finally, empty)));
  }
  implied.root = add(ltl::Operator::Implies, fair, phi.root);
  return ltl::generalised(implied, {.negated = true, .stop = [&] { return budget.over().has_value(); }});
}

// The search for a run of the system that violates the formula, in either way to say memory fairness.
std::variant<explore::LtlResult, core::Reason> search(const core::TransitionSystem& system, const Formula& formula,
                                                      core::Reduction reduction, const Task& task,
                                                      core::Budget& budget) {
  explore::LtlQuery query = query_of(formula, reduction, task);
  if (!says_fairness_by_formula(task)) return explore::find_violation(system, query, budget);
  const auto violations = violations_if_fair(*formula.sentence, system.memory_sets(), budget);
  if (!violations) {
    if (const auto over = budget.over()) return *over;
    return refusal(
        fmt::format("cannot translate the formula with its {} conditions of memory fairness: it has more than {} "
                    "different right-hand "
                    "sides of U; use --fairness acceptance",
                    system.memory_sets(), ltl::most_marks));
  }
  query.violations = &*violations;
  query.memory_fairness = false;
  query.memory_atoms = true;
  return explore::find_violation(system, query, budget);
}

// A slot that is emptied is seen to be empty; a longer buffer may be flushed again and again and never be. In a commit state
// or atomic section nothing is flushed: a run that ends there with a full slot owes nothing, but V would ask for it.
std::optional<core::Reason> fairness_formula_refuses(const Subject& subject, const models::Model& model) {
  const char* const instead = "; use --fairness acceptance";
  if (subject.steps() == nullptr) return refusal(fmt::format("has --fairness formula for models only{}", instead));
  if (model.machine->has_buffers() && !model.machine->traits().slots)
    return refusal(fmt::format(
        "has --fairness formula only where buffers have one place for each location: under {} a buffer may be flushed "
        "again and again without ever being empty{}",
        model.name, instead));
  if (model.machine->has_buffers() && (subject.steps()->has_commit || subject.steps()->holder != ir::none))
    return refusal(fmt::format("has --fairness formula only without commit states and atomic sections{}", instead));
  for (const Formula& formula : subject.formulas)
    if (!formula.sentence) return refusal(fmt::format("has --fairness formula only for --ltl{}", instead));
  return std::nullopt;
}

// Can the automaton stay in its initial state for ever, whatever the run does? Its product with a system has all of the
// system's states.
bool waits_in_every_run(const ltl::Automaton& automaton) {
  return std::ranges::any_of(automaton.edges[automaton.initial], [&](const ltl::Edge& edge) {
    return edge.label == ltl::all && edge.target == automaton.initial;
  });
}

// A cycle of control states that a process follows without leaving its atomic section.
bool has_loop_in_section(const ir::Program& program) {
  if (program.holder == ir::none) return false;
  return std::ranges::any_of(program.processes, [&](const ir::Process& process) {
    std::vector<std::uint8_t> begun(process.states.size()), done(process.states.size());
    const std::function<bool(std::uint32_t)> closes = [&](std::uint32_t state) {
      if (done[state] != 0 || begun[state] != 0) return done[state] == 0;
      begun[state] = 1;
      const bool found = std::ranges::any_of(process.edges, [&](std::uint32_t number) {
        const ir::Edge& edge = program.edges[number];
        return edge.holds && edge.source == state && closes(edge.target);
      });
      done[state] = 1;
      return found;
    };
    for (std::uint32_t state = 0; state < process.states.size(); ++state)
      if (closes(state)) return true;
    return false;
  });
}

// Without reduction the product of one formula may meet every state and step of the system, and with them every run-time
// error: no search of the system alone is needed. Nothing if it is not so, or if something was found: what goes wrong on
// finite runs is told first, by a shortest run.
std::optional<core::Finding> by_product_alone(const Subject& subject, const models::Model& model, const Task& task,
                                              core::Budget& budget) {
  const core::Properties rest = subject.properties.without<core::Ltl>();
  const bool only_errors = std::ranges::all_of(
      rest.list, [](const core::Property& p) { return std::holds_alternative<core::Assertion>(p); });
  if (*task.por || subject.steps() == nullptr || !only_errors || subject.formulas.size() != 1 ||
      says_fairness_by_formula(task) || task.drawings != nullptr || buffer_bound(task) == 0 ||
      has_loop_in_section(*subject.steps()) || ir::System::refuse(*subject.steps(), *model.machine))
    return std::nullopt;
  const Formula& formula = subject.formulas.front();
  if (!formula.violations || !waits_in_every_run(*formula.violations)) return std::nullopt;
  core::Drops drops(budget.probe);
  const double begun = budget.elapsed();
  const Runs runs(subject, formula, model, task, true);
  const explore::LtlResult result =
      explore::find_violation(runs.system(), query_of(formula, core::Reduction::None, task), budget);
  if (result.lasso || result.error || !result.system_states ||
      drops.stopped(core::DropPlace::CycleLimit, result.stopped))
    return std::nullopt;
  core::Finding finding;
  finding.bounds = runs.system().bounds_reached();
  finding.notes = subject.steps()->remarks;
  finding.statistics.states = result.system_states;
  finding.statistics.bytes = result.bytes;
  finding.statistics.more.emplace_back("product states", std::to_string(result.states));
  finding.statistics.more.emplace_back("product transitions", std::to_string(result.transitions));
  finding.statistics.seconds = budget.elapsed() - begun;
  std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
             core::conclude({.drops = &drops, .ended = true, .stopped = {}, .seen = result.states}));
  return finding;
}

// Runs that stay inside an atomic section for ever are no runs to a formula, which may fail for that only: its letters end
// there. Whether there is one is asked of the automaton of F G inside.
void look_for_endless_sections(const Subject& subject, const models::Model& model, const Task& task,
                               core::Budget& budget, core::Drops& drops) {
  if (subject.steps() == nullptr || !has_loop_in_section(*subject.steps())) return;
  const auto inside = ltl::generalised(*ltl::read_formula("[] <> outside"), {.negated = true, .stop = {}});
  const Runs runs(subject, {}, model, task);
  const explore::LtlResult result =
      explore::find_violation(runs.system(),
                              {.violations = &*inside,
                               .memory_fairness = false,
                               .workers = static_cast<unsigned>(std::clamp<std::uint64_t>(*task.workers, 1, 256)),
                               .sections = true,
                               .errors = false},
                              budget);
  drops.stopped(core::DropPlace::CycleLimit, result.stopped);
  std::string who;
  if (result.lasso && !result.lasso->loop.empty())
    if (const std::uint32_t process = result.lasso->loop.front().thread; process < subject.steps()->processes.size())
      who = subject.steps()->processes[process].name;
  drops.at(core::DropPlace::CycleSection, result.lasso.has_value(), who);
}

std::string violation(const Subject& subject, const Formula& formula, bool ends) {
  const char* run = ends ? "a run that ends" : formula.process_fairness ? "a fair run" : "a run";
  if (formula.sentence) return fmt::format("{} does not satisfy '{}'", run, formula.text);
  if (formula.violations) return fmt::format("the automaton {} accepts {}", formula.text, run);
  const ir::Program& program = *subject.steps();
  return fmt::format("the property process {} accepts {}", program.processes[program.property].name, run);
}

check::Replayed told(check::ReplayedLasso lasso, const core::Claim& claim, std::string violation) {
  if (!lasso.confirmed) return check::not_replayed(lasso.why);
  check::Replayed replayed;
  replayed.confirmed = true;
  replayed.claim = claim;
  replayed.violation = std::move(violation);
  replayed.trace = std::move(lasso.trace);
  replayed.addresses = lasso.addresses;
  return replayed;
}

// Adds to a finding, which has found nothing, what the infinite runs show.
void find_lassos(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget,
                 core::Finding& finding) {
  core::Drops drops(budget.probe);
  const double begun = budget.elapsed();
  std::uint64_t states = 0, transitions = 0;
  bool ended = true;  // every search, by itself
  for (const core::Property& property : subject.properties.list) {
    const auto* asked = std::get_if<core::Ltl>(&property);
    if (asked == nullptr) continue;
    const Formula& formula = subject.formulas[asked->formula];
    const Runs runs(subject, formula, model, task);
    auto searched = search(runs.system(), formula, reduction_for(subject, formula, model, task), task, budget);
    if (auto* const none = std::get_if<core::Reason>(&searched)) {
      finding.what = std::move(*none);
      ended = false;
      break;
    }
    const auto& result = std::get<explore::LtlResult>(searched);
    if (finding.bounds.empty()) finding.bounds = runs.system().bounds_reached();
    states += result.states;
    transitions += result.transitions;
    finding.statistics.bytes = std::max(finding.statistics.bytes.value_or(0), result.bytes);
    if (result.lasso) finding.what = runs.found(asked->formula, *result.lasso);
    else if (result.error)
      std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); }, runs.found(*result.error));
    ended = !result.lasso && !result.error;
    if (!ended || drops.stopped(core::DropPlace::CycleLimit, result.stopped)) break;
  }
  if (ended && states != 0 && !drops.any()) look_for_endless_sections(subject, model, task, budget, drops);
  finding.statistics.more.emplace_back("product states", std::to_string(states));
  finding.statistics.more.emplace_back("product transitions", std::to_string(transitions));
  finding.statistics.seconds += budget.elapsed() - begun;
  if (ended) {
    std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
               core::conclude({.drops = &drops, .ended = true, .stopped = {}, .seen = states}));
  }
}

}  // namespace

std::optional<core::Reason> ltl_refuses(const Subject& subject, const models::Model& model, const Task& task) {
  if (!subject.properties.has<core::Ltl>())
    return refusal(task.ltl.given ? "is not needed: all that --ltl says here is about single states"
                                  : "is for --ltl and --automaton");
  if (subject.arrays() != nullptr) return refusal("does not take programs of this language");
  if (model.machine == nullptr) return refusal(fmt::format("has no model '{}'", model.name));
  if (task.certificate.given) return refusal("writes no certificate");
  if (subject.properties.has<core::Robust>()) return refusal("does not have --property robust");
  if (says_fairness_by_formula(task))
    if (auto refused = fairness_formula_refuses(subject, model)) return refused;
  if (subject.threads() != nullptr) {
    for (const auto& [given, option] :
         {std::pair{task.loop_bound.given, "--loop-bound"}, {task.symmetry.given, "--symmetry"}})
      if (given) return refusal(fmt::format("does not have {}", option));
    if (subject.properties.has<core::Liveness>()) return refusal("does not have --property liveness");
    return std::nullopt;
  }
  if (subject.steps()->property != ir::none)
    for (const Formula& formula : subject.formulas)
      if (formula.violations) return refusal("checks a model with a property process for what that accepts only");
  return std::nullopt;
}

core::Finding run_ltl(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  if (auto whole = by_product_alone(subject, model, task, budget)) return std::move(*whole);
  core::Finding finding = explore_finite(subject, subject.properties.without<core::Ltl>(), model, task, budget);
  if (finding.nothing()) find_lassos(subject, model, task, budget, finding);
  return finding;
}

core::Finding find_any_violation(const Subject& subject, const models::Model& model, const Task& task,
                                 core::Budget& budget) {
  core::Finding lassos;
  find_lassos(subject, model, task, budget, lassos);
  if (!lassos.nothing()) return lassos;
  core::Finding errors = explore_finite(subject, subject.properties.without<core::Ltl>(), model, task, budget);
  if (errors.bounds.empty()) errors.bounds = std::move(lassos.bounds);
  return errors;
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
  const std::string sentence = violation(subject, formula, loop == run.moves.end());
  if (const Threads* threads = subject.threads())
    return told(
        check::replay_lasso(threads->program(model), threads->conditions(model), model.name, buffer_bound, run, said),
        claim, sentence);
  return told(check::replay_lasso(*subject.steps(), std::string(model.name), buffer_bound, {run.moves.begin(), loop},
                                  {loop, run.moves.end()}, said),
              claim, sentence);
}

check::Replayed replay_no_value(const Subject& subject, const models::Model& model, const core::Claim& claim,
                                const core::MoveRun& run, unsigned buffer_bound) {
  const Threads& threads = *subject.threads();
  const std::uint32_t condition = std::get<core::PropositionError>(claim.property).proposition;
  return told(check::replay_no_value(threads.program(model), threads.conditions(model), model.name, buffer_bound, run,
                                     condition),
              claim, "a condition of a temporal formula has no value: an index out of range or a division by zero");
}

}  // namespace heddle::drive
