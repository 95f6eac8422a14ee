// SPDX-License-Identifier: Apache-2.0
#include "cli/cubicle_instance.h"

#include "cli/replays.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/cubicle_explore.h"
#include "cli/explicit.h"
#include "core/evidence.h"
#include "core/input.h"
#include "explore/search.h"
#include "ir/system.h"
#include "lang/cubicle/instance.h"
#include "memory/models.h"
#include "report/json.h"

namespace heddle::cli {

namespace {

std::string plural(unsigned n) { return fmt::format("{} process{}", n, n == 1 ? "" : "es"); }

void accept(core::Verdict& verdict, core::Trace trace, unsigned processes) {
  verdict.outcome = core::Outcome::Unsafe;
  verdict.reason.clear();
  verdict.violation_kind = "unsafe";
  verdict.violation = fmt::format("{}, with {}", trace.closing, plural(processes));
  verdict.trace = std::move(trace);
}

std::vector<check::CubicleMove> moves_of(const explore::Found& found, const cubicle::Instance& instance) {
  std::vector<check::CubicleMove> moves;
  for (const core::Move& m : found.moves) {
    if (m.kind == core::Move::Kind::Flush) {
      moves.push_back({true, m.thread, m.choice, {}});
      continue;
    }
    const cubicle::Instance::Origin& origin = instance.origins[instance.program.processes[m.thread].edges[m.choice]];
    if (origin.transition != cubicle::Instance::Origin::initial)
      moves.push_back({false, 0, 0, {origin.transition, origin.parameters}});
  }
  return moves;
}

// "enter(#1, #3)" as the trace of a report has it.
std::optional<check::CubicleStep> step_of(const std::string& action, const cubicle::System& system,
                                          unsigned processes) {
  const std::size_t open = action.find('(');
  if (open == std::string::npos || !action.ends_with(')')) return std::nullopt;
  const std::string name = action.substr(0, open);
  check::CubicleStep step;
  std::istringstream rest(action.substr(open + 1, action.size() - open - 2));
  for (std::string part; std::getline(rest, part, ',');) {
    const std::size_t at = part.find('#');
    if (at == std::string::npos) return std::nullopt;
    const unsigned long k = std::strtoul(part.c_str() + at + 1, nullptr, 10);
    if (k == 0 || k > processes) return std::nullopt;
    step.parameters.push_back(static_cast<unsigned>(k - 1));
  }
  for (std::size_t i = 0; i < step.parameters.size(); ++i)
    if (std::find(step.parameters.begin(), step.parameters.begin() + static_cast<std::ptrdiff_t>(i),
                  step.parameters[i]) != step.parameters.begin() + static_cast<std::ptrdiff_t>(i))
      return std::nullopt;
  for (std::size_t t = 0; t < system.transitions.size(); ++t)
    if (system.transitions[t].name == name && system.transitions[t].parameters == step.parameters.size()) {
      step.transition = t;
      return step;
    }
  return std::nullopt;
}

// The most processes that a saved trace speaks of: every one that a name "#k" stands for in it.
unsigned processes_of(const core::Verdict& verdict, const cubicle::System& system) {
  unsigned most = std::max(1U, system.concrete);
  const auto look = [&](const std::string& text) {
    for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1))
      most = std::max(most, static_cast<unsigned>(std::min(100UL, std::strtoul(text.c_str() + at + 1, nullptr, 10))));
  };
  for (const core::TraceStep& s : verdict.trace->steps) {
    look(s.action);
    look(s.thread);
    for (const core::Effect& e : s.effects) look(e.location), look(e.value);
  }
  if (const std::size_t with = verdict.violation.rfind(", with "); with != std::string::npos)
    most = std::max(
        most, static_cast<unsigned>(std::min(100UL, std::strtoul(verdict.violation.c_str() + with + 7, nullptr, 10))));
  return most;
}

}  // namespace

support::Result<core::Verdict> decide_instance(const cubicle::System& system, const std::string& model,
                                               const CubicleInstanceOptions& options, core::Budget& budget) {
  const auto instance = cubicle::instantiate(system, options.processes);
  if (!instance) return instance.error();
  core::Verdict verdict;
  verdict.model = model;
  verdict.statistics.engine = "explicit";
  budget.subject = model + ", explicit";
  // Without weak names there is no memory to reorder: every model is sc.
  const memory::Machine& machine = system.has_weak() ? *memory::find_machine(model) : *memory::find_machine("sc");
  ir::SystemOptions how;
  how.buffer_bound = options.buffer;
  explore::SearchOptions search;
  search.workers = options.workers;
  core::Drops drops(budget.probe);
  search.drops = &drops;
  for (std::uint32_t u = 0; u < instance->program.propositions.size(); ++u) {
    how.visible.push_back(u);
    search.goals.push_back({u, true});
  }
  const ir::System product(instance->program, machine, how);
  const double begun = budget.elapsed();
  const explore::SearchResult result = explore::search_with_trace(product, search, budget);
  core::Statistics& statistics = verdict.statistics;
  statistics.states = result.states;
  statistics.transitions = result.transitions;
  if (result.levels != 0) statistics.levels = result.levels;
  statistics.bytes = result.bytes;
  statistics.seconds = budget.elapsed() - begun;
  statistics.more.emplace_back("processes", std::to_string(options.processes));
  statistics.more.emplace_back("initial states", std::to_string(instance->initial_states));
  verdict.notes.push_back(fmt::format("an instance of {}: SAFE says nothing of others", plural(options.processes)));
  if (!system.invariants.empty()) verdict.notes.push_back("the system's invariant blocks are trusted");

  if (result.found && result.found->kind == explore::Found::Kind::Goal) {
    const check::CubicleMachine naive(system, system.has_weak() && options.buffer != 0 ? model : "sc",
                                      options.processes, options.buffer);
    check::Followed followed = check::follow(naive, moves_of(*result.found, *instance), model);
    if (followed.trace) accept(verdict, std::move(*followed.trace), options.processes);
    else verdict.reason = "internal error: the trace that was found does not replay: " + followed.why;
  } else if (result.found) {
    verdict.reason = "a number leaves -32768 ... 32767, the range of an instance";
  } else {
    std::vector<std::string> bounds = product.bounds_reached();
    if (options.buffer == 0 && system.has_weak() && model != "sc") bounds.emplace_back("buffer 0");
    if (instance->chosen) bounds.emplace_back("the numbers that the text names");
    conclude_search(verdict, result, drops, std::move(bounds));
  }
  return verdict;
}

support::Result<std::vector<core::Verdict>> replay_cubicle(const cubicle::System& system, const CheckRequest& request) {
  const auto saved = saved_traces(request);
  if (!saved) return saved.error();
  std::vector<core::Verdict> verdicts;
  for (const core::Verdict& old : *saved) {
    if (old.model != "sc" && old.model != "tso" && old.model != "pso")
      return support::Diagnostic{request.replay,
                                 0,
                                 0,
                                 fmt::format("there is no model '{}' for array-based systems", old.model),
                                 "",
                                 "`heddle models` lists them"};
    core::Verdict verdict;
    verdict.model = old.model;
    verdict.statistics.engine = "replay";
    const unsigned processes = processes_of(old, system);
    if (processes > cubicle::max_instance)
      return diverges(request.replay, old, "it has more processes than can be replayed");
    std::vector<check::CubicleMove> moves;
    for (std::size_t i = 0; i < old.trace->steps.size(); ++i) {
      const core::TraceStep& s = old.trace->steps[i];
      if (s.move.kind == core::Move::Kind::Flush) {
        moves.push_back({true, s.move.thread, s.move.choice, {}});
      } else if (const auto step = step_of(s.action, system, processes)) {
        moves.push_back({false, 0, 0, *step});
      } else {
        return diverges(request.replay, old,
                        fmt::format("step {} is '{}', and there is no such transition", i + 1, s.action));
      }
    }
    const check::CubicleMachine machine(system, old.model, processes, static_cast<unsigned>(moves.size()) + 1);
    check::Followed followed = check::follow(machine, moves, old.model);
    if (!followed.trace) return diverges(request.replay, old, followed.why);
    accept(verdict, std::move(*followed.trace), processes);
    verdicts.push_back(std::move(verdict));
    if (request.decided) request.decided(verdicts.back());
  }
  return verdicts;
}

}  // namespace heddle::cli
