// SPDX-License-Identifier: Apache-2.0
#include "drive/repair_arrays.h"

#include <fmt/format.h>

#include <algorithm>

#include "drive/cubes_engine.h"
#include "drive/referee.h"
#include "drive/repair_proof.h"
#include "drive/saved.h"
#include "repair/cubicle_fences.h"

namespace heddle::drive {

namespace {

using repair::Elements;
using repair::FenceRepair;

class FenceRepairer {
 public:
  FenceRepairer(const cubicle::System& system, const models::Model& model, const Task& task,
                const RepairOptions& options, core::Budget& budget)
      : system_(system),
        model_(model),
        options_(options),
        budget_(budget),
        cubes_{static_cast<unsigned>(std::max<std::uint64_t>(1, *task.workers)), static_cast<unsigned>(*task.brab),
               !options.certificate.empty()},
        places_(repair::fence_places(system)) {}

  Repair run() {
    const FenceRepair found = repair::repair_fences(
        system_, {.decide = [this](const cubicle::System& candidate) { return decide(candidate); },
                  .confirm = [this](const Elements& constraint,
                                    const core::Verdict& verdict) { return keep(constraint, verdict); },
                  .all = options_.all});
    Repair result;
    result.model = model_.name;
    tell(found, result);
    if (!options_.certificate.empty())
      proof_ = prove(result.model, priced_places(), found.synthesis, shown_, std::move(cubes_of_set_), budget_);
    return result;
  }

  // Of the last run(), where a certificate was asked for and there is something to prove.
  const std::optional<RepairProof>& proof() const { return proof_; }

  Repair check(const RepairProof& proof) {
    const ProofQuestion question{.places = priced_places(),
                                 .change = "fence",
                                 .objection = [this](const RepairProof::Constraint& c) { return objection(c); },
                                 .judge = [this](const RepairProof& p) { return judge_set(p); },
                                 .changes = [this](const Elements& set) { return places_of(set); },
                                 .not_monotone = {},
                                 .proved_by = "cubes"};
    Repair result = recheck(proof, question, budget_);
    note_trust(result);
    return result;
  }

 private:
  static Subject subject_of(cubicle::System system) { return {std::move(system), {{core::UnsafeCube{}}}}; }

  cubicle::System with(const Elements& fences) const {
    std::vector<std::size_t> transitions;
    for (const std::uint32_t i : fences) transitions.push_back(places_[i]);
    return repair::with_fences(system_, transitions);
  }

  core::Verdict decide(const cubicle::System& candidate) {
    core::Finding finding = search_cubes(candidate, model_, cubes_, budget_);
    std::string cubes = std::move(finding.certificate);
    core::Verdict verdict = judge(subject_of(candidate), model_, "cubes", {}, std::move(finding));
    if (verdict.outcome == core::Outcome::Safe && !is_safe_) {  // the first is the chosen one
      is_safe_ = true;
      bounds_ = verdict.bounds;
      cubes_of_set_ = std::move(cubes);
    }
    return verdict;
  }

  // Why the run does not go wrong with a fence in all guards outside the constraint; empty: it does.
  std::string why_not(const Elements& constraint, const core::Verdict& run) const {
    Elements others;
    for (std::uint32_t i = 0; i < places_.size(); ++i)
      if (!std::ranges::binary_search(constraint, i)) others.push_back(i);
    const check::Replayed replayed = replay_verdict(subject_of(with(others)), model_, run, 0);
    return replayed.confirmed ? "" : replayed.why.text;
  }

  std::string objection(const RepairProof::Constraint& constraint) const {
    return why_not(constraint.places, constraint.run);
  }

  bool keep(const Elements& constraint, const core::Verdict& verdict) {
    if (!why_not(constraint, verdict).empty()) return false;
    if (options_.certificate.empty()) return true;
    core::Verdict run = verdict;
    run.statistics = {};
    run.notes.clear();
    shown_.try_emplace(constraint, RepairProof::Constraint{constraint, std::move(run), {}});
    return true;
  }

  core::Verdict judge_set(const RepairProof& proof) {
    const cubicle::System repaired = with(proof.chosen);
    if (proof.states.empty()) return decide(repaired);
    const auto verdict =
        recheck_cubes(repaired, {proof.states, options_.check_certificate}, {std::string(model_.name)}, budget_);
    if (verdict) return *verdict;
    core::Verdict none;
    none.model = model_.name;
    none.reason = {core::Reason::Kind::Open, "its cubes: " + verdict.error().message};
    return none;
  }

  RepairPlace place_of(std::uint32_t i) const {
    const cubicle::Transition& t = system_.transitions[places_[i]];
    return {system_.file, t.place.line, 0, t.name};
  }

  std::vector<RepairPlace> places_of(const Elements& chosen) const {
    std::vector<RepairPlace> places;
    for (const std::uint32_t i : chosen) places.push_back(place_of(i));
    return places;
  }

  std::vector<std::string> names_of(const Elements& chosen) const {
    std::vector<std::string> names;
    for (const std::uint32_t i : chosen) names.push_back(report::text_of(place_of(i)));
    return names;
  }

  std::vector<RepairProof::Place> priced_places() const {
    std::vector<RepairProof::Place> places;
    for (std::uint32_t i = 0; i < places_.size(); ++i) places.push_back({report::text_of(place_of(i)), 1});
    return places;
  }

  void note_trust(Repair& result) const {
    if (!system_.invariants.empty() && result.outcome == core::Outcome::Safe)
      result.notes.emplace_back("the system's invariant blocks are trusted");
  }

  void tell(const FenceRepair& found, Repair& result) const {
    const repair::Synthesis& synthesis = found.synthesis;
    const std::string bound = up_to(bounds_);
    result.outcome = outcome_of(synthesis.outcome);
    result.checks = found.checks;
    result.lower_bound = synthesis.cost;
    const std::size_t n = found.fences.size();
    switch (found.outcome) {
      case FenceRepair::Outcome::Unknown:
        result.summary = "UNKNOWN: " + found.last.reason.text;
        if (n > 0)
          result.summary +=
              fmt::format("; at least {} fence{} needed ({} checks)", n, n == 1 ? " is" : "s are", found.checks);
        return;
      case FenceRepair::Outcome::Hopeless: result.summary = "no fence helps: " + found.last.violation; return;
      case FenceRepair::Outcome::Safe: result.summary = "is safe as it is" + bound; break;
      case FenceRepair::Outcome::Repaired:
        result.summary = fmt::format("safe{} with fence() in {} guard{}, and with no fewer ({} checks)", bound, n,
                                     n == 1 ? "" : "s", found.checks);
        break;
    }
    result.cost = synthesis.cost;
    result.text = repair::text_with_fences(system_, found.fences);
    result.places = places_of(synthesis.chosen);
    for (const Elements& constraint : synthesis.constraints) result.constraints.push_back(names_of(constraint));
    for (const Elements& set : synthesis.all) {
      result.sets.push_back(names_of(set));
      if (set != synthesis.chosen) result.others.push_back(places_of(set));
    }
    note_trust(result);
  }

  const cubicle::System& system_;
  const models::Model& model_;
  const RepairOptions& options_;
  core::Budget& budget_;
  const CubesOptions cubes_;
  const std::vector<std::size_t> places_;  // transitions
  bool is_safe_ = false;                   // some candidate
  std::vector<std::string> bounds_;        // of the chosen set
  std::string cubes_of_set_;               // that prove it, if a certificate was asked for
  ShownRuns shown_;                        // if a certificate was asked for
  std::optional<RepairProof> proof_;
};

// An option that is about other languages.
std::optional<support::Diagnostic> refuse(const RepairOptions& options) {
  const auto wrong = [](std::string what) { return support::Diagnostic{"", 0, 0, std::move(what), "", ""}; };
  if (options.together) return wrong("--together is not for systems of Cubicle: each memory model has its own fences");
  if (options.heuristic) return wrong("--heuristic is about models with atomic writes");
  if (!options.cost.empty()) return wrong("--cost has no effect: all fences of a system cost the same");
  if (options.with == "atomic" || options.with == "both")
    return wrong(
        fmt::format("--with {} is not for systems of Cubicle: fence() in guards is what is added", options.with));
  return std::nullopt;
}

}  // namespace

support::Result<std::vector<Repair>> repair_arrays(const Language& language, const cubicle::System& system,
                                                   const Task& task, const RepairOptions& options,
                                                   core::Budget& budget) {
  if (const auto refused = refuse(options)) return *refused;
  return repair_by_model(
      language, task, options,
      {.run = [&](const Models& models, core::Budget& share) -> support::Result<ProvedRepair> {
         FenceRepairer repairer(system, *models.front(), task, options, share);
         Repair repair = repairer.run();
         return ProvedRepair{std::move(repair), repairer.proof()};
       },
       .check = [&](const Models& models, const RepairProof& proof) -> support::Result<Repair> {
         if (models.size() != 1)
           return support::Diagnostic{
               options.check_certificate, 0, 0, "a repair of a system is about one memory model", "", ""};
         return FenceRepairer(system, *models.front(), task, options, budget).check(proof);
       }},
      budget);
}

}  // namespace heddle::drive
