// SPDX-License-Identifier: Apache-2.0
#include "graph/check.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "axioms/models.h"
#include "core/evidence.h"
#include "graph/private_objects.h"
#include "graph/whole_witness.h"
#include "graph/worker.h"

namespace heddle::graph {

namespace {

constexpr const char* weak_cas_fails_once = "a weak compare-exchange does not fail spuriously twice in a row";
constexpr const char* waits_return_rarely = "waits return unasked at most twice more often than others notice";

// All rounds of one exploration: the last one counts.
struct Rounds {
  std::unique_ptr<Shared> shared;
  Totals totals;
  bool finished = false;
};

class Explorer {
 public:
  Explorer(const core::Program& program, const axioms::Model& model, const Options& options, core::Budget& budget)
      : program_(program), model_(model), options_(options), budget_(budget), names_(program), privacy_(names_) {}

  // Everything, with what is private as a part of local states if asked for (graph/private_objects.h).
  Rounds explore(bool hide) { return rounds({}, hide, std::max(options_.workers, 1u)); }

  // Are there more rounds of waiting threads than one, and no proof that these are enough (graph/spinloops.h)?
  bool assumes_few_rounds() const { return names_.most_rounds() > 1 && !model_.po_rf_acyclic; }

  // What the violation of `found` is with all events; there may be none, and that counts.
  Rounds show(Rounds found) {
    Shared& shared = *found.shared;
    if (shared.whole && options_.confirms &&
        options_.confirms(*shared.whole, core::claim_of(shared.violation->kind, shared.violation->thread))) {
      shared.witness = std::move(*shared.whole);
      return found;
    }
    if (model_.po_rf_acyclic) {
      Rounds again = rounds({found.shared->path, 1}, false, 1);
      if (again.shared->violation) {
        again.totals = found.totals;
        return again;
      }
    }
    return explore(false);
  }

 private:
  // Again whenever an access has cut a location, or what was taken for private is not.
  Rounds rounds(const Job& job, bool hide, unsigned workers) {
    Rounds r;
    for (std::uint64_t in_vain = 0;;) {
      const std::uint32_t refinements = names_.refinements();
      r.shared = std::make_unique<Shared>(budget_.probe, workers);
      r.shared->steps_in_vain = in_vain;
      r.totals = {};
      if (hide && !privacy_.known().off) {
        const PrivateObjects program(program_, privacy_);
        if (options_.confirms)
          r.shared->whole_of = [&](const Graph& g, const Tables& tables) {
            return whole_witness(program_, privacy_, g, tables, options_.model, model_.needs_deps);
          };
        r.finished = round(program, job, workers, r);
      } else {
        r.finished = round(program_, job, workers, r);
      }
      if (names_.refinements() == refinements) return r;
      in_vain += r.totals.counts.steps;
      if (hide && in_vain > most_in_vain) privacy_.give_up();
      if (options_.on_restart) options_.on_restart();
    }
  }

  // Workers with tables of their own share a queue of jobs, and begin anew while promises are new (graph/promises.h).
  // True if nothing is left.
  bool round(const core::Program& program, const Job& first, unsigned workers, Rounds& r) {
    Shared& shared = *r.shared;
    if (options_.promise_to_all) {
      shared.promises.promise_to_all();
      shared.promises.note_all_shift();
    }
    std::vector<std::unique_ptr<Worker>> team;
    for (unsigned i = 0; i < workers; ++i)
      team.push_back(std::make_unique<Worker>(program, model_, options_, budget_, names_, shared));
    const auto work = [&](Worker& worker) {
      while (const auto job = shared.jobs.take())
        if (!worker.explore(*job)) {
          shared.stop = true;
          shared.jobs.close();
        }
    };
    for (bool again = true; again;) {
      shared.jobs.begin(first);
      std::vector<std::thread> threads;
      for (unsigned i = 1; i < workers; ++i) threads.emplace_back(work, std::ref(*team[i]));
      work(*team[0]);
      for (auto& t : threads) t.join();
      again = false;
      for (const auto& worker : team) again |= worker->end_round();
      if (again &= !shared.stop) {
        shared.begin_again();
        if (options_.on_restart) options_.on_restart();
        for (const auto& worker : team) worker->begin_again();
      }
    }
    for (const auto& worker : team) r.totals.add(worker->totals());
    return !shared.stop;
  }

  // Steps that may turn out void before nothing is taken for private any more.
  static constexpr std::uint64_t most_in_vain = 5000;

  const core::Program& program_;
  const axioms::Model& model_;
  const Options& options_;
  core::Budget& budget_;
  Names names_;
  PrivacyRecord privacy_;
};

}  // namespace

std::optional<core::Reason> refuses(const core::Program& program, const Options& options) {
  using Kind = core::Reason::Kind;
  const axioms::Model* model = axioms::find_model(options.model);
  if (model == nullptr) return core::Reason{Kind::Unsupported, "there are no axioms of " + options.model};
  if (model->needs_deps && !program.features().dependencies)
    return core::Reason{Kind::Unsupported,
                        "the model " + options.model + " needs dependencies, which this program does not tell"};
  if (options.properties.races && !model->language)
    return core::Reason{Kind::Unsupported, "data races are a notion of the language: rc11 and ra"};
  return std::nullopt;
}

bool is_own_assumption(std::string_view clause) {
  return clause == weak_cas_fails_once || clause == waits_return_rarely;
}

core::Finding check(const core::Program& program, const Options& options, core::Budget& budget) {
  core::Finding finding;
  if (auto refused = refuses(program, options)) {
    finding.what = std::move(*refused);
    return finding;
  }
  const axioms::Model* model = axioms::find_model(options.model);
  const double begun = budget.elapsed();
  Explorer explorer(program, *model, options, budget);
  const bool hide =
      options.private_objects && options.loop_bound == 0 && !options.on_complete && !model->overtakes_addresses;
  Rounds found = explorer.explore(hide);
  if (hide && found.shared->violation) found = explorer.show(std::move(found));
  Shared& shared = *found.shared;
  const Totals& t = found.totals;
  const bool finished = found.finished;
  core::Statistics& s = finding.statistics;
  s.executions = t.counts.complete;
  s.blocked = t.counts.blocked;
  s.transitions = t.counts.steps;
  if (!model->po_rf_acyclic) s.duplicates = t.counts.duplicates;
  else if (options.hash_executions) s.duplicates = shared.duplicates;
  s.bytes = t.bytes;
  s.seconds = budget.elapsed() - begun;
  if (t.symmetric > 0) s.more.emplace_back("symmetric threads", std::to_string(t.symmetric));
  if (t.rounds > 1) s.more.emplace_back("rounds", std::to_string(t.rounds));
  if (t.addresses) finding.assumptions.emplace_back(core::addresses_are_chosen);
  if (t.weak_cas && !options.spurious_cas) finding.assumptions.emplace_back(core::weak_cas_succeeds);
  if (t.failures_once) finding.assumptions.emplace_back(weak_cas_fails_once);
  if (explorer.assumes_few_rounds()) finding.assumptions.emplace_back(waits_return_rarely);
  if (shared.violation) {
    finding.what = core::Found{core::claim_of(shared.violation->kind, shared.violation->thread), shared.witness};
    return finding;
  }
  if (model->overtakes_addresses) shared.drops.at(core::DropPlace::GraphAddresses, shared.forwarded, model->name);
  if (!model->po_rf_acyclic) shared.drops.at(core::DropPlace::GraphPromises, t.unpromised, model->name);
  shared.drops.at(core::DropPlace::GraphRequest, t.exit_left_out, "exit() inside an atomic section");
  if (t.bounded) finding.bounds.push_back("loop " + std::to_string(options.loop_bound));
  std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
             core::conclude({.drops = &shared.drops,
                             .ended = finished,
                             .stopped = finished ? std::nullopt : shared.reason,
                             .seen = t.counts.complete + t.counts.blocked + t.counts.duplicates}));
  if (finding.nothing() && t.counts.complete == 0)
    finding.notes.push_back(t.bounded ? "no execution ends within the bound"
                                      : "no execution ends: in every one some thread waits for ever");
  return finding;
}

}  // namespace heddle::graph
