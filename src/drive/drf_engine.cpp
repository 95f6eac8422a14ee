// SPDX-License-Identifier: Apache-2.0
#include "drive/drf_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/evidence.h"
#include "explore/product.h"
#include "explore/search.h"
#include "vm/order_places.h"

namespace heddle::drive {

std::optional<core::Reason> drf_refuses(const Subject& subject, const models::Model& model, const Task& task) {
  if (subject.threads() == nullptr) return refusal("takes only programs of threads with memory orders");
  if (!model.drf_sc) return refusal(fmt::format("knows no theorem about '{}'", model.name));
  for (const core::Property& property : subject.properties.list)
    if (!std::holds_alternative<core::Assertion>(property) && !std::holds_alternative<core::Deadlock>(property) &&
        !std::holds_alternative<core::Leak>(property) && !std::holds_alternative<core::Race>(property))
      return refusal("looks only for assertions, memory errors, deadlocks, leaks and races");
  for (const auto& [given, option] : {std::pair{task.order.given, "--search"},
                                      {task.por.given, "--por"},
                                      {task.buffer.given, "--buffer"},
                                      {task.loop_bound.given, "--loop-bound"},
                                      {task.certificate.given, "--certificate"},
                                      {task.symmetry.given && task.engine.given, "--symmetry"}})
    if (given) return refusal(fmt::format("does not have {}", option));
  if (task.drawings != nullptr) return refusal("draws nothing");
  return std::nullopt;
}

bool drf_applies(const Subject& subject, const models::Model& model) {
  const auto* program = dynamic_cast<const vm::VmProgram*>(&subject.threads()->program(model));
  return program != nullptr && std::ranges::all_of(vm::order_places(*program, false), [](const vm::OrderPlace& place) {
           return place.kind == vm::OrderPlace::Kind::Fence || place.own == core::Order::SeqCst;
         });
}

core::Finding run_drf(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  const core::Properties& asked = subject.properties;
  const bool spurious_cas = weak_cas_may_fail(model, task);
  const explore::Product product(subject.threads()->program(model), *models::machine("sc"),
                                 {.spurious_cas = spurious_cas,
                                  .leaks = asked.has<core::Leak>(),
                                  .deadlocks = asked.has<core::Deadlock>(),
                                  .races = true,
                                  .seq_cst_only = true});
  core::Finding finding;
  core::Drops drops(budget.probe);
  explore::SearchOptions options;
  options.workers = static_cast<unsigned>(std::clamp<std::uint64_t>(*task.workers, 1, 256));
  options.deadlocks = asked.has<core::Deadlock>();
  options.drops = &drops;
  const double begun = budget.elapsed();
  const explore::SearchResult result = explore::search(product, options, budget);
  finding.statistics.states = result.states;
  finding.statistics.transitions = result.transitions;
  finding.statistics.bytes = result.bytes;
  finding.statistics.seconds = budget.elapsed() - begun;
  if (product.met_addresses()) finding.assumptions.emplace_back(core::addresses_are_chosen);
  if (product.met_weak_cas() && !spurious_cas) finding.assumptions.emplace_back(core::weak_cas_succeeds);
  if (!result.found) {
    std::visit(
        [&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
        core::conclude({.drops = &drops, .ended = !result.stopped, .stopped = result.stopped, .seen = result.states}));
    if (finding.nothing()) finding.notes.emplace_back("decided under sc: all races are between seq_cst accesses");
    return finding;
  }
  const bool deadlock = result.found->kind == explore::Found::Kind::Deadlock;
  const std::string kind = deadlock ? std::string() : product.error_kind(result.found->detail);
  if (core::is_unsupported(kind)) {  // the program does nothing wrong
    finding.what = refusal(product.error_text(result.found->detail));
    return finding;
  }
  const bool race = !deadlock && core::claim_of(kind).is<core::Race>();
  finding.what = core::Reason{core::Reason::Kind::Open, race ? "under sc two accesses race that are not both seq_cst"
                                                             : "the program goes wrong under sc"};
  return finding;
}

}  // namespace heddle::drive
