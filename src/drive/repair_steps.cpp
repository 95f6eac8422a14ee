// SPDX-License-Identifier: Apache-2.0
#include "drive/repair_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "drive/explicit_engine.h"
#include "drive/ltl_engine.h"
#include "drive/portfolio.h"
#include "drive/referee.h"
#include "repair/ir_places.h"

namespace heddle::drive {

namespace {

core::Finding search(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  const auto run = subject.properties.has<core::Ltl>() ? run_ltl : run_explicit;
  return run(subject, model, task, budget);
}

// Repaired is what a check of the chosen set has concluded.
core::Outcome outcome_of(repair::Synthesis::Outcome outcome) {
  switch (outcome) {
    case repair::Synthesis::Outcome::Repaired: return core::Outcome::Safe;
    case repair::Synthesis::Outcome::Hopeless: return core::Outcome::Unsafe;
    case repair::Synthesis::Outcome::Unknown: break;
  }
  return core::Outcome::Unknown;
}

class Repairer {
 public:
  Repairer(const Subject& subject, const models::Model& model, const Task& task, const RepairOptions& options,
           core::Budget& budget)
      : subject_(subject),
        model_(model),
        task_(task),
        options_(options),
        budget_(budget),
        places_(repair::ir_places(*subject.steps(), {options.atomic, options.fence})) {}

  Repair run() {
    Repair result;
    result.model = model_.name;
    const auto refused = subject_.properties.has<core::Ltl>() ? ltl_refuses(subject_, model_, task_)
                                                              : explicit_refuses(subject_, model_, task_);
    if (refused) {
      result.summary = "UNKNOWN: nothing checks this: " + refused->text;
      return result;
    }
    if (wrong_already(result)) return result;
    const repair::IrRepair how{
        *subject_.steps(),
        places_,
        std::string(model_.name),
        buffer_bound(task_),
        [this](const ir::Program& program) { return ask(program); },
        [this](const ir::Program& program, const repair::WrongRun& run) { return replayed(program, run).confirmed; }};
    const repair::Synthesis found =
        repair::synthesise(std::vector<std::uint64_t>(places_.size(), 1),
                           [&](const repair::Elements& candidate) { return repair::check_candidate(how, candidate); },
                           {.all = options_.all, .start = {}});
    tell(found, result);
    return result;
  }

 private:
  // Nothing that is said about memory helps a program that is wrong without it.
  bool wrong_already(Repair& result) {
    const models::Model& sc = *models::find("sc");
    core::Finding finding = search(subject_, sc, task_, budget_);
    if (finding.nothing()) return false;
    if (finding.found() == nullptr) {
      result.summary = "UNKNOWN: " + finding.stopped()->text + " while it was checked under sc";
      return true;
    }
    const check::Replayed shown = replay(subject_, sc, *finding.found(), buffer_bound(task_));
    result.outcome = core::Outcome::Unsafe;
    result.summary = "is wrong under sc already: " + shown.violation;
    return true;
  }

  Subject with(const ir::Program& program) const { return {program, subject_.properties, subject_.formulas}; }

  repair::IrAnswer ask(const ir::Program& program) {
    core::Finding finding = search(with(program), model_, task_, budget_);
    bounds_ = finding.bounds;
    if (finding.nothing()) return {repair::Answer::Kind::Safe, {}, {}};
    const core::Found* found = finding.found();
    if (found == nullptr) return {repair::Answer::Kind::Unknown, *finding.stopped(), {}};
    claim_ = found->claim;
    const auto& run = std::get<core::MoveRun>(found->run);
    const auto loop = run.moves.begin() + static_cast<std::ptrdiff_t>(std::min(run.loop_start, run.moves.size()));
    repair::WrongRun wrong{{run.moves.begin(), loop}, {loop, run.moves.end()}};
    const check::Replayed shown = replayed(program, wrong);
    if (!shown.confirmed) return {repair::Answer::Kind::Unknown, core::internal_error(shown.why.text), {}};
    violation_ = shown.violation;
    return {repair::Answer::Kind::Unsafe, {}, std::move(wrong)};
  }

  check::Replayed replayed(const ir::Program& program, const repair::WrongRun& wrong) const {
    core::MoveRun run{.moves = wrong.moves};
    if (!wrong.loop.empty()) run.loop_start = run.moves.size();
    run.moves.insert(run.moves.end(), wrong.loop.begin(), wrong.loop.end());
    return replay(with(program), model_, {claim_, std::move(run)}, buffer_bound(task_));
  }

  std::string text_of(const repair::Elements& chosen) const {
    std::string text;
    for (const std::uint32_t i : chosen) text += places_[i].name + "\n";
    return text;
  }

  std::string line_of(std::uint32_t i) const {
    const ir::Program& program = *subject_.steps();
    const core::Site site = program.edges[places_[i].edge].site;
    if (site >= program.sites.size()) return places_[i].name;
    return fmt::format("{}:{}: {}", program.sites[site].file, program.sites[site].line, places_[i].name);
  }

  void tell(const repair::Synthesis& found, Repair& result) {
    const char* const what = !options_.fence ? "atomic write" : !options_.atomic ? "fence" : "change";
    const auto so_many = [&](std::uint64_t n) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
    const std::string bound = bounds_.empty() ? "" : fmt::format(", up to {}", fmt::join(bounds_, ", "));
    result.outcome = outcome_of(found.outcome);
    switch (found.outcome) {
      case repair::Synthesis::Outcome::Unknown:
        result.summary = fmt::format("UNKNOWN: {}; at least {} {} needed ({} checks)", found.reason.text,
                                     so_many(found.cost), found.cost == 1 ? "is" : "are", found.checks);
        return;
      case repair::Synthesis::Outcome::Hopeless:
        result.summary = fmt::format("no {} helps: {}", what, violation_);
        return;
      case repair::Synthesis::Outcome::Repaired: break;
    }
    if (found.chosen.empty()) {
      result.summary = "is safe as it is" + bound;
      return;
    }
    result.summary = fmt::format("safe{} with {} of {} possible, and with no fewer ({} checks)", bound,
                                 so_many(found.cost), places_.size(), found.checks);
    std::vector<std::uint32_t> atoms;
    bool uses_next = false;
    for (const Formula& formula : subject_.formulas) {
      atoms.insert(atoms.end(), formula.propositions.begin(), formula.propositions.end());
      uses_next |= formula.sentence && ltl::uses_next(*formula.sentence);
    }
    if (const auto why = repair::not_monotone(*subject_.steps(), places_, atoms, uses_next))
      result.summary =
          fmt::format("safe{} with {} of {} possible ({} checks); whether fewer are enough is not known: {}", bound,
                      so_many(found.cost), places_.size(), found.checks, *why);
    for (const std::uint32_t i : found.chosen) result.places.push_back(line_of(i));
    for (const repair::Elements& other : found.all) {
      if (other == found.chosen) continue;
      std::string line = "or";
      for (const std::uint32_t i : other) line += (line.size() == 2 ? " " : ", ") + places_[i].name;
      result.places.push_back(std::move(line));
    }
    result.text = text_of(found.chosen);
  }

  const Subject& subject_;
  const models::Model& model_;
  const Task& task_;
  const RepairOptions& options_;
  core::Budget& budget_;
  std::vector<repair::IrPlace> places_;
  core::Claim claim_;  // of the run in hand
  std::string violation_;
  std::vector<std::string> bounds_;  // of the last search
};

}  // namespace

std::vector<Repair> repair_steps(const Subject& subject, const Task& task, const RepairOptions& options,
                                 core::Budget& budget) {
  std::vector<Repair> repairs;
  for (const std::string& name : *task.models) {
    const auto share = fair_share(budget, task.models->size() - repairs.size());
    repairs.push_back(Repairer(subject, *models::find(name), task, options, *share).run());
  }
  return repairs;
}

}  // namespace heddle::drive
