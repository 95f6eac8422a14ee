// SPDX-License-Identifier: Apache-2.0
#include "graph/worker.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/address_deps.h"

namespace heddle::graph {

namespace {
constexpr std::uint32_t steps_between_polls = 1024, axiomatic_steps_between_polls = 16;
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
// An estimate that the search has overtaken says nothing.
constexpr double overtaken = 1.05;
}  // namespace

void Totals::add(const Totals& t) {
  counts.complete += t.counts.complete;
  counts.blocked += t.counts.blocked;
  counts.duplicates += t.counts.duplicates;
  counts.steps += t.counts.steps;
  bytes += t.bytes;
  bounded |= t.bounded;
  exit_left_out |= t.exit_left_out;
  weak_cas |= t.weak_cas;
  failures_once |= t.failures_once;
  unpromised |= t.unpromised;
  addresses |= t.addresses;
  rounds = std::max(rounds, t.rounds);
  symmetric = std::max(symmetric, t.symmetric);
}

// Random ways down, with tables of their own: nothing they come across is a finding.
struct Worker::Samples {
  explicit Samples(const Worker& w)
      : tables(w.program_, w.names_, w.model_.needs_deps, w.options_.spurious_cas, nullptr, w.options_.compiled),
        consistency(make_consistency(w.model_, tables)),
        promises(tables, *consistency, w.shared_.promises, Promises::Adds::Never),
        sampler(w.program_, w.names_, tables, *consistency, w.model_, w.options_,
                consistency->load_buffering() ? &promises : nullptr) {}

  Tables tables;
  const std::unique_ptr<Consistency> consistency;
  Promises promises;
  Sampler sampler;
  Estimate estimate{sampler};
};

Worker::~Worker() = default;

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
      promises_(tables_, *consistency_, shared.promises,
                o.workers > 1 ? Promises::Adds::BetweenRounds : Promises::Adds::AtOnce),
      observer_(p, model, o, budget.max_states, tables_, *consistency_, shared),
      exploration_(p, names, tables_, *consistency_, model, o, observer_,
                   consistency_->load_buffering() ? &promises_ : nullptr),
      next_forecast_(budget.goes_on && can_forecast() ? budget.forecast_after : never) {
  observer_.ask_for_path([this] { return exploration_.path(); });
}

bool Worker::explore(const Job& job) {
  exploration_.begin(job);
  const std::uint32_t steps = consistency_->load_buffering() ? axiomatic_steps_between_polls : steps_between_polls;
  while (goes_on())
    if (exploration_.run(steps) || round_is_in_vain()) return true;
  return false;
}

// A worker that uses promises from the moment it finds them explores all again if it has found one. It goes on in case
// there are more to find, but not for longer than it took to find the last one.
bool Worker::round_is_in_vain() {
  constexpr std::uint64_t short_round = 1024;
  if (promises_.round_is_void()) return true;
  if (promises_.changes() == 0) return false;
  const std::uint64_t steps = exploration_.counts().steps;
  if (std::exchange(changes_, promises_.changes()) != promises_.changes()) changed_at_ = steps;
  return steps > 2 * changed_at_ + short_round;
}

bool Worker::end_round() { return promises_.end_round(exploration_.twins()); }

void Worker::begin_again() {
  ++rounds_;
  samples_.reset();
  forecasts_.reset();
  changes_ = changed_at_ = 0;
  exploration_.forget_counts();
}

Totals Worker::totals() const {
  Totals t;
  t.counts = exploration_.counts();
  t.rounds = rounds_;
  t.bytes = exploration_.bytes();
  t.bounded = exploration_.bound_reached();
  t.exit_left_out = exploration_.exit_left_out();
  t.weak_cas = tables_.has_weak_cas();
  t.failures_once = exploration_.assumes_single_failures();
  t.addresses = tables_.has_addresses();
  t.unpromised = promises_.left_out();
  t.symmetric = exploration_.symmetric_threads();
  for (StateId s = 0; model_.overtakes_addresses && s < tables_.state_count(); ++s)
    if (core::has_mark(tables_.deps(s), core::read_back)) shared_.forwarded.store(true, std::memory_order_relaxed);
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
  const Counts& counts = exploration_.counts();
  const std::uint64_t found = counts.complete + counts.blocked + counts.duplicates;  // in this round
  core::Progress p;
  p.states = shared_.executions;
  p.unit = "executions";
  p.steps = counts.steps;
  if (const auto total = estimated_executions(found)) {
    p.estimated_total = *total;
    p.estimated_rest = budget_.elapsed() * (*total / static_cast<double>(found) - 1);
  }
  if (auto why = budget_.spent(p)) return halt(*why);
  // The first execution may be a long one, or without end, or begun anew at every other access: that is no matter of how
  // many there are.
  constexpr std::uint64_t long_execution = 150'000;
  const std::uint64_t taken = p.steps + shared_.steps_in_vain;
  if (taken >= next_forecast_ && (found > 0 || taken >= long_execution)) {
    // The next time when the search is much longer; the first time also when it is much longer than was forecast.
    constexpr std::uint64_t growth = 4;
    constexpr double wrong = 2;
    const bool can_tell = found > 0 || shared_.steps_in_vain == 0;
    const std::optional<double> in_all = can_tell ? forecast_steps() : std::nullopt;
    const bool first = next_forecast_ == budget_.forecast_after;
    next_forecast_ = growth * taken;
    if (first && in_all) next_forecast_ = std::min(next_forecast_, static_cast<std::uint64_t>(wrong * *in_all));
    if (!budget_.goes_on(taken, in_all)) return halt({core::Reason::Kind::StepLimit, "a long search is left"});
  }
  if (shared_.jobs.wanted())
    if (auto job = exploration_.give_away()) shared_.jobs.put(std::move(*job));
  return true;
}

// Each of several workers would ask for itself.
bool Worker::can_estimate() const { return options_.workers <= 1; }
// Nobody knows how many rounds there will be.
bool Worker::can_forecast() const { return can_estimate() && !consistency_->load_buffering(); }

// For the progress line. Nothing if there is no estimate, or nobody asks for one.
std::optional<double> Worker::estimated_executions(std::uint64_t found) {
  constexpr double share_of_time = 0.03;
  if (!budget_.progress || !can_estimate() || found == 0) return std::nullopt;
  if (!samples_) samples_ = std::make_unique<Samples>(*this);
  while (sampling_ < budget_.elapsed() * share_of_time) {
    const double begun = budget_.elapsed();
    samples_->estimate.improve(exploration_, found);
    sampling_ += budget_.elapsed() - begun;
  }
  const double total = samples_->estimate.executions();
  if (total <= overtaken * static_cast<double>(found)) return std::nullopt;
  return total;
}

// Of the whole search; nothing if that cannot be told. Samples are counted, not timed, and their tables are their own, so
// that the answer is the same on every machine.
std::optional<double> Worker::forecast_steps() {
  constexpr std::uint64_t share_until_known = 2, share_of_steps = 64;
  const std::uint64_t taken = exploration_.counts().steps;
  if (!forecasts_) forecasts_ = std::make_unique<Samples>(*this);
  Estimate& estimate = forecasts_->estimate;
  const std::uint64_t before = forecasts_->sampler.steps();
  const auto too_few = [&](std::uint64_t steps) {
    return steps < taken / (estimate.known() ? share_of_steps : share_until_known);
  };
  // A sample without a step: the search is on its last way.
  for (std::uint64_t steps = before, last = before - 1; steps != last && too_few(steps - before);) {
    last = steps;
    estimate.improve(exploration_, 0);
    steps = forecasts_->sampler.steps();
  }
  if (estimate.steps() <= overtaken * static_cast<double>(taken)) return std::nullopt;
  return estimate.steps();
}

}  // namespace heddle::graph
