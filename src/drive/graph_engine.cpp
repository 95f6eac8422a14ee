// SPDX-License-Identifier: Apache-2.0
#include "drive/graph_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/graph_replay.h"
#include "graph/check.h"

namespace heddle::drive {

namespace {

// A data race is undefined behaviour of the language; elsewhere only who asks for races wants to hear of them.
bool looks_for_races(const core::Properties& properties, const models::Model& model) {
  const core::Race* race = properties.find<core::Race>();
  return race != nullptr && (!race->language_only || model.axioms->language);
}

// Models of processes that go round for ever are no food for execution graphs, and few of them have assertions: only who
// asks for graphs gets them.
std::optional<core::Reason> refuses_steps(const ir::Program& program, const core::Properties& asked,
                                          const models::Model& model, const Task& task) {
  if (!task.engine.given) return refusal("answers for models of this language only if it is asked for");
  if (model.machine == nullptr) return refusal(fmt::format("has no machine for '{}'", model.name));
  for (const core::Property& property : asked.list)
    if (!std::holds_alternative<core::Assertion>(property))
      return refusal("looks only for assertions and run-time errors in models of this language");
  if (const auto why = ir::AsThreads::refuse(program, model.machine->has_buffers()))
    return refusal(fmt::format("cannot take this model, which {}", *why));
  if (const ir::Process* cyclic = ir::AsThreads::first_cyclic(program); cyclic != nullptr && *task.loop_bound == 0)
    return refusal(fmt::format("needs --loop-bound, since process '{}' can go round for ever", cyclic->name));
  return std::nullopt;
}

}  // namespace

std::optional<core::Reason> graph_refuses(const Subject& subject, const models::Model& model, const Task& task) {
  if (subject.arrays() != nullptr) return refusal("does not take programs of this language");
  if (subject.properties.has<core::Ltl>()) return refusal("looks at finite runs only");
  if (model.axioms == nullptr) return refusal(fmt::format("has no model '{}'", model.name));
  if (task.certificate.given) return refusal("writes no certificate");
  if (const ir::Program* steps = subject.steps())
    if (auto why = refuses_steps(*steps, subject.properties, model, task)) return why;
  for (const auto& [given, option] :
       {std::pair{task.order.given, "--search"}, {task.por.given, "--por"}, {task.buffer.given, "--buffer"}})
    if (given) return refusal(fmt::format("does not have {}", option));
  if (subject.properties.has<core::Livelock>()) return refusal("does not look for livelocks (use --property liveness)");
  if (looks_for_races(subject.properties, model) && !model.axioms->language)
    return refusal(fmt::format("finds no races under '{}', whose axioms know none", model.name));
  // Where machine and axioms differ, the machine is what the model is defined by.
  if (!model.equivalent && !task.engine.given && !subject.properties.has<core::Liveness>() &&
      !subject.properties.has<core::Robust>())
    return refusal(fmt::format("has axioms of '{}' that allow more than its machine", model.name));
  return std::nullopt;
}

// A hundredth of a second: most programs need less.
std::uint64_t graph_forecast_after(const models::Model& model, const Task& task) {
  return *task.workers <= 1 && model.axioms->po_rf_acyclic ? 4096 : 0;
}

core::Finding run_graph(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  const core::Properties& asked = subject.properties;
  graph::Options options;
  options.model = model.name;
  options.properties.deadlock = asked.has<core::Deadlock>();
  options.properties.leaks = asked.has<core::Leak>();
  options.properties.races = looks_for_races(asked, model);
  options.properties.liveness = asked.has<core::Liveness>();
  options.properties.robust = asked.has<core::Robust>();
  options.workers = static_cast<unsigned>(std::clamp<std::uint64_t>(*task.workers, 1, 256));
  options.loop_bound = static_cast<std::uint32_t>(std::min<std::uint64_t>(*task.loop_bound, 1000000));
  options.spurious_cas = weak_cas_may_fail(model, task);
  options.symmetry = *task.symmetry;
  options.private_objects = true;
  options.confirms = [&](const core::ExecutionWitness& witness, const core::Claim& claim) {
    return check::confirm_graph(subject.program(model), witness, claim).confirmed;
  };
  return graph::check(subject.program(model), options, budget);
}

}  // namespace heddle::drive
