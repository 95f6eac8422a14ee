// SPDX-License-Identifier: Apache-2.0
#include "graph/check.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "axioms/models.h"
#include "core/evidence.h"
#include "graph/observer.h"

namespace heddle::graph {

namespace {

struct Totals {
  Counts counts;
  std::uint64_t bytes = 0;
  bool finished = true;
  bool bounded = false;
  bool weak_cas = false;
  unsigned rounds = 1;
  unsigned symmetric = 0;
};

// One exploration from its root, again and again while promises are new.
Totals explore(const core::Program& program, const Options& options, core::Budget& budget, Names& names, Shared& shared,
               bool history) {
  Tables tables(program, names, history, options.spurious_cas, &shared.drops);
  const auto consistency = make_consistency(options.model, tables);
  const bool cyclic = consistency->load_buffering();
  Observer observer(program, options, budget, names, *consistency, shared, cyclic || options.hash_executions);
  Promises promises;
  Explorer explorer(program, names, tables, *consistency, options, observer, cyclic ? &promises : nullptr);
  observer.use(explorer);
  Totals totals;
  std::uint64_t complete = 0;
  for (;; ++totals.rounds) {
    promises.changed = false;
    explorer.forget_counts();
    totals.finished = explorer.run({});
    complete += explorer.counts().complete;  // of those not seen in an earlier round
    if (!totals.finished || !promises.changed) break;
    shared.duplicates = 0;
  }
  totals.counts = explorer.counts();
  if (cyclic) {
    // What an earlier round had found already is no duplicate of the last round's.
    const std::uint64_t again = complete - totals.counts.complete;
    totals.counts.complete = complete;
    totals.counts.duplicates -= std::min(again, totals.counts.duplicates);
  }
  totals.bytes = explorer.bytes();
  totals.bounded = explorer.bound_reached();
  totals.weak_cas = tables.has_weak_cas();
  totals.symmetric = explorer.symmetric_threads();
  return totals;
}

// Workers with tables of their own share a queue of branches; one that has nothing to do asks, one that has gives.
Totals explore_in_parallel(const core::Program& program, const Options& options, core::Budget& budget, Names& names,
                           Shared& shared, bool history) {
  Totals totals;
  shared.jobs.push_back({});
  const auto work = [&] {
    Tables tables(program, names, history, options.spurious_cas, &shared.drops);
    const auto consistency = make_consistency(options.model, tables);
    Observer observer(program, options, budget, names, *consistency, shared, options.hash_executions);
    Explorer explorer(program, names, tables, *consistency, options, observer);
    observer.use(explorer);
    bool finished = true;
    for (;;) {
      Explorer::Job job;
      {
        std::unique_lock lock(shared.mutex);
        if (shared.jobs.empty()) {
          ++shared.idle;
          ++shared.hungry;
          shared.changed.wait(lock,
                              [&] { return !shared.jobs.empty() || shared.idle == options.workers || shared.stop; });
          if (shared.jobs.empty() || shared.stop) {
            // Whoever sees that all are idle wakes the others.
            shared.changed.notify_all();
            break;
          }
          --shared.idle;
        }
        job = std::move(shared.jobs.front());
        shared.jobs.pop_front();
      }
      if (!explorer.run(job)) {
        finished = false;
        shared.stop = true;
        const std::scoped_lock lock(shared.mutex);
        shared.changed.notify_all();
        break;
      }
    }
    const std::scoped_lock lock(shared.mutex);
    totals.counts.complete += explorer.counts().complete;
    totals.counts.blocked += explorer.counts().blocked;
    totals.counts.steps += explorer.counts().steps;
    totals.bytes += explorer.bytes();
    totals.bounded |= explorer.bound_reached();
    totals.weak_cas |= tables.has_weak_cas();
    totals.finished &= finished;
    totals.symmetric = std::max(totals.symmetric, explorer.symmetric_threads());
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < options.workers; ++i) threads.emplace_back(work);
  work();
  for (auto& t : threads) t.join();
  totals.finished &= !shared.stop;
  return totals;
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
  for (std::uint32_t refinements = 0;; refinements = names.refinements()) {
    round.emplace(budget.probe);
    t = parallel ? explore_in_parallel(program, options, budget, names, *round, model->needs_deps)
                 : explore(program, options, budget, names, *round, model->needs_deps);
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
  if (t.weak_cas && !options.spurious_cas) finding.assumptions.emplace_back(core::weak_cas_succeeds);
  if (shared.violation) {
    finding.what = core::Found{core::claim_of(shared.violation->kind, shared.violation->thread), shared.witness};
    return finding;
  }
  if (t.bounded) finding.bounds.push_back("loop " + std::to_string(options.loop_bound));
  std::visit([&](auto&& what) { finding.what = std::move(what); },
             core::conclude({.drops = &shared.drops,
                             .ended = t.finished,
                             .stopped = t.finished ? std::nullopt : shared.reason,
                             .seen = t.counts.complete + t.counts.blocked + t.counts.duplicates}));
  if (finding.nothing() && t.counts.complete == 0)
    finding.notes.push_back(t.bounded ? "no execution ends within the bound"
                                      : "no execution ends: in every one some thread waits for ever");
  return finding;
}

}  // namespace heddle::graph
