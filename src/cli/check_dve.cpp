// `heddle check` for DVE models: front end lang/dve, machines of memory/, the explicit engine, replay by check/.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "check/closing.h"
#include "check/ir_replay.h"
#include "cli/checker.h"
#include "cli/explicit.h"
#include "cli/replays.h"
#include "cli/turns.h"
#include "explore/search.h"
#include "ir/system.h"
#include "lang/dve/dve.h"
#include "memory/models.h"
#include "report/drawing.h"

namespace heddle::cli {
namespace {

struct Asked {
  std::vector<explore::Goal> goals;
  bool deadlocks = false;
};

support::Result<Asked> properties(const CheckRequest& request, ir::Program& program) {
  Asked asked;
  for (const std::string& property : request.properties) {
    if (property == "deadlock") asked.deadlocks = true;
    else if (property != "assertion")
      return support::Diagnostic{"", 0,
                                 0,  fmt::format("DVE models have no property '{}'", property),
                                 "", "use assertion, deadlock, --invariant or --reach"};
  }
  for (const auto& [list, option, value] :
       {std::tuple{&request.invariants, "--invariant", false}, std::tuple{&request.reach, "--reach", true}})
    for (const std::string& text : *list) {
      const auto proposition = dve::add_proposition(program, text, option);
      if (!proposition) return proposition.error();
      asked.goals.push_back({*proposition, value});
    }
  return asked;
}

check::Claim claim_of(const explore::Found& found, const Asked& asked) {
  using Kind = explore::Found::Kind;
  switch (found.kind) {
    case Kind::StateError: return {check::Claim::Kind::Assertion};
    case Kind::StepError: return {check::Claim::Kind::StepError};
    case Kind::Deadlock: return {check::Claim::Kind::Deadlock};
    case Kind::Goal:
    case Kind::GoalError: break;
  }
  const explore::Goal& goal = asked.goals[found.detail];
  if (found.kind == Kind::GoalError) return {check::Claim::Kind::PropositionError, goal.proposition};
  return {check::Claim::Kind::Proposition, goal.proposition, goal.forbidden_when};
}

void accept(core::Verdict& verdict, check::Replayed replayed) {
  verdict.outcome = core::Outcome::Unsafe;
  verdict.reason.clear();
  verdict.violation_kind = replayed.kind;
  verdict.violation = replayed.violation;
  replayed.trace.closing = check::closing_words(replayed.trace, replayed.violation);
  verdict.trace = std::move(replayed.trace);
}

// Believes the engine only as far as the replay does.
void judge(core::Verdict& verdict, const explore::Found& found, const Asked& asked, const ir::Program& program,
           unsigned bound) {
  check::Replayed replayed = check::replay(program, verdict.model, bound, found.moves, claim_of(found, asked));
  if (!replayed.confirmed) {
    verdict.outcome = core::Outcome::Unknown;
    verdict.reason = "internal error: the trace that was found does not replay: " + replayed.why;
    return;
  }
  accept(verdict, std::move(replayed));
}

// Replays the trace of a saved report; what it must end in is what the report says it does.
support::Result<std::vector<core::Verdict>> replay(const CheckRequest& request, const Asked& asked,
                                                   const ir::Program& program) {
  const auto saved = saved_traces(request);
  if (!saved) return saved.error();
  std::vector<core::Verdict> verdicts;
  for (const core::Verdict& old : *saved) {
    std::vector<check::Claim> claims;
    if (old.violation_kind == "deadlock") claims.push_back({check::Claim::Kind::Deadlock});
    else if (old.violation_kind == "reach" || old.violation_kind == "invariant")
      for (const explore::Goal& goal : asked.goals)
        claims.push_back({check::Claim::Kind::Proposition, goal.proposition, goal.forbidden_when});
    else {
      for (const auto kind : {check::Claim::Kind::Assertion, check::Claim::Kind::StepError}) claims.push_back({kind});
      for (const explore::Goal& goal : asked.goals)
        claims.push_back({check::Claim::Kind::PropositionError, goal.proposition});
    }
    std::vector<core::Move> moves;
    for (const core::TraceStep& step : old.trace->steps) moves.push_back(step.move);
    core::Verdict verdict;
    verdict.model = old.model;
    verdict.statistics.engine = "replay";
    std::string why = "its property is not among those given (repeat --reach or --invariant)";
    for (const check::Claim& claim : claims) {
      check::Replayed replayed = check::replay(program, old.model, buffer_bound(request), moves, claim);
      why = replayed.why;
      if (!replayed.confirmed) continue;
      accept(verdict, std::move(replayed));
      break;
    }
    if (verdict.outcome != core::Outcome::Unsafe) return diverges(request.replay, old, why);
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

// A move in words, as "P_0: asked -> waiting { effect turn = 1; }".
std::string move_text(const ir::Program& program, const core::Move& move) {
  if (move.thread >= program.processes.size()) return "all together";
  const auto one = [&](std::uint32_t process, std::uint32_t number) {
    const ir::Process& p = program.processes[process];
    if (number >= p.edges.size()) return p.name;
    const ir::Edge& edge = program.edge(process, number);
    const std::string text = edge.site == core::no_site ? std::string() : program.sites[edge.site].text;
    return fmt::format("{}: {}", p.name,
                       text.empty() ? p.states[edge.source].name + " -> " + p.states[edge.target].name : text);
  };
  if (move.kind == core::Move::Kind::Flush)
    return fmt::format("{}: flush{}", program.processes[move.thread].name,
                       move.choice == 0 ? "" : fmt::format(" (entry {})", move.choice + 1));
  std::string text = one(move.thread, move.choice);
  if (move.partner != core::Move::none) text += "\n" + one(move.partner, move.partner_choice);
  return text;
}

core::Verdict check_model(const CheckRequest& request, const std::string& model, const Asked& asked,
                          const ir::Program& program, core::Budget& budget) {
  core::Verdict verdict;
  verdict.model = model;
  verdict.statistics.engine = "explicit";
  budget.subject = model + ", explicit";
  const memory::Machine& machine = *memory::find_machine(model);
  if (const auto refusal = ir::System::refuse(program, machine)) {
    verdict.reason = *refusal;
    return verdict;
  }
  const unsigned bound = buffer_bound(request);
  ir::SystemOptions system_options{.buffer_bound = bound, .visible = {}};
  for (const explore::Goal& goal : asked.goals) system_options.visible.push_back(goal.proposition);
  const ir::System system(program, machine, system_options);

  explore::SearchOptions options = search_options(request);
  options.deadlocks = asked.deadlocks;
  options.goals = asked.goals;
  core::Drops drops(budget.probe);
  options.drops = &drops;
  const double begun = budget.elapsed();
  const explore::SearchResult result = explore::search_with_trace(system, options, budget);
  put_statistics(verdict, result, budget.elapsed() - begun);
  if (result.found) {
    judge(verdict, *result.found, asked, program, bound);
  } else {
    conclude_search(verdict, result, drops, bounds_of(system, machine, request));
  }
  if (program.property != ir::none)
    verdict.notes.push_back(
        fmt::format("only runs that the property process {} follows were looked at; whether one of them is "
                    "accepted was not checked",
                    program.processes[program.property].name));
  if (request.drawings != nullptr && !request.dot.empty()) {
    report::StateGraph drawn =
        report::state_graph(system, [&](core::State, const core::Move& move) { return move_text(program, move); });
    if (!drawn.complete) verdict.notes.push_back(report::partly_drawn(verdict));
    report::fresh_drawing(*request.drawings, model).states = std::move(drawn);
  }
  return verdict;
}

}  // namespace

support::Result<std::vector<core::Verdict>> check_dve(const CheckRequest& request, core::Budget& budget) {
  if (request.files.size() != 1)
    return support::Diagnostic{"", 0, 0, "a DVE model is one file", "", "check one file at a time"};
  dve::Options options;
  for (const std::string& define : request.defines) {
    const std::size_t equals = define.find('=');
    options.defines.emplace_back(define.substr(0, equals),
                                 equals == std::string::npos ? "" : define.substr(equals + 1));
  }
  if (!request.atomic_file.empty()) options.atomic_file = request.atomic_file;
  options.budget = &budget;
  auto program = dve::load(request.files.front(), options);
  if (!program) return program.error();
  const auto asked = properties(request, *program);
  if (!asked) return asked.error();

  if (!request.replay.empty()) return replay(request, *asked, *program);

  std::vector<core::Verdict> verdicts;
  for (const std::string& model : request.models) {
    const auto share = fair_share(budget, request.models.size() - verdicts.size());
    verdicts.push_back(check_model(request, model, *asked, *program, *share));
    if (request.decided) request.decided(verdicts.back());
  }
  return verdicts;
}

}  // namespace heddle::cli
