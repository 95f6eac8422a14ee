// SPDX-License-Identifier: Apache-2.0
#include "drive/repair_proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

#include "check/cheapest_set.h"
#include "core/input.h"
#include "drive/portfolio.h"

namespace heddle::drive {

namespace {

check::CheapestSetClaim cheapest_claim(const RepairProof& proof) {
  check::CheapestSetClaim claim{.costs = {}, .constraints = {}, .chosen = proof.chosen};
  for (const RepairProof::Place& place : proof.places) claim.costs.push_back(place.cost);
  for (const RepairProof::Constraint& constraint : proof.constraints) claim.constraints.push_back(constraint.places);
  return claim;
}

std::string names_of(const RepairProof& proof, const RepairProof::Numbers& numbers) {
  std::vector<std::string> names;
  for (const std::uint32_t i : numbers) names.push_back(proof.places[i].name);
  return names.empty() ? "no change at all" : fmt::format("{}", fmt::join(names, ", "));
}

// The first difference between the places of the proof and those of the program.
std::string other_places(const RepairProof& proof, const ProofQuestion& question) {
  const auto has = [](const std::vector<RepairProof::Place>& places, const std::string& name) {
    return std::ranges::find(places, name, &RepairProof::Place::name) != places.end();
  };
  for (const RepairProof::Place& place : question.places)
    if (!has(proof.places, place.name)) return fmt::format("it does not have the place '{}'", place.name);
  for (const RepairProof::Place& place : proof.places)
    if (!has(question.places, place.name))
      return fmt::format("it is about a place '{}', which does not exist or may not be changed", place.name);
  for (std::size_t i = 0; i < proof.places.size(); ++i)
    if (proof.places[i] != question.places[i])
      return fmt::format("it says that '{}' costs {}, in another order or at another cost than it does",
                         proof.places[i].name, proof.places[i].cost);
  return {};
}

// Why the constraints do not show that the set is a cheapest one, or that there is none.
std::string gap(const RepairProof& proof, core::Budget& budget) {
  if (proof.hopeless)
    return std::ranges::any_of(proof.constraints, [](const auto& c) { return c.places.empty(); })
               ? ""
               : "no run goes wrong whatever is changed";
  const check::CheapestSetCheck checked = check::check_cheapest(cheapest_claim(proof), budget);
  if (checked.missed)
    return fmt::format("run {} still goes wrong with the set, which has none of {}", *checked.missed + 1,
                       names_of(proof, proof.constraints[*checked.missed].places));
  if (checked.cheaper)
    return fmt::format("no run shows that {} {} not enough, which is cheaper", names_of(proof, *checked.cheaper),
                       checked.cheaper->size() > 1 ? "are" : "is");
  return checked.stopped ? checked.stopped->text : "";
}

Repair rejected(Repair result, const std::string& why) {
  result.outcome = core::Outcome::Unknown;
  result.summary = "UNKNOWN: the certificate does not hold: " + why;
  return result;
}

std::string so_many(std::size_t n, const std::string& what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// What a proof that holds says.
std::string words_for(const RepairProof& proof, const ProofQuestion& question, const core::Verdict& verdict,
                      const Repair& result) {
  const std::string bound = up_to(verdict.bounds);
  const std::size_t n = result.places.size();
  if (question.weakens && question.not_monotone)
    return fmt::format("safe{} with {} weaker", bound, so_many(n, "order"));
  if (question.weakens)
    return n == 0 ? "no order can be weaker" + bound
                  : fmt::format("safe{} with {} weaker, and with no cheaper ones", bound, so_many(n, "order"));
  if (n == 0) return "is safe as it is" + bound;
  const std::string price = question.priced ? fmt::format(" of cost {}", *result.cost) : "";
  return fmt::format("safe{} with {}{} of {} possible{}", bound, so_many(n, question.change), price,
                     proof.places.size(),
                     question.not_monotone ? ""
                     : question.priced     ? ", and with no cheaper ones"
                                           : ", and with no fewer");
}

}  // namespace

std::optional<RepairProof> prove(std::string model, std::vector<RepairProof::Place> places,
                                 const repair::Synthesis& found, const ShownRuns& shown, std::string states,
                                 core::Budget& budget) {
  if (found.outcome == repair::Synthesis::Outcome::Unknown) return std::nullopt;
  RepairProof proof{.model = std::move(model), .places = std::move(places), .chosen = found.chosen};
  proof.hopeless = found.outcome == repair::Synthesis::Outcome::Hopeless;
  if (proof.hopeless) {
    proof.chosen.clear();
    const auto run = shown.find({});
    if (run == shown.end()) return std::nullopt;
    proof.constraints.push_back(run->second);
    return proof;
  }
  proof.states = std::move(states);
  for (const repair::Elements& constraint : found.constraints) {
    const auto run = shown.find(constraint);
    if (run == shown.end()) return std::nullopt;
    proof.constraints.push_back(run->second);
  }
  // A constraint without which nothing is cheaper either is not needed.
  for (std::size_t i = proof.constraints.size(); i-- > 0;) {
    check::CheapestSetClaim claim = cheapest_claim(proof);
    claim.constraints.erase(claim.constraints.begin() + static_cast<std::ptrdiff_t>(i));
    const check::CheapestSetCheck without = check::check_cheapest(claim, budget);
    if (without.stopped) return std::nullopt;
    if (without.verified()) proof.constraints.erase(proof.constraints.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return proof;
}

std::string objection_to(const check::Replayed& replayed, const core::Properties& asked) {
  if (!replayed.confirmed) return replayed.why.text;
  const auto& shown = replayed.claim;
  const bool always = shown.is<core::Assertion>() || shown.is<core::PropositionError>();
  return always || std::ranges::find(asked.list, shown.property.index(), &core::Property::index) != asked.list.end()
             ? ""
             : fmt::format("it shows a violation of '{}', which is not asked for", core::word_of(shown));
}

Repair recheck(const RepairProof& proof, const ProofQuestion& question, core::Budget& budget) {
  Repair result;
  result.model = proof.model;
  result.no_text = "nothing is written where a certificate is checked";
  if (const std::string other = other_places(proof, question); !other.empty()) {
    result.notes.emplace_back("repeat the options with which it was written (--with, --cost, --atomic)");
    return rejected(std::move(result), other);
  }
  for (std::size_t i = 0; i < proof.constraints.size(); ++i)
    if (const std::string why = question.objection(proof.constraints[i]); !why.empty())
      return rejected(std::move(result), fmt::format("run {} does not go wrong with everything but {} changed: {}",
                                                     i + 1, names_of(proof, proof.constraints[i].places), why));
  if (const std::string why = gap(proof, budget); !why.empty()) return rejected(std::move(result), why);
  const std::string replayed = so_many(proof.constraints.size(), "run") + " replayed";
  if (proof.hopeless) {
    if (question.not_monotone)
      return rejected(std::move(result), "that nothing helps does not follow from its run: " + *question.not_monotone);
    result.outcome = core::Outcome::Unsafe;
    result.summary = fmt::format("the certificate holds: no {} helps ({})", question.change, replayed);
    return result;
  }
  const core::Verdict verdict = question.judge(proof);
  if (verdict.outcome != core::Outcome::Safe)
    return rejected(
        std::move(result),
        fmt::format("{}: {}",
                    verdict.outcome == core::Outcome::Unsafe ? "the program is not safe with the set"
                                                             : "whether the program is safe with the set is not known",
                    verdict.outcome == core::Outcome::Unsafe ? verdict.violation : verdict.reason.text));
  result.outcome = verdict.outcome;
  result.places = question.changes(proof.chosen);
  result.lower_bound = 0;
  for (const std::uint32_t i : proof.chosen) result.lower_bound += proof.places[i].cost;
  result.cost = result.lower_bound;
  if (question.not_monotone) result.lower_bound = 0;
  add_assumptions(result, verdict.assumptions);
  result.summary = "the certificate holds: " + words_for(proof, question, verdict, result) +
                   fmt::format(" ({}, the set {})", replayed,
                               proof.states.empty() ? "searched again" : "proved by its " + question.proved_by);
  if (question.not_monotone && (question.weakens || !result.places.empty()))
    result.summary += "; whether fewer are enough is not known: " + *question.not_monotone;
  return result;
}

support::Result<std::vector<RepairProof>> read_proofs(const Language& language, const RepairOptions& options,
                                                      const Task& task, core::Budget& budget) {
  const std::string& file = options.check_certificate;
  const auto text = core::read_input(file, &budget, core::largest_report);
  if (!text) return text.error();
  auto proofs = report::read_certificate(*text, file);
  if (!proofs) return proofs.error();
  if (proofs->empty()) return support::Diagnostic{file, 0, 0, "this certificate has no repair", "", ""};
  std::vector<std::string> about;
  const std::vector<std::string> known = split(language.models, ',');
  for (const RepairProof& proof : *proofs) {
    about.push_back(proof.model);
    for (const std::string& model : split(proof.model, ','))
      if (std::ranges::find(known, model) == known.end())
        return support::Diagnostic{file, 0,
                                   0,    fmt::format("there is no model '{}' for {}", model, language.name),
                                   "",   "`heddle models` lists them"};
      else if (const auto refused = cannot_repair_under(*models::find(model))) return *refused;
    for (const RepairProof::Constraint& constraint : proof.constraints)
      if (const auto models = split(proof.model, ',');
          std::ranges::find(models, constraint.run.model) == models.end() ||
          constraint.run.trace->model != constraint.run.model)
        return support::Diagnostic{
            file, 0, 0, fmt::format("a run under '{}' shows nothing about {}", constraint.run.model, proof.model),
            "",   ""};
  }
  if (task.models.given)
    std::erase_if(*proofs, [&](const RepairProof& proof) {
      return std::ranges::none_of(split(proof.model, ','), [&](const std::string& model) {
        return std::ranges::find(*task.models, model) != task.models->end();
      });
    });
  if (proofs->empty())
    return support::Diagnostic{file, 0,
                               0,    fmt::format("this certificate is about {}", fmt::join(about, " and ")),
                               "",   "a proof about one model is none about another"};
  return proofs;
}

std::optional<support::Diagnostic> write_proofs(const RepairOptions& options, const Task& task,
                                                const std::vector<RepairProof>& proofs, std::vector<Repair>& repairs) {
  if (options.certificate.empty()) return std::nullopt;
  for (Repair& repair : repairs)
    if (std::ranges::find(proofs, repair.model, &RepairProof::model) == proofs.end())
      repair.notes.emplace_back("no certificate: nothing has been proved that it could hold");
  if (proofs.empty()) return std::nullopt;
  std::ofstream out(options.certificate, std::ios::binary);
  out << report::certificate_text(task.files, proofs);
  if (!out.flush()) return support::Diagnostic{options.certificate, 0, 0, "cannot be written", "", ""};
  repairs.back().notes.push_back("the certificate has been written to " + options.certificate);
  return std::nullopt;
}

Models models_of(const std::string& names) {
  Models models;
  for (const std::string& name : split(names, ',')) models.push_back(models::find(name));
  return models;
}

std::string names_of(const Models& models) {
  std::vector<std::string_view> names;
  for (const models::Model* model : models) names.push_back(model->name);
  return fmt::format("{}", fmt::join(names, ","));
}

support::Result<std::vector<Repair>> repair_by_model(const Language& language, const Task& task,
                                                     const RepairOptions& options, const ModelRepairer& repairer,
                                                     core::Budget& budget) {
  std::vector<Repair> repairs;
  std::vector<RepairProof> proofs;
  if (!options.check_certificate.empty()) {
    const auto read = read_proofs(language, options, task, budget);
    if (!read) return read.error();
    for (const RepairProof& proof : *read) {
      auto repair = repairer.check(models_of(proof.model), proof);
      if (!repair) return repair.error();
      repairs.push_back(std::move(*repair));
    }
    return repairs;
  }
  std::vector<Models> parts;
  if (options.together) parts.push_back(models_of(fmt::format("{}", fmt::join(*task.models, ","))));
  else
    for (const std::string& name : *task.models) parts.push_back(models_of(name));
  for (const Models& part : parts) {
    const auto share = fair_share(budget, parts.size() - repairs.size());
    auto found = repairer.run(part, *share);
    if (!found) return found.error();
    repairs.push_back(std::move(found->repair));
    if (found->proof) proofs.push_back(std::move(*found->proof));
  }
  if (auto failed = write_proofs(options, task, proofs, repairs)) return *failed;
  return repairs;
}

}  // namespace heddle::drive
