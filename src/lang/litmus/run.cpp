// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "axioms/candidates.h"
#include "axioms/cat.h"
#include "lang/litmus/endings.h"
#include "lang/litmus/explain.h"
#include "lang/litmus/program.h"
#include "lang/litmus/witness.h"

namespace heddle::lang::litmus {

namespace {

// Counts, for every model, the executions that it accepts by final state.
class Collector final : public axioms::CandidateVisitor {
 public:
  Collector(const Test& test, const LitmusProgram& program, std::span<const ModelChoice> models,
            const RunOptions& options, const core::Budget* budget)
      : test_(test),
        program_(program),
        models_(models),
        options_(options),
        budget_(budget),
        probe_(budget != nullptr ? budget->probe : nullptr),
        results_(models.size()),
        states_(models.size()) {}

  bool candidate(const axioms::Execution<1>& x, const axioms::FinalState& end) override { return judge(x, end); }
  bool candidate(const axioms::Execution<4>& x, const axioms::FinalState& end) override { return judge(x, end); }
  bool candidate(const axioms::Execution<16>& x, const axioms::FinalState& end) override { return judge(x, end); }

  std::vector<ModelResult> results(const axioms::CandidateReport& report) {
    for (std::size_t m = 0; m < models_.size(); ++m) {
      ModelResult& r = results_[m];
      r.model = models_[m].name;
      r.candidates = report.candidates;
      r.cut_off = report.blocked;
      r.misaligned = program_.met_misaligned();
      if (r.refusal.none()) r.refusal = report.refusal;
      states_[m].move_to(r);
    }
    return std::move(results_);
  }

 private:
  template <unsigned W>
  bool judge(const axioms::Execution<W>& x, const axioms::FinalState& end) {
    observed_ = false;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      ModelResult& r = results_[m];
      if (!r.refusal.none()) continue;
      const ModelChoice& model = models_[m];
      // To a model in cat an access is one event: its relations would mix those of different bytes.
      bool mixed = !x.slices.empty();
      if (mixed && model.built_in != nullptr) {
        const auto h = model.built_in->hardware;
        mixed = model.built_in->language || h == axioms::Hardware::Power || h == axioms::Hardware::RiscV;
      }
      if (mixed || probe_ != nullptr) {
        core::Drops here(probe_);
        here.at(core::DropPlace::CandidateSizes, mixed, model.name);
        r.refusal = here.reason();
        if (!r.refusal.none()) continue;
      }
      axioms::Judge<W> verdict(options_.explain);
      bool accepted = false;
      if (model.built_in != nullptr) {
        accepted = model.built_in->accepts(x, verdict);
      } else {
        const axioms::CatVerdict v = model.own->judge(x, budget_, test_.dialect == Dialect::C);
        if (!v.error.empty()) {
          r.refusal = {v.stopped ? core::Reason::Kind::TimeLimit : core::Reason::Kind::Unsupported, v.error};
          continue;
        }
        accepted = v.accepted;
        if (accepted)
          for (const std::string& flag : v.flags)
            if (std::find(r.flags.begin(), r.flags.end(), flag) == r.flags.end()) r.flags.push_back(flag);
      }
      if (!accepted && !options_.explain && !options_.witness) continue;
      // Before the filter: a thread that failed has not come to its final registers.
      if (accepted && refuse_failed(end, r)) continue;
      observe(end);
      if (!end_.passes_filter) continue;
      if (options_.witness && end_.asked_for(test_) && x.slices.empty() &&
          (!r.witness || (accepted && !r.witness->allowed)))
        r.witness = Witness{witness_of(x, r.model.empty() ? model.name : r.model), nullptr, accepted};
      if (!accepted) {
        if (end_.satisfies && r.why.empty() && verdict.axiom() != nullptr) r.why = explain(x, verdict, program_);
        continue;
      }
      if (model.built_in != nullptr && model.built_in->language && !r.racy)
        r.racy = !axioms::races(x, *model.built_in).empty();
      states_[m].add(end_);
    }
    return std::any_of(results_.begin(), results_.end(), [](const ModelResult& r) { return r.refusal.none(); });
  }

  bool refuse_failed(const axioms::FinalState& end, ModelResult& r) const {
    for (std::size_t t = 0; t < end.threads(); ++t)
      if (end.failed(t)) {
        const core::Failure f = program_.failure(end.local(t));
        const core::SourcePlace p = program_.place(f.site);
        r.refused_at = p;
        r.refusal = {core::Reason::Kind::Unsupported,
                     fmt::format("{}:{}:{}: P{}: {}", p.file, p.line, p.column, t, f.message)};
      }
    return !r.refusal.none();
  }

  void observe(const axioms::FinalState& end) {
    if (observed_) return;
    observed_ = true;
    end_.observe(
        test_, program_, [&](std::size_t thread) -> core::ConstLocal { return end.local(thread); },
        [&](const core::Loc& loc) { return end.memory(loc); });
  }

  const Test& test_;
  const LitmusProgram& program_;
  std::span<const ModelChoice> models_;
  const RunOptions& options_;
  const core::Budget* budget_;
  core::DropProbe* const probe_;
  Ending end_;
  bool observed_ = false;
  std::vector<ModelResult> results_;
  std::vector<Endings> states_;
};

// `hardware`: what the accesses of a test in C are compiled to.
std::vector<ModelResult> run_group(const Test& test, std::span<const ModelChoice> models, axioms::Hardware hardware,
                                   const RunOptions& options, core::Budget* budget) {
  core::Budget clock;
  clock.start();
  // Witnesses keep the test and the program alive.
  struct Kept {
    Kept(const Test& t, unsigned unroll) : test(t), program(test, unroll) {}
    const Test test;
    const LitmusProgram program;
  };
  const auto kept = options.witness ? std::make_shared<const Kept>(test, options.unroll) : nullptr;
  std::optional<LitmusProgram> own;
  if (!kept) own.emplace(test, options.unroll);
  const LitmusProgram& program = kept ? kept->program : *own;
  core::Drops drops(budget != nullptr ? budget->probe : nullptr);
  Collector collector(test, program, models, options, budget);
  axioms::CandidateOptions how;
  how.hardware = hardware;
  how.drops = &drops;
  how.store_conditional_may_fail = options.store_conditional_may_fail;
  how.spurious_failures = options.spurious_cas;
  how.dependencies = std::any_of(models.begin(), models.end(),
                                 [](const ModelChoice& m) { return m.built_in == nullptr || m.built_in->needs_deps; });
  const auto report = axioms::enumerate_candidates(program, how, collector, budget);
  auto results = collector.results(report);
  for (ModelResult& r : results) {
    r.seconds = clock.elapsed();
    if (r.witness) r.witness->program = std::shared_ptr<const core::Program>(kept, &kept->program);
  }
  return results;
}

}  // namespace

bool ModelResult::condition_holds(const Test& test) const {
  switch (test.condition.quantifier) {
    case Quantifier::Exists: return positive > 0;
    case Quantifier::NotExists: return positive == 0;
    case Quantifier::Forall: return negative == 0;
  }
  return false;
}

// The language's models know C only, those of a machine C and its own instructions, all others everything.
std::string not_applicable(Dialect dialect, const ModelChoice& model) {
  if (dialect == Dialect::C || model.built_in == nullptr) return {};
  const auto own = [&](Dialect d) { return dialect == d; };
  bool applies = !model.built_in->language;
  switch (model.built_in->hardware) {
    case axioms::Hardware::None: break;
    case axioms::Hardware::Arm:
    case axioms::Hardware::ArmLse: applies = own(Dialect::AArch64); break;
    case axioms::Hardware::RiscV: applies = own(Dialect::RISCV); break;
    case axioms::Hardware::Power: applies = own(Dialect::PPC); break;
  }
  return applies ? std::string()
                 : fmt::format("{} says nothing of {} instructions", model.built_in->name, dialect_name(dialect));
}

std::vector<ModelResult> run_test(const Test& test, std::span<const ModelChoice> models, const RunOptions& options,
                                  core::Budget* budget) {
  // Models for which the test has the same events share one enumeration.
  std::vector<ModelResult> results(models.size());
  std::map<axioms::Hardware, std::vector<std::size_t>> groups;
  for (std::size_t m = 0; m < models.size(); ++m) {
    results[m].model = models[m].name;
    if (std::string why = not_applicable(test.dialect, models[m]); !why.empty()) {
      results[m].refusal = {core::Reason::Kind::Unsupported, std::move(why)};
      continue;
    }
    const bool compiled = test.dialect == Dialect::C && models[m].built_in != nullptr;
    groups[compiled ? models[m].built_in->hardware : axioms::Hardware::None].push_back(m);
  }
  for (const auto& [hardware, members] : groups) {
    std::vector<ModelChoice> chosen;
    for (std::size_t m : members) chosen.push_back(models[m]);
    std::vector<ModelResult> part = run_group(test, chosen, hardware, options, budget);
    for (std::size_t i = 0; i < members.size(); ++i) results[members[i]] = std::move(part[i]);
  }
  return results;
}

}  // namespace heddle::lang::litmus
