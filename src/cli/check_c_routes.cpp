// SPDX-License-Identifier: Apache-2.0
#include "cli/check_c_routes.h"

#include <fmt/format.h>

#include "axioms/models.h"
#include "memory/models.h"

namespace heddle::cli {

namespace {

// First turns. Most programs that graphs are good at have fewer executions than this, and these take a second or two.
constexpr std::uint64_t first_executions = 200'000;
constexpr std::uint64_t first_states = 500'000;
// Barriers, semaphores and pools of threads have few executions, each in many steps, and few states.
constexpr std::uint64_t first_steps = 150'000;

support::Diagnostic mistake(std::string message, std::string hint) {
  return {"", 0, 0, std::move(message), "", std::move(hint)};
}

// What the user can do about it.
std::string hint_for(const Route& route, const std::string& reason) {
  const auto says = [&](const char* part) { return reason.find(part) != std::string::npos; };
  if (says("goes on for too long"))
    return route.states ? "--loop-bound N gives an answer up to a bound"
           : memory::find_machine(route.model) != nullptr
               ? "it may never end; --engine explicit may settle it, --loop-bound N gives an answer up to a bound"
               : "it may never end; --loop-bound N gives an answer up to a bound";
  if (says("time limit")) return "a larger --timeout may help";
  if (says("limit of")) return says("memory") ? "a larger --memory may help" : "a larger --max-states may help";
  return {};
}

}  // namespace

support::Result<std::vector<Route>> choose_engines(const CheckRequest& request, const Needs& needs) {
  if (!needs.graphs.empty() && !needs.states.empty())
    return mistake(fmt::format("{} needs the graph engine and {} the explicit one", needs.graphs, needs.states),
                   "ask for one of them at a time");
  if (request.engine == "explicit" && !needs.graphs.empty())
    return mistake(fmt::format("{} needs the graph engine", needs.graphs), "leave --engine explicit out");
  if (request.engine == "graph" && !needs.states.empty())
    return mistake(fmt::format("{} needs the explicit engine", needs.states),
                   needs.states == "--property livelock" ? "use --property liveness, or --engine explicit"
                                                         : "leave --engine graph out");
  const bool graphs = request.engine != "explicit" && needs.states.empty();
  // A bound on loops is a wish, not a need: where graphs refuse, explicit states answer without one.
  const bool states = request.engine != "graph" && (needs.graphs.empty() || needs.graphs == "--loop-bound");

  std::vector<Route> routes;
  std::string left_out;
  for (const std::string& model : request.models) {
    const axioms::Model* given_by_axioms = axioms::find_model(model);
    const memory::Machine* machine = memory::find_machine(model);
    Route route;
    route.model = model;
    route.graphs = graphs && given_by_axioms != nullptr && (!needs.races || given_by_axioms->language);
    route.states = states && machine != nullptr;
    // The axioms of nsw allow a little more than its machine: neither may speak for the other, and the machine is what
    // the model was defined by.
    if (model == "nsw" && route.states) route.graphs = false;
    route.puts_off = given_by_axioms != nullptr ? given_by_axioms->needs_deps : machine->defers_loads();
    if (route.graphs || route.states) {
      routes.push_back(std::move(route));
    } else if (request.ladder) {
      left_out += (left_out.empty() ? "" : ", ") + model;
    } else if (needs.races && graphs) {
      return mistake(fmt::format("--property race: the axioms of '{}' know no data races", model),
                     machine != nullptr
                         ? "leave --engine graph out"
                         : "use --model rc11 or ra, or a model that has a machine: sc, tso, pso, nsw, lmo");
    } else {
      const std::string cause = request.engine.empty() ? (needs.states.empty() ? needs.graphs : needs.states) : "";
      return mistake(fmt::format("the {} engine{} has no model '{}'", graphs ? "graph" : "explicit",
                                 cause.empty() ? "" : ", which " + cause + " needs,", model),
                     "`heddle models` lists them");
    }
  }
  if (!left_out.empty() && !routes.empty())
    routes.front().notes.push_back(needs.races ? fmt::format("not run: {} (their axioms know no data races)", left_out)
                                               : fmt::format("not run: {} (the {} engine does not have them)", left_out,
                                                             graphs ? "graph" : "explicit"));
  return routes;
}

core::Verdict follow(const Route& route, const Attempt& graphs, const Attempt& states, core::Budget& budget,
                     bool several) {
  core::Verdict verdict;
  if (route.graphs && route.states)
    verdict = take_turns({"graph", graphs, first_executions, first_steps}, {"explicit", states, first_states}, budget);
  else verdict = route.graphs ? graphs(budget) : states(budget);
  if (verdict.outcome == core::Outcome::Unknown && !verdict.reason.starts_with("internal error")) {
    const bool share = several && verdict.reason.find("time limit") != std::string::npos;
    std::string hint = hint_for(route, verdict.reason);
    if (share) hint = "this model's share of the whole time; " + hint;
    if (!hint.empty()) verdict.reason = fmt::format("{} ({})", short_reason(verdict.reason), hint);
  }
  verdict.notes.insert(verdict.notes.begin(), route.notes.begin(), route.notes.end());
  return verdict;
}

}  // namespace heddle::cli
