// SPDX-License-Identifier: Apache-2.0
#include "graph/worker.h"

#include <algorithm>

namespace heddle::graph {

namespace {
constexpr std::uint32_t steps_between_polls = 1024, axiomatic_steps_between_polls = 16;
}  // namespace

void Totals::add(const Totals& t) {
  counts.complete += t.counts.complete;
  counts.blocked += t.counts.blocked;
  counts.duplicates += t.counts.duplicates;
  counts.steps += t.counts.steps;
  bytes += t.bytes;
  bounded |= t.bounded;
  weak_cas |= t.weak_cas;
  addresses |= t.addresses;
  rounds = std::max(rounds, t.rounds);
  symmetric = std::max(symmetric, t.symmetric);
}

Worker::Worker(const core::Program& p, const axioms::Model& model, const Options& o, core::Budget& budget, Names& names,
               Shared& shared)
    : program_(p),
      model_(model),
      options_(o),
      budget_(budget),
      names_(names),
      shared_(shared),
      tables_(p, names, model.needs_deps, o.spurious_cas, &shared.drops, o.compiled),
      consistency_(make_consistency(model, tables_)),
      promises_(tables_, *consistency_),
      observer_(p, model, o, budget.max_states, tables_, *consistency_, shared),
      exploration_(p, names, tables_, *consistency_, model, o, observer_,
                   consistency_->load_buffering() ? &promises_ : nullptr) {}

bool Worker::explore(const Job& job) {
  for (;;) {
    ++rounds_;
    promises_.begin_round();
    const bool finished = run(job);
    complete_ += exploration_.counts().complete;  // of those not seen in an earlier round
    if (!finished || !promises_.changed()) return finished;
    exploration_.forget_counts();
    observer_.begin_round();
  }
}

bool Worker::run(const Job& job) {
  exploration_.begin(job);
  const std::uint32_t steps = consistency_->load_buffering() ? axiomatic_steps_between_polls : steps_between_polls;
  while (goes_on())
    if (exploration_.run(steps)) return true;
  return false;
}

Totals Worker::totals() const {
  Totals t;
  t.counts = exploration_.counts();
  if (consistency_->load_buffering()) {
    // What an earlier round had found already is no duplicate of the last round's.
    const std::uint64_t again = complete_ - t.counts.complete;
    t.counts.complete = complete_;
    t.counts.duplicates -= std::min(again, t.counts.duplicates);
    t.rounds = rounds_;
  }
  t.bytes = exploration_.bytes();
  t.bounded = exploration_.bound_reached();
  t.weak_cas = tables_.has_weak_cas();
  t.addresses = tables_.has_addresses();
  t.symmetric = exploration_.symmetric_threads();
  return t;
}

// Asked every so many steps, and after the observer has stopped the exploration.
bool Worker::goes_on() {
  if (shared_.stop.load(std::memory_order_relaxed)) return false;
  const auto halt = [&](core::Reason why) {
    const std::scoped_lock lock(shared_.mutex);
    if (!shared_.reason) shared_.reason = std::move(why);
    shared_.stop = true;
    return false;
  };
  if (tables_.stale()) return halt({core::Reason::Kind::Internal, "stale"});
  if (shared_.decided.load(std::memory_order_relaxed)) {
    shared_.stop = true;
    return false;
  }
  if (shared_.drops.any()) return halt(shared_.drops.reason());
  const std::uint64_t found = exploration_.counts().complete + exploration_.counts().blocked;
  core::Progress p;
  p.states = shared_.executions;
  p.unit = "executions";
  p.steps = exploration_.counts().steps;
  if (const auto total = estimated_executions(found)) {
    p.estimated_total = *total;
    p.estimated_rest = budget_.elapsed() * (*total / static_cast<double>(found) - 1);
  }
  if (auto why = budget_.spent(p)) return halt(*why);
  if (shared_.jobs.wanted())
    if (auto job = exploration_.give_away()) shared_.jobs.put(std::move(*job));
  return true;
}

// Nothing if there is no estimate, or nobody asks for one. Rounds that look for load buffering begin anew, and each of
// several workers would ask for itself.
std::optional<double> Worker::estimated_executions(std::uint64_t found) {
  constexpr double share_of_time = 0.03;
  if (!budget_.progress || options_.workers > 1 || consistency_->load_buffering() || found == 0) return std::nullopt;
  if (!sampler_) {
    sampler_.emplace(program_, names_, tables_, *consistency_, model_, options_);
    estimate_.emplace(*sampler_);
  }
  while (sampling_ < budget_.elapsed() * share_of_time) {
    const double begun = budget_.elapsed();
    estimate_->improve(exploration_, found);
    sampling_ += budget_.elapsed() - begun;
  }
  const double total = estimate_->executions();
  // One that the search has overtaken says nothing.
  if (total <= 1.05 * static_cast<double>(found)) return std::nullopt;
  return total;
}

}  // namespace heddle::graph
