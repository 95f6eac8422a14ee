// SPDX-License-Identifier: Apache-2.0
#include "graph/check.h"

#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "axioms/models.h"
#include "core/evidence.h"
#include "graph/worker.h"

namespace heddle::graph {

namespace {

// Workers with tables of their own share a queue of jobs. True if nothing is left.
bool explore(const core::Program& program, const axioms::Model& model, const Options& options, core::Budget& budget,
             Names& names, Shared& shared, unsigned workers, Totals& totals) {
  std::mutex mutex;
  shared.jobs.put({});
  const auto work = [&] {
    Worker worker(program, model, options, budget, names, shared);
    while (const auto job = shared.jobs.take())
      if (!worker.explore(*job)) {
        shared.stop = true;
        shared.jobs.close();
      }
    const std::scoped_lock lock(mutex);
    totals.add(worker.totals());
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (auto& t : threads) t.join();
  return !shared.stop;
}

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

core::Finding check(const core::Program& program, const Options& options, core::Budget& budget) {
  core::Finding finding;
  if (auto refused = refuses(program, options)) {
    finding.what = std::move(*refused);
    return finding;
  }
  const axioms::Model* model = axioms::find_model(options.model);
  const double begun = budget.elapsed();
  Names names(program);
  const bool parallel = options.workers > 1 && model->po_rf_acyclic;
  // Again with finer locations whenever an access has cut one.
  std::optional<Shared> round;
  Totals t;
  bool finished = false;
  for (std::uint32_t refinements = 0;; refinements = names.refinements()) {
    const unsigned workers = parallel ? options.workers : 1;
    round.emplace(budget.probe, workers);
    t = {};
    finished = explore(program, *model, options, budget, names, *round, workers, t);
    if (names.refinements() == refinements) break;
    if (options.on_restart) options.on_restart();
  }
  Shared& shared = *round;
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
  if (options.workers > 1 && !parallel)
    finding.notes.push_back("--workers has no effect under " + options.model +
                            ": the search for load buffering is not divided");
  if (t.addresses) finding.assumptions.emplace_back(core::addresses_are_chosen);
  if (t.weak_cas && !options.spurious_cas) finding.assumptions.emplace_back(core::weak_cas_succeeds);
  if (shared.violation) {
    finding.what = core::Found{core::claim_of(shared.violation->kind, shared.violation->thread), shared.witness};
    return finding;
  }
  if (model->overtakes_addresses) shared.drops.at(core::DropPlace::GraphAddresses, shared.forwarded, model->name);
  if (t.bounded) finding.bounds.push_back("loop " + std::to_string(options.loop_bound));
  std::visit([&](auto&& what) { finding.what = std::move(what); },
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
