// `heddle check` for C and LLVM IR: front end lang/llvm, machines of memory/, the explicit engine, replay by check/.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "check/closing.h"
#include "check/thread_replay.h"
#include "cli/check_c_graph.h"
#include "cli/check_c_replay.h"
#include "cli/check_c_routes.h"
#include "cli/checker.h"
#include "cli/explicit.h"
#include "explore/livelock.h"
#include "explore/product.h"
#include "explore/search.h"
#include "lang/llvm/load.h"
#include "memory/models.h"
#include "report/drawing.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

// The runtime library lies beside the program: build/heddle and build/runtime. HEDDLE_RUNTIME names another place.
std::string runtime_folder() {
  if (const char* named = std::getenv("HEDDLE_RUNTIME"); named != nullptr) return named;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (const fs::path& folder : {self.parent_path() / "runtime", self.parent_path() / "../lib/heddle/runtime"})
    if (fs::exists(folder / "symbols.txt", error)) return folder.lexically_normal().string();
  return {};
}

struct Asked : GraphProperties {
  bool livelocks = false;
  bool overflow = false;
};

support::Result<Asked> properties(const CheckRequest& request) {
  Asked asked;
  if (request.properties.empty()) return asked;
  asked.deadlocks = asked.leaks = asked.undefined_races = false;
  for (const std::string& property : request.properties) {
    if (property == "deadlock") asked.deadlocks = true;
    else if (property == "leak") asked.leaks = true;
    else if (property == "race") asked.races = true;
    else if (property == "liveness") asked.liveness = true;
    else if (property == "robust") asked.robust = true;
    else if (property == "livelock") asked.livelocks = true;
    else if (property == "overflow") asked.overflow = true;
    else if (property != "assertion" && property != "memory")
      return support::Diagnostic{
          "",
          0,
          0,
          fmt::format("C programs have no property '{}'", property),
          "",
          "use assertion and memory (always checked), leak, deadlock, livelock, race, liveness, robust or overflow"};
  }
  return asked;
}

// What only one of the engines can do, by the name that the user gave it.
Needs needs_of(const CheckRequest& request, const Asked& asked) {
  const auto given = [&](const char* option) {
    return std::ranges::find(request.given, option) != request.given.end();
  };
  Needs needs;
  if (given("--loop-bound")) needs.graphs = "--loop-bound";
  if (given("--symmetry") && request.engine == "explicit") needs.graphs = "--symmetry";
  if (asked.liveness) needs.graphs = "--property liveness";
  if (asked.robust) needs.graphs = "--property robust";
  if (asked.livelocks) needs.states = "--property livelock";
  needs.races = asked.races;
  for (const char* option : {"--search", "--por", "--buffer", "--ltl"})
    if (given(option)) needs.states = option;
  return needs;
}

// "LOW:HIGH", both whole numbers, LOW not above HIGH.
std::optional<std::pair<int, int>> range_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  int low = 0, high = 0;
  const char *middle = text.data() + colon, *end = text.data() + text.size();
  const auto a = std::from_chars(text.data(), middle, low), b = std::from_chars(middle + 1, end, high);
  if (a.ec != std::errc() || a.ptr != middle || b.ec != std::errc() || b.ptr != end || low > high) return std::nullopt;
  return std::pair{low, high};
}

// Overflow is looked for by code that the compiler adds.
std::optional<support::Diagnostic> overflow_of_compiled_code(const CheckRequest& request) {
  for (const std::string& file : request.files)
    if (const auto ext = fs::path(file).extension(); ext == ".ll" || ext == ".bc")
      return support::Diagnostic{
          file, 0,
          0,    "--property overflow works on C files only",
          "",   "give the source, or compile it with -fsanitize-trap=signed-integer-overflow,shift"};
  return std::nullopt;
}

lang::llvm_ir::Options reading(const CheckRequest& request) {
  lang::llvm_ir::Options options;
  options.optimise = request.optimise;
  options.standard = request.standard;
  options.includes = request.include_dirs;
  options.defines = request.defines;
  options.cflags = request.cflags;
  options.runtime = runtime_folder();
  options.reach = request.reach;
  options.check_overflow = std::ranges::find(request.properties, "overflow") != request.properties.end();
  if (request.malloc_may_fail) options.settings.emplace_back("__heddle_malloc_may_fail", 1);
  options.settings.emplace_back("__heddle_spurious_wakeups", request.spurious_wakeups != "off");
  if (const auto range = range_of(request.nondet)) {
    options.settings.emplace_back("__heddle_nondet_given", 1);
    options.settings.emplace_back("__heddle_nondet_low", range->first);
    options.settings.emplace_back("__heddle_nondet_high", range->second);
  }
  return options;
}

// Believes the engine only as far as the replay does.
void confirm(core::Verdict& verdict, const core::Program& program, unsigned bound, const std::vector<core::Move>& moves,
             const check::ThreadClaim& claim) {
  check::ThreadReplay replayed = check::replay(program, verdict.model, bound, moves, claim);
  if (!replayed.confirmed) {
    verdict.outcome = core::Outcome::Unknown;
    verdict.reason = "internal error: the trace that was found does not replay: " + replayed.why;
    return;
  }
  verdict.outcome = core::Outcome::Unsafe;
  verdict.violation_kind = replayed.kind;
  verdict.violation = replayed.violation;
  verdict.place = replayed.place;
  replayed.trace.closing = check::closing_words(replayed.trace, replayed.violation);
  verdict.trace = std::move(replayed.trace);
}

void judge(core::Verdict& verdict, const explore::Found& found, const explore::Product& product,
           const core::Program& program, unsigned bound) {
  check::ThreadClaim claim;
  if (found.kind == explore::Found::Kind::Deadlock) {
    claim.kind = check::ThreadClaim::Kind::Deadlock;
  } else {
    claim.failure_kind = product.error_kind(found.detail);
    if (claim.failure_kind == "race") claim.kind = check::ThreadClaim::Kind::Race;
    if (claim.failure_kind == "deadlock") claim.kind = check::ThreadClaim::Kind::Deadlock;
    if (claim.failure_kind == "unsupported") {
      verdict.reason = product.error_text(found.detail);
      return;
    }
  }
  confirm(verdict, program, bound, product.single_moves(found.moves, found.reduction), claim);
}

// Was one found? A search for it that did not end is noted.
bool look_for_livelock(core::Verdict& verdict, const explore::Product& product, const core::Program& program,
                       unsigned bound, core::Budget& budget, core::Drops& drops) {
  const explore::LivelockResult result = explore::find_livelock(product, budget);
  verdict.statistics.states = result.states;
  verdict.statistics.transitions = result.transitions;
  verdict.statistics.bytes = result.bytes;
  if (result.found) {
    std::vector<core::Move> path = result.stem;
    check::ThreadClaim claim;
    claim.kind = check::ThreadClaim::Kind::Livelock;
    claim.loop_start = product.single_moves(path, core::Reduction::None).size();
    path.insert(path.end(), result.loop.begin(), result.loop.end());
    confirm(verdict, program, bound, product.single_moves(path, core::Reduction::None), claim);
  }
  drops.at(core::DropPlace::CycleLimit, !result.found && result.stopped, result.stopped.value_or(""));
  return result.found;
}

core::Verdict check_model(const CheckRequest& request, const std::string& model, const Asked& asked,
                          const core::Program& program, core::Budget& budget) {
  core::Verdict verdict;
  verdict.model = model;
  verdict.statistics.engine = "explicit";
  budget.subject = model + ", explicit";
  const memory::Machine& machine = *memory::find_machine(model);
  if (const auto refusal = explore::Product::refuse(program, machine)) {
    verdict.reason = *refusal;
    return verdict;
  }
  const unsigned bound = buffer_bound(request);
  const explore::Product product(program, machine,
                                 {.buffer_bound = bound,
                                  .spurious_cas = request.spurious_cas == "on",
                                  .leaks = asked.leaks,
                                  .deadlocks = asked.deadlocks,
                                  .races = asked.races});

  explore::SearchOptions options = search_options(request);
  options.deadlocks = asked.deadlocks;
  core::Drops drops(budget.probe);
  options.drops = &drops;
  const double begun = budget.elapsed();
  const explore::SearchResult result = explore::search_with_trace(product, options, budget);
  put_statistics(verdict, result, budget.elapsed() - begun);
  if (result.found) {
    judge(verdict, *result.found, product, program, bound);
  } else if (!result.stopped && asked.livelocks && look_for_livelock(verdict, product, program, bound, budget, drops)) {
    verdict.statistics.seconds = budget.elapsed() - begun;
  } else {
    conclude_search(verdict, result, drops, bounds_of(product, machine, request));
    verdict.statistics.seconds = budget.elapsed() - begun;
  }
  if (product.met_weak_cas() && request.spurious_cas != "on" && verdict.outcome != core::Outcome::Unsafe)
    verdict.assumptions.emplace_back(core::weak_cas_succeeds);
  if (request.drawings != nullptr && !request.dot.empty()) {
    const auto scratch = product.make_scratch();
    report::StateGraph drawn = report::state_graph(
        product, [&](core::State state, const core::Move& move) { return product.move_text(state, move, *scratch); });
    if (!drawn.complete) verdict.notes.push_back(report::partly_drawn(verdict));
    report::fresh_drawing(*request.drawings, model).states = std::move(drawn);
  }
  return verdict;
}

// What holds of the program under every model and engine.
void add_limits_of(const core::Program& program, core::Verdict& verdict) {
  if (verdict.outcome == core::Outcome::Unknown) return;
  for (const std::string& assumption : program.assumptions()) verdict.assumptions.push_back(assumption);
  if (verdict.outcome == core::Outcome::Safe)
    for (const std::string& bound : program.bounds()) verdict.bounds.push_back(bound);
}

// A leak does no harm by itself: it is shown only if nothing else is found.
core::Verdict check_leaks_last(const CheckRequest& request, const std::string& model, const Asked& asked,
                               const core::Program& program, core::Budget& budget) {
  core::Verdict verdict = check_model(request, model, asked, program, budget);
  if (verdict.violation_kind != "memory-leak") return verdict;
  Asked others = asked;
  others.leaks = false;
  core::Verdict other = check_model(request, model, others, program, budget);
  return other.outcome == core::Outcome::Unsafe ? other : verdict;
}

}  // namespace

support::Result<std::vector<core::Verdict>> check_c(const CheckRequest& request, core::Budget& budget) {
  const auto asked = properties(request);
  if (!asked) return asked.error();
  if (asked->overflow)
    if (auto refused = overflow_of_compiled_code(request)) return *refused;
  if (!request.nondet.empty() && !range_of(request.nondet))
    return support::Diagnostic{
        "", 0, 0, fmt::format("--nondet takes LOW:HIGH, not '{}'", request.nondet), "", "as --nondet -1:5"};
  std::unique_ptr<core::Program> plain, pending;
  const ProgramFor program_for = [&](bool puts_off) -> support::Result<const core::Program*> {
    auto& program = puts_off ? pending : plain;
    if (program) return program.get();
    auto options = reading(request);
    options.pending_loads = puts_off;
    options.budget = &budget;
    auto loaded = lang::llvm_ir::load(request.files, options);
    if (!loaded) return loaded.error();
    program = std::move(*loaded);
    return program.get();
  };
  if (!request.replay.empty()) return replay_c(request, program_for);
  const auto routes = choose_engines(request, needs_of(request, *asked));
  if (!routes) return routes.error();
  // Models that put loads off have locals as registers; the others keep every access that the compiler leaves. Where a
  // model has axioms and a machine they agree on it.
  for (const Route& route : *routes)
    if (const auto program = program_for(route.puts_off); !program) return program.error();
  std::vector<core::Verdict> verdicts;
  for (const Route& route : *routes) {
    const core::Program& program = route.puts_off ? *pending : *plain;
    const Attempt graphs = [&](core::Budget& part) {
      return check_graphs(request, route.model, *asked, program, part);
    };
    const Attempt states = [&](core::Budget& part) {
      return check_leaks_last(request, route.model, *asked, program, part);
    };
    const auto share = fair_share(budget, routes->size() - verdicts.size());
    verdicts.push_back(follow(route, graphs, states, *share, routes->size() > 1));
    std::ranges::copy(program.notes(), std::back_inserter(verdicts.back().notes));
    add_limits_of(program, verdicts.back());
    if (verdicts.back().violation_kind == "memory-leak")
      verdicts.back().notes.emplace_back(
          "a leak is shown only where no other violation was found; --property assertion leaves leaks out");
    if (request.decided) request.decided(verdicts.back());
  }
  return verdicts;
}

}  // namespace heddle::cli
