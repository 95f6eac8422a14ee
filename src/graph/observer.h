// What is looked at while graphs grow and when they are complete: memory errors, races, deadlock, liveness of spin
// loops, robustness, leaks. One observer per worker; what they find stands in Shared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "axioms/models.h"
#include "core/program.h"
#include "graph/atomic_steps.h"
#include "graph/consistency.h"
#include "graph/options.h"
#include "graph/shared.h"
#include "graph/watcher.h"

namespace heddle::graph {

class Observer : public Watcher {
 public:
  // `most`: executions after which the exploration is over.
  Observer(const core::Program&, const axioms::Model&, const Options&, std::uint64_t most, const Tables&, Consistency&,
           Shared&);

  void event(Graph&, EventId) override;
  void failed(Graph&, ThreadId) override;
  bool maximal(Graph&, bool complete) override;
  bool stops() const override;
  bool prefix_decides() const override { return prefix_decides_; }

  // How to learn the decisions that lead to the graph at hand.
  void ask_for_path(std::function<std::vector<std::uint32_t>()> path) { path_ = std::move(path); }

 private:
  void report(const Graph&, Violation);
  bool complete(Graph&);
  bool seen_before(const Graph&);
  void check_forwarding(const Graph&, EventId e);
  void check_lifetime(Graph&, EventId e);
  bool asks_size(const Graph&, EventId e) const;
  bool fails_if_freed(const Graph&, EventId question) const;
  bool is_late(Graph&, EventId access, EventId free, bool& asked);
  void report_late(Graph&, EventId access, EventId free);
  bool reads_again(const Graph&, EventId r) const;
  bool sleeps(const Graph&, const ThreadState&) const;
  void check_races(Graph&, EventId e);
  bool races_with_sleeper(Graph&, EventId w, EventId r);
  bool check_lock_cycle(const Graph&);
  void check_waiting(const Graph&);
  bool cut_off(const Graph&, ThreadId) const;
  bool only_chooses(const Graph&, ThreadId) const;
  ThreadId in_lock_cycle(const Graph&) const;
  bool reads_the_latest(const Graph&, EventId last) const;
  bool unfreed(const Graph&, const Event&, bool (*such)(core::AllocKind)) const;
  void check_leaks(const Graph&);
  void tell(const Graph&);
  std::string place_of(const Graph&, EventId) const;

  const core::Program& program_;
  const axioms::Model& model_;
  const Options& options_;
  const std::uint64_t most_;
  const Tables& tables_;
  Consistency& consistency_;
  Shared& shared_;
  AtomicSteps steps_;
  std::function<std::vector<std::uint32_t>()> path_;
  bool prefix_decides_;
};

}  // namespace heddle::graph
