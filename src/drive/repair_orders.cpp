// SPDX-License-Identifier: Apache-2.0
#include "drive/repair_orders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "drive/explicit_engine.h"
#include "drive/order_subject.h"
#include "drive/portfolio.h"
#include "drive/referee.h"
#include "drive/repair_patch.h"
#include "drive/repair_proof.h"
#include "drive/saved.h"
#include "repair/synthesis.h"

namespace heddle::drive {

namespace {

using repair::Elements;
using repair::Orders;

// Under which verdicts are SAFE.
struct Conditions {
  std::vector<std::string> bounds, assumptions;
  void add(const Conditions& more) {
    add_bounds(bounds, more.bounds);
    add_bounds(assumptions, more.assumptions);
  }
};

class OrderRepairer {
 public:
  OrderRepairer(const Language& language, OrderSubject& subject, std::vector<const models::Model*> models,
                const RepairOptions& options, core::Budget& budget)
      : language_(language),
        subject_(subject),
        space_(subject.space()),
        models_(std::move(models)),
        options_(options),
        budget_(budget) {}

  Repair run() {
    Repair result;
    result.model = names_of(models_);
    if (options_.minimise ? unsafe_already(result) : wrong_under_sc(result)) return result;
    const repair::Synthesis found =
        repair::synthesise(space_.costs(), [this](const Elements& candidate) { return check(candidate); },
                           {.all = options_.all, .start = {}});
    tell(found, result);
    if (!options_.certificate.empty()) proof_ = prove(result.model, priced_elements(), found, shown_, {}, budget_);
    return result;
  }

  // Of the last run(), where a certificate was asked for and there is something to prove.
  const std::optional<RepairProof>& proof() const { return proof_; }

  Repair check(const RepairProof& proof) {
    const ProofQuestion question{.places = priced_elements(),
                                 .change = "change",
                                 .priced = true,
                                 .weakens = options_.minimise,
                                 .objection = [this](const RepairProof::Constraint& c) { return objection(c); },
                                 .judge = [this](const RepairProof& p) { return judge_set(p); },
                                 .changes = [this](const Elements& set) { return changes(space_.with(set)); },
                                 .not_monotone = not_monotone()};
    return recheck(proof, question, budget_);
  }

 private:
  std::vector<RepairProof::Place> priced_elements() const {
    std::vector<RepairProof::Place> places;
    for (const repair::OrderSpace::Element& e : space_.elements()) {
      const core::SourcePlace& at = subject_.place(e.place).source;
      places.push_back({report::text_of({at.file, at.line, at.column, subject_.change(e.place, e.order)}), e.cost});
    }
    return places;
  }

  // The run that goes wrong with these orders, which a constraint lies beyond.
  void keep(const Elements& constraint, const OrderRun& run, const Orders& orders) {
    subject_.apply(orders);
    const auto found = run.restated();
    if (!found) return;  // the time is over
    core::Verdict verdict;
    verdict.model = run.model().name;
    accept(verdict, replay(run.variant().subject, run.model(), *found, buffer_bound(run.variant().task)));
    shown_.try_emplace(constraint, RepairProof::Constraint{constraint, std::move(verdict), run.variant().name});
  }

  std::string objection(const RepairProof::Constraint& constraint) {
    Elements others;
    for (std::uint32_t e = 0; e < space_.elements().size(); ++e)
      if (!std::ranges::binary_search(constraint.places, e)) others.push_back(e);
    subject_.apply(space_.with(others));
    for (const auto& variant : subject_.variants()) {
      if (variant->name != constraint.variant) continue;
      const check::Replayed replayed = replay_verdict(variant->subject, *models::find(constraint.run.model),
                                                      constraint.run, buffer_bound(variant->task));
      return objection_to(replayed, variant->subject.properties);
    }
    return fmt::format("there is no variant '{}'", constraint.variant);
  }

  core::Verdict judge_set(const RepairProof& proof) {
    subject_.apply(space_.with(proof.chosen));
    if (const auto wrong = first_not_safe(models_)) return wrong->first.verdict;
    core::Verdict verdict = last_safe_;
    verdict.bounds = conditions_.bounds;
    verdict.assumptions = conditions_.assumptions;
    return verdict;
  }

  // Why stronger orders may do more than remove violations.
  std::optional<std::string> not_monotone() const {
    for (const auto& variant : subject_.variants())
      if (variant->subject.properties.has<core::Livelock>())
        return "stronger orders may also take away the runs that lead out of a loop";
    return std::nullopt;
  }

  // All variants, under all of these models. Nothing: all are safe.
  std::optional<std::pair<OrderAnswer, std::optional<OrderRun>>> first_not_safe(
      const std::vector<const models::Model*>& models) {
    conditions_ = {};
    for (const models::Model* model : models)
      for (const auto& variant : subject_.variants()) {
        ++checks_;
        OrderAnswer answer = decide(language_, *variant, *model, budget_);
        conditions_.add({answer.verdict.bounds, answer.verdict.assumptions});
        if (answer.verdict.outcome == core::Outcome::Safe) {
          last_safe_ = std::move(answer.verdict);
          continue;
        }
        std::optional<OrderRun> run;
        if (answer.verdict.outcome == core::Outcome::Unsafe) run.emplace(*variant, *model, std::move(*answer.found));
        return std::pair{std::move(answer), std::move(run)};
      }
    return std::nullopt;
  }

  // Nothing that is said about memory helps a program that is wrong without it.
  bool wrong_under_sc(Repair& result) {
    subject_.apply(space_.weakest());
    const auto wrong = first_not_safe({models::find("sc")});
    if (!wrong) return false;
    const core::Verdict& verdict = wrong->first.verdict;
    const core::Claim claim = core::claim_of(verdict.violation_kind);
    if (claim.is<core::Race>()) return false;      // of which stronger orders make none
    if (claim.is<core::Livelock>()) return false;  // which runs that sc does not have may end
    if (verdict.outcome == core::Outcome::Unsafe) {
      result.outcome = core::Outcome::Unsafe;
      result.summary = "is wrong under sc already: " + verdict.violation;
    } else {
      result.summary = "UNKNOWN: " + verdict.reason.text + " while it was checked under sc";
    }
    return true;
  }

  bool unsafe_already(Repair& result) {
    subject_.apply(space_.strongest());
    const auto wrong = first_not_safe(models_);
    if (!wrong) {
      best_ = space_.strongest();
      best_conditions_ = conditions_;
      return false;
    }
    const core::Verdict& verdict = wrong->first.verdict;
    if (verdict.outcome == core::Outcome::Unsafe) {
      result.outcome = core::Outcome::Unsafe;
      result.summary = "is not safe as it is, so there is nothing to weaken: " + verdict.violation;
    } else {
      result.summary = "UNKNOWN: " + verdict.reason.text + " while it was checked as it is";
    }
    return true;
  }

  // A candidate that goes wrong is strengthened by all of the constraint that its run gives, and checked again, until it
  // is safe: each round gives constraints that have nothing in common with the earlier ones.
  repair::Answer check(const Elements& candidate) {
    Orders orders = space_.with(candidate);
    repair::Answer answer;
    for (;;) {
      subject_.apply(orders);
      const auto wrong = first_not_safe(models_);
      if (!wrong) {
        if (!best_ || space_.cost(orders) < space_.cost(*best_)) {
          best_ = orders;
          best_conditions_ = conditions_;
        }
        if (!answer.constraints.empty()) return answer;
        answer.kind = repair::Answer::Kind::Safe;
        safe_conditions_.add(conditions_);
        return answer;
      }
      if (!wrong->second) {
        if (answer.constraints.empty()) answer.reason = wrong->first.verdict.reason;
        return answer;
      }
      answer.kind = repair::Answer::Kind::Unsafe;
      violation_ = wrong->first.verdict.violation;
      const Elements first = constraints_of(*wrong->second, orders, answer.constraints);
      if (first.empty()) return answer;
      Orders more = space_.with(first);
      for (std::size_t p = 0; p < orders.size(); ++p) orders[p] = core::join(orders[p], more[p]);
    }
  }

  // Adds the constraints that a run gives; returns one of them.
  Elements constraints_of(const OrderRun& run, const Orders& orders, std::vector<Elements>& constraints) {
    const auto goes_through = [&](const Orders& stronger) {
      if (budget_.over()) return false;
      subject_.apply(stronger);
      return run.goes_wrong();
    };
    Elements smallest;
    for (const bool backwards : {false, true}) {
      const Orders most = repair::grown(space_, orders, backwards, goes_through);
      Elements rest = space_.beyond(most);
      if (!options_.certificate.empty()) keep(rest, run, most);
      if (!backwards || rest.size() < smallest.size()) smallest = rest;
      const bool hopeless = rest.empty();
      constraints.push_back(std::move(rest));
      if (hopeless) return {};
    }
    return smallest;
  }

  std::vector<RepairPlace> changes(const Orders& orders) const {
    std::vector<RepairPlace> list;
    for (std::uint32_t p = 0; p < orders.size(); ++p) {
      if (orders[p] == subject_.own(p)) continue;
      const core::SourcePlace& at = subject_.place(p).source;
      list.push_back({at.file, at.line, at.column, subject_.change(p, orders[p])});
    }
    return list;
  }

  void tell(const repair::Synthesis& found, Repair& result) {
    result.checks = checks_;
    result.lower_bound = not_monotone() ? 0 : found.cost;
    switch (found.outcome) {
      case repair::Synthesis::Outcome::Unknown: return tell_unknown(found, result);
      case repair::Synthesis::Outcome::Hopeless: return tell_hopeless(result);
      case repair::Synthesis::Outcome::Repaired: break;
    }
    result.outcome = outcome_of(found.outcome);
    result.cost = found.cost;
    const std::string bound = up_to(safe_conditions_.bounds);
    add_assumptions(result, safe_conditions_.assumptions);
    const Orders orders = space_.with(found.chosen);
    result.places = changes(orders);
    const std::size_t n = result.places.size();
    std::set<Orders> listed{orders};  // acquire and release of one place are acq_rel
    for (const Elements& other : found.all)
      if (Orders more = space_.with(other); listed.insert(more).second) result.others.push_back(changes(more));
    if (!options_.patch.empty() && n > 0) write_patch(language_, subject_, orders, models_, budget_, result);
    if (const auto why = not_monotone(); why && (n > 0 || options_.minimise)) {
      result.summary = fmt::format(
          "safe{} with {} {}{} of cost {} ({} checks); whether cheaper ones are enough is not known: {}", bound, n,
          options_.minimise ? "weaker order" : "change", n == 1 ? "" : "s", found.cost, checks_, *why);
    } else if (options_.minimise) {
      result.summary = n == 0 ? fmt::format("no order can be weaker{} ({} checks)", bound, checks_)
                              : fmt::format("safe{} with {} order{} weaker, and with no cheaper ones ({} checks)",
                                            bound, n, n == 1 ? "" : "s", checks_);
    } else if (n == 0) {
      result.summary = "is safe as it is" + bound;
    } else {
      result.summary = fmt::format("safe{} with {} change{} of cost {}, and with no cheaper ones ({} checks)", bound, n,
                                   n == 1 ? "" : "s", found.cost, checks_);
    }
  }

  void tell_unknown(const repair::Synthesis& found, Repair& result) const {
    result.summary = not_monotone() ? fmt::format("UNKNOWN: {} ({} checks)", found.reason.text, checks_)
                                    : fmt::format("UNKNOWN: {}; every repair costs at least {} ({} checks)",
                                                  found.reason.text, found.cost, checks_);
    if (!best_) return;
    result.cost = space_.cost(*best_);
    result.places = changes(*best_);
    result.summary += fmt::format("; safe{} with changes of cost {}:", up_to(best_conditions_.bounds), *result.cost);
    add_assumptions(result, best_conditions_.assumptions);
  }

  void tell_hopeless(Repair& result) const {
    result.outcome = core::Outcome::Unsafe;
    result.summary = fmt::format("no change of {} helps: {}",
                                 !options_.fence(true) ? "memory orders"
                                 : !options_.atomic()  ? "fences"
                                                       : "memory orders or fences",
                                 violation_);
    if (const auto why = not_monotone()) {
      result.outcome = core::Outcome::Unknown;
      result.summary = fmt::format(
          "UNKNOWN: a run goes wrong with all changes made: {}; whether fewer help is not known: {}", violation_, *why);
    }
    if (const auto& places = subject_.unwritable(); !places.empty()) {
      std::set<std::pair<std::string, unsigned>> lines;
      for (const core::SourcePlace& p : places) lines.emplace(p.file, p.line);
      std::string list;
      for (const auto& [file, line] : lines) list += fmt::format("{}{}:{}", list.empty() ? "" : ", ", file, line);
      result.notes.push_back("left out: fences inside macros and expressions, which no edit puts there, at " + list);
    }
    if (!options_.atomise) result.notes.emplace_back("--atomise lets plain accesses become atomic");
  }

  const Language& language_;
  OrderSubject& subject_;
  const repair::OrderSpace& space_;
  const std::vector<const models::Model*> models_;
  const RepairOptions& options_;
  core::Budget& budget_;
  std::optional<Orders> best_;  // that is known to be safe
  std::string violation_;       // of the latest run
  Conditions best_conditions_;
  Conditions conditions_;       // of the last check
  Conditions safe_conditions_;  // of all cheapest sets that were found
  unsigned checks_ = 0;
  core::Verdict last_safe_;
  ShownRuns shown_;  // if a certificate was asked for
  std::optional<RepairProof> proof_;
};

support::Result<std::vector<Repair>> recheck_orders(const Language& language, const Task& task,
                                                    const RepairOptions& options, core::Budget& budget) {
  const auto proofs = read_proofs(language, options, task, budget);
  if (!proofs) return proofs.error();
  std::vector<const models::Model*> prepared;
  for (const RepairProof& proof : *proofs) std::ranges::copy(models_of(proof.model), std::back_inserter(prepared));
  const auto subject = OrderSubject::load(language, task, options, prepared, budget);
  if (!subject) return subject.error();
  std::vector<Repair> repairs;
  for (const RepairProof& proof : *proofs)
    repairs.push_back(OrderRepairer(language, **subject, models_of(proof.model), options, budget).check(proof));
  return repairs;
}

}  // namespace

support::Result<std::vector<Repair>> repair_orders(const Language& language, const Task& task,
                                                   const RepairOptions& options, core::Budget& budget) {
  if (!options.check_certificate.empty()) return recheck_orders(language, task, options, budget);
  std::vector<const models::Model*> models;
  for (const std::string& name : *task.models) models.push_back(models::find(name));
  std::vector<const models::Model*> prepared = models;
  prepared.push_back(models::find("sc"));
  if (!options.patch.empty() && models.size() > 1 && !options.together)
    return support::Diagnostic{"", 0, 0, "--patch is about one repair", "", "choose one model, or add --together"};
  const auto subject = OrderSubject::load(language, task, options, prepared, budget);
  if (!subject) return subject.error();
  std::vector<std::vector<const models::Model*>> parts;
  if (options.together) parts.push_back(models);
  else
    for (const models::Model* model : models) parts.push_back({model});
  std::vector<Repair> repairs;
  std::vector<RepairProof> proofs;
  for (const auto& part : parts) {
    const auto share = fair_share(budget, parts.size() - repairs.size());
    OrderRepairer repairer(language, **subject, part, options, *share);
    repairs.push_back(repairer.run());
    if (repairer.proof()) proofs.push_back(*repairer.proof());
  }
  if (auto failed = write_proofs(options, task, proofs, repairs)) return *failed;
  return repairs;
}

}  // namespace heddle::drive
