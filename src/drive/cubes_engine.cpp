// SPDX-License-Identifier: Apache-2.0
#include "drive/cubes_engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "array/system.h"
#include "check/cubicle_certificate.h"
#include "check/cubicle_explore.h"
#include "check/cubicle_oracle.h"
#include "check/cubicle_replay.h"
#include "core/evidence.h"
#include "drive/explicit_engine.h"
#include "drive/referee.h"
#include "param/search.h"

namespace heddle::drive {

namespace {

constexpr unsigned most_promises = 4;  // overtaken writes at once (pso)
constexpr std::uint64_t cheap = 2000;  // cubes: a search below this is repeated with a greater bound
constexpr unsigned brab_buffer = 2;    // of the instance that guesses come from: only a guide
constexpr std::size_t brab_states = 20000;
constexpr unsigned most_tried = 5;  // processes of instances that are tried where the search has no answer
constexpr std::uint64_t instance_states = 300000;
constexpr unsigned instance_buffer = 3;

core::ParameterisedRun run_of(const param::Run& run) {
  core::ParameterisedRun out{.processes = run.processes};
  for (const param::RunStep& s : run.steps)
    out.steps.push_back({.transition = s.transition, .parameters = {s.parameters.begin(), s.parameters.end()}});
  for (const auto& [before, after] : run.order) out.order.emplace_back(before, after);
  return out;
}

// Whether small instances have none, as far as that can be told quickly.
bool no_initial_state(const cubicle::System& system) {
  for (unsigned n = std::max(1U, system.concrete); n <= std::max(3U, system.concrete); ++n) {
    if (system.number_procs != 0 && n > system.number_procs) break;
    bool all = true;
    if (!check::CubicleMachine(system, "sc", n, 1).initial(200, all).empty() || !all) return false;
  }
  return true;
}

// Where any number of processes is beyond the search: a violation of a small instance is one all the same.
void try_instances(core::Finding& finding, core::Reason reason, const cubicle::System& system,
                   const models::Model& model, unsigned workers, const core::Budget& budget) {
  unsigned tried = 0;
  std::set<std::string> bounds;
  for (unsigned n = std::max(1U, system.concrete); n <= std::max(most_tried, system.concrete); ++n) {
    if ((system.number_procs != 0 && n > system.number_procs) || budget.over()) break;
    core::Budget rest;
    rest.interrupted = budget.interrupted;
    rest.bytes = budget.bytes;
    rest.probe = budget.probe;
    rest.max_states = std::min(budget.max_states, instance_states);
    if (budget.seconds) rest.seconds = std::max(0.001, *budget.seconds - budget.elapsed());
    core::Finding instance = explore_instance(system, model, {n, instance_buffer, workers}, rest);
    if (instance.found() != nullptr) {
      finding.what = std::move(instance.what);
      finding.notes.emplace_back(
          "found by exploring instances: the search for any number of processes did not end in an answer");
      return;
    }
    if (!instance.nothing()) break;
    tried = n;
    bounds.insert(instance.bounds.begin(), instance.bounds.end());
  }
  if (tried != 0)
    reason.text += fmt::format("; instances of up to {} process{} are safe{}{}", tried, tried == 1 ? "" : "es",
                               bounds.empty() ? "" : " up to ", fmt::join(bounds, ", "));
  finding.what = std::move(reason);
}

// BRAB's guide: what small instances have been seen to do.
struct Guide {
  Guide(const cubicle::System& system, const models::Model& model, unsigned processes, core::Budget& budget)
      : machine(system, model.name, processes, brab_buffer),
        oracle(machine, brab_states, [&] { return budget.spent({0, "states", 0, 0, -1}).has_value(); }) {}
  check::CubicleMachine machine;
  check::CubicleOracle oracle;
};

// The search, again with a greater bound on overtaken writes while that is cheap. What a search with a greater bound
// leaves out is no gap in one that has ended before.
param::SearchResult search_deepening(const array::System& system, const array::MemoryModel& row,
                                     param::SearchOptions& how, core::Budget& budget) {
  param::SearchResult result = param::search(system, row, how, budget);
  while (result.answer == param::SearchResult::Answer::Safe && result.bounded && how.promises < most_promises &&
         result.generated < cheap) {
    ++how.promises;
    core::Drops deeper(budget.probe);
    param::SearchOptions further = how;
    further.drops = &deeper;
    param::SearchResult next = param::search(system, row, further, budget);
    if (next.answer == param::SearchResult::Answer::Unknown) {  // what has been proved stays proved
      --how.promises;
      break;
    }
    result = std::move(next);
  }
  return result;
}

void certify(core::Finding& finding, const array::System& system, const array::MemoryModel& row,
             const std::vector<array::Cube>& invariant, core::Budget& budget) {
  std::string text = check::certificate_text(system, row, invariant);
  const check::CertificateCheck checked = check::check_certificate(system, text, budget);
  if (checked.valid) {
    finding.statistics.more.emplace_back(
        "certificate", fmt::format("{} cubes, {} pre-images, checked", checked.cubes, checked.preimages));
    finding.certificate = std::move(text);
  } else if (checked.stopped) {
    finding.what = core::Reason{core::Reason::Kind::TimeLimit, checked.reason + " while the certificate was checked"};
  } else {
    finding.what = core::internal_error("the certificate does not hold: " + checked.reason);
  }
}

}  // namespace

std::vector<std::string> remarks_on(const cubicle::System& system) {
  std::vector<std::string> notes;
  const auto compiled = array::compile(system);
  if (!compiled) return notes;
  if (!system.has_weak()) notes.emplace_back("the system has no weak names: every memory model means the same");
  if (compiled->universal_guards)
    notes.emplace_back(
        "universal guards are checked for the processes a cube speaks of only (over-approximation): "
        "SAFE is not affected, and UNSAFE has been replayed");
  if (compiled->writes_everywhere && system.has_weak())
    notes.emplace_back(
        "writes to the weak cells of all processes are ordered for the processes a cube speaks of only "
        "(over-approximation)");
  if (!system.invariants.empty()) notes.emplace_back("the system's invariant blocks are trusted");
  if (!system.candidates.empty())
    notes.emplace_back("candidate blocks are guesses: what SAFE rests on has been proved");
  if (no_initial_state(system))
    notes.emplace_back("with one, two or three processes there is no initial state: SAFE means nothing");
  if (system.number_procs != 0) notes.push_back(fmt::format("number_procs: at most {} processes", system.number_procs));
  return notes;
}

core::Finding search_cubes(const cubicle::System& system, const models::Model& model, const CubesOptions& options,
                           core::Budget& budget) {
  using Answer = param::SearchResult::Answer;
  core::Finding finding;
  const double begun = budget.elapsed();
  const auto compiled = array::compile(system);
  if (!compiled) {
    finding.what = refusal(fmt::format("line {}: {}", compiled.error().line, compiled.error().message));
    return finding;
  }
  finding.notes = remarks_on(system);
  const array::MemoryModel& row = *array::memory_model(model.name);

  param::SearchOptions how;
  how.workers = options.workers;
  core::Drops drops(budget.probe);
  how.drops = &drops;
  how.confirm = [&](const param::Run& run) {
    return check::replay(system, model.name, run_of(run), [&] { return budget.over().has_value(); }).confirmed;
  };
  std::optional<Guide> guide;
  if (options.brab > 0) {
    unsigned n = std::max(options.brab, system.concrete);
    if (system.number_procs != 0) n = std::min(n, system.number_procs);
    guide.emplace(system, model, n, budget);
    how.possible = [&](const array::Cube& cube) { return guide->oracle.possible(cube, *compiled); };
  }
  param::SearchResult result = search_deepening(*compiled, row, how, budget);

  core::Statistics& statistics = finding.statistics;
  statistics.states = result.visited;
  statistics.transitions = result.generated;
  statistics.more = {{"cubes deleted", std::to_string(result.deleted)},
                     {"most processes in a cube", std::to_string(result.most_processes)}};
  if (guide) {
    statistics.more.emplace_back("states explored forward", std::to_string(guide->oracle.states()));
    statistics.more.emplace_back("invariants guessed", fmt::format("{} ({} kept, {} restarts)", result.guesses,
                                                                   result.kept_guesses, result.restarts));
  }
  if (result.bounded) finding.bounds.push_back(fmt::format("overtaken writes {}", how.promises));
  if (result.answer == Answer::Unknown && result.open) {
    try_instances(finding, result.reason, system, model, options.workers, budget);
  } else if (result.answer == Answer::Unknown) {
    finding.what = result.reason;
  } else if (result.answer == Answer::Unsafe) {
    finding.what = core::Found{{core::UnsafeCube{}}, run_of(*result.run)};
  } else {
    std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
               core::conclude({.drops = &drops, .ended = true, .seen = result.generated + system.unsafe.size()}));
    if (finding.nothing() && options.certify && !result.bounded)
      certify(finding, *compiled, row, result.invariant, budget);
  }
  statistics.seconds = budget.elapsed() - begun;
  return finding;
}

core::Verdict decide_cubes(const cubicle::System& system, const models::Model& model, const CubesOptions& options,
                           core::Budget& budget) {
  const Subject subject{system, {{core::UnsafeCube{}}}};
  return judge(subject, model, "cubes", {}, search_cubes(system, model, options, budget));
}

std::optional<core::Reason> cubes_refuses(const Subject& subject, const models::Model& model, const Task& task) {
  if (subject.arrays() == nullptr) return refusal("takes array-based systems only");
  if (array::memory_model(model.name) == nullptr) return refusal(fmt::format("has no model '{}'", model.name));
  if (*task.procs != 0) return refusal("is about any number of processes, and --procs about one instance");
  if (task.buffer.given)
    return refusal("has buffers without a bound: --buffer is about instances (use it with --procs)");
  return std::nullopt;
}

core::Finding run_cubes(const Subject& subject, const models::Model& model, const Task& task, core::Budget& budget) {
  return search_cubes(
      *subject.arrays(), model,
      {static_cast<unsigned>(*task.workers), static_cast<unsigned>(*task.brab), !task.certificate->empty()}, budget);
}

}  // namespace heddle::drive
