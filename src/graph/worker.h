// One worker: an exploration with tables of its own, the observer of its graphs, and what must be done now and then
// (limits, progress, giving work away).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/budget.h"
#include "graph/exploration.h"
#include "graph/observer.h"
#include "graph/sampler.h"
#include "graph/shared.h"

namespace heddle::graph {

// Of one worker, or of all.
struct Totals {
  Counts counts;  // of the last round
  std::uint64_t bytes = 0;
  bool bounded = false;        // the loop bound was reached
  bool exit_left_out = false;  // an execution in which a thread exits inside an atomic step
  bool weak_cas = false;
  bool failures_once = false;  // assumed: none of them fails spuriously twice in a row
  bool addresses = false;
  bool unpromised = false;  // Promises::left_out
  unsigned rounds = 1;
  unsigned symmetric = 0;

  void add(const Totals&);
};

class Worker {
 public:
  Worker(const core::Program&, const axioms::Model&, const Options&, core::Budget&, Names&, Shared&);
  ~Worker();

  // Explores this part of the tree, or what is worth it before all begin anew; false if stopped.
  bool explore(const Job&);
  // The whole tree is explored. True if this worker found new promises, so that all begin anew (Shared::begin_again).
  bool end_round();
  void begin_again();
  Totals totals() const;

 private:
  struct Samples;
  bool goes_on();
  bool round_is_in_vain();
  bool can_estimate() const;
  bool can_forecast() const;
  std::optional<double> estimated_executions(std::uint64_t found);
  std::optional<double> forecast_steps();

  const core::Program& program_;
  const axioms::Model& model_;
  const Options& options_;
  core::Budget& budget_;
  Names& names_;
  Shared& shared_;
  Tables tables_;
  const std::unique_ptr<Consistency> consistency_;
  Promises promises_;
  Observer observer_;
  Exploration exploration_;
  std::unique_ptr<Samples> samples_;    // for the estimate that a progress line shows
  std::unique_ptr<Samples> forecasts_;  // for forecasts: what they run is cached from one to the next
  double sampling_ = 0;                 // seconds spent on it
  std::uint64_t next_forecast_;         // after so many steps; `never`: none is wanted
  std::uint64_t changes_ = 0;           // of the promises in this round, and the step at which the last was seen
  std::uint64_t changed_at_ = 0;
  unsigned rounds_ = 1;
};

}  // namespace heddle::graph
