// SPDX-License-Identifier: Apache-2.0
#include "graph/check.h"

#include <set>

#include "graph/explorer.h"
#include "graph/fingerprint.h"
#include "graph/witness.h"

namespace heddle::graph {

namespace {

class Observer : public Watcher {
 public:
  Observer(const core::Program& p, const Options& o, core::Budget& b) : program_(p), options_(o), budget_(b) {}
  void use(Explorer& e) { explorer_ = &e; }

  void event(Graph&, EventId) override {}
  void failed(Graph& g, ThreadId t) override {
    if (violation || !options_.properties.assertions) return;
    const core::Failure f = program_.failure(explorer_->tables().local(g.threads[t].state));
    violation = Violation{f.kind, f.message, t};
  }
  void maximal(Graph& g, bool complete) override {
    if (!complete) return;
    if (options_.hash_executions && !seen_.insert(fingerprint(g)).second) ++duplicates;
    if (options_.on_complete) tell(g);
  }
  bool stop() override {
    if (violation && !options_.count_all) return true;
    if (!explorer_->tables().unsupported().empty()) {
      reason = "the graph engine does not handle " + explorer_->tables().unsupported();
      return true;
    }
    const Counts& c = explorer_->counts();
    core::Progress p;
    p.states = c.complete + c.blocked;
    p.unit = "executions";
    if (auto why = budget_.spent(p)) {
      reason = *why;
      return true;
    }
    return false;
  }

  std::optional<Violation> violation;
  std::string reason;
  std::uint64_t duplicates = 0;

 private:
  void tell(const Graph& g) {
    Tables& tables = explorer_->tables();
    Completed done;
    for (ThreadId t = 0; t < g.threads.size(); ++t)
      if (g.threads[t].alive) done.threads.emplace_back(t, tables.local(g.threads[t].state));
    for (LocId l = 0; l < g.locs.size(); ++l) {
      const EventId w = g.locs[l].tail;
      done.memory.emplace_back(tables.location(l).loc, w < 0 ? tables.location(l).initial : g[w].value);
    }
    done.witness = witness(program_, g, tables, options_.model, false);
    options_.on_complete(done);
  }

  const core::Program& program_;
  const Options& options_;
  core::Budget& budget_;
  Explorer* explorer_ = nullptr;
  std::set<Fingerprint> seen_;
};

}  // namespace

core::Verdict check(const core::Program& program, const Options& options, core::Budget& budget) {
  core::Verdict verdict;
  verdict.model = options.model;
  verdict.statistics.engine = "graph";
  const auto consistency = make_consistency(options.model);
  if (!consistency) {
    verdict.reason = "the graph engine has no model " + options.model;
    return verdict;
  }
  const double begun = budget.elapsed();
  Names names(program);
  Tables tables(program, names, false);
  Observer observer(program, options, budget);
  Explorer explorer(program, names, tables, *consistency, options, observer);
  observer.use(explorer);
  const bool finished = explorer.run({});
  const Counts& c = explorer.counts();
  verdict.statistics.executions = c.complete;
  verdict.statistics.blocked = c.blocked;
  verdict.statistics.transitions = c.steps;
  if (options.hash_executions) verdict.statistics.duplicates = observer.duplicates;
  verdict.statistics.bytes = explorer.bytes();
  verdict.statistics.seconds = budget.elapsed() - begun;
  if (observer.violation) {
    verdict.outcome = core::Outcome::Unsafe;
    verdict.violation_kind = observer.violation->kind;
    verdict.violation = observer.violation->message;
  } else if (finished) {
    verdict.outcome = core::Outcome::Safe;
  } else {
    verdict.reason = observer.reason;
  }
  return verdict;
}

}  // namespace heddle::graph
