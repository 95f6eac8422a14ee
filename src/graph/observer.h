// What is looked at while graphs grow and when they are complete: memory errors, races, deadlock, liveness of spin
// loops, robustness, leaks. One observer a worker; what they share stands in Shared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "core/budget.h"
#include "core/evidence.h"
#include "graph/explorer.h"
#include "graph/fingerprint.h"

namespace heddle::graph {

struct Shared {
  explicit Shared(core::DropProbe* probe) : drops(probe) {}
  core::Drops drops;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Explorer::Job> jobs;
  unsigned idle = 0;
  std::atomic<bool> stop{false};
  std::atomic<unsigned> hungry{0};           // idle workers without a job waiting for them
  std::atomic<std::uint64_t> executions{0};  // complete and blocked, now and then brought up to date
  std::optional<Violation> violation;
  core::ExecutionWitness witness;  // of the violation
  std::optional<core::Reason> reason;  // why it stopped without one
  std::set<Fingerprint> seen;
  std::uint64_t duplicates = 0;
};

class Observer : public Watcher {
 public:
  Observer(const core::Program&, const Options&, core::Budget&, Names&, Consistency&, Shared&, bool remember);
  void use(Explorer& e) { explorer_ = &e; }

  void event(Graph&, EventId) override;
  void failed(Graph&, ThreadId) override;
  bool maximal(Graph&, bool complete) override;
  bool stop() override;

 private:
  void report(const Graph&, Violation);
  void check_lifetime(Graph&, EventId e);
  void check_races(Graph&, EventId e);
  void check_waiting(const Graph&);
  bool cut_off(const Graph&, ThreadId) const;
  ThreadId in_lock_cycle(const Graph&) const;
  bool reads_the_latest(const Graph&, EventId last) const;
  void check_leaks(const Graph&);
  void tell(const Graph&);
  double estimated_executions(std::uint64_t found);
  std::string place_of(const Graph&, EventId) const;

  const core::Program& program_;
  const Options& options_;
  core::Budget& budget_;
  Names& names_;
  Consistency& consistency_;
  Shared& shared_;
  const bool remember_;  // every complete execution, so that none is reported twice
  Explorer* explorer_ = nullptr;
  std::uint64_t counted_ = 0;
  std::unique_ptr<Explorer> sampler_;  // for the estimate that a progress line shows
  std::mt19937_64 random_{1};
  double estimate_ = 0, sampling_ = 0;  // average of the samples; seconds spent on them
  std::uint64_t samples_ = 0;
};

}  // namespace heddle::graph
