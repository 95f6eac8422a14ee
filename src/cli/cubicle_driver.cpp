// SPDX-License-Identifier: Apache-2.0
#include "cli/cubicle_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "array/system.h"
#include "check/cubicle_certificate.h"
#include "check/cubicle_explore.h"
#include "check/cubicle_oracle.h"
#include "cli/cubicle_instance.h"
#include "core/evidence.h"
#include "core/input.h"
#include "param/search.h"

namespace heddle::cli {

namespace {

constexpr unsigned most_promises = 4;       // overtaken writes at once (pso)
constexpr std::uint64_t cheap = 2000;       // cubes: a search below this is repeated with a greater bound
constexpr unsigned idle_processes = 2;      // that a run may need beside those that take its steps
constexpr unsigned most_numberings = 3000;  // of a run's processes, where their order matters
constexpr unsigned brab_buffer = 2;         // of the instance that guesses come from: only a guide
constexpr std::size_t brab_states = 20000;
constexpr unsigned most_tried = 5;  // processes of instances that are tried where the search has no answer
constexpr std::uint64_t instance_states = 300000;
constexpr unsigned instance_buffer = 3;

struct Replayed {
  core::Trace trace;
  unsigned processes;
};

// Calls `found` with the numberings of n processes that put p before q for each (p, q) of `order`; the first `named`
// keep their numbers. Ends when `found` says so, or after most_numberings.
class Numberings {
 public:
  Numberings(unsigned n, unsigned named, const std::vector<std::pair<array::Process, array::Process>>& order)
      : order_(order), number_(n, unplaced), named_(named) {}

  bool each(const std::function<bool(const std::vector<unsigned>&)>& found) { return place(0, found); }

 private:
  static constexpr unsigned unplaced = 0xffffffff;

  bool place(unsigned at, const std::function<bool(const std::vector<unsigned>&)>& found) {
    if (at == number_.size()) return ++tried_ > most_numberings || found(number_);
    for (unsigned p = at < named_ ? at : named_; p < (at < named_ ? at + 1 : number_.size()); ++p) {
      if (number_[p] != unplaced) continue;
      if (std::any_of(order_.begin(), order_.end(),
                      [&](const auto& pair) { return pair.second == p && number_[pair.first] == unplaced; }))
        continue;
      number_[p] = at;
      if (place(at + 1, found)) return true;
      number_[p] = unplaced;
    }
    return false;
  }

  const std::vector<std::pair<array::Process, array::Process>>& order_;
  std::vector<unsigned> number_;
  unsigned named_, tried_ = 0;
};

// The naive machine's word on a run that the search found. Some runs need processes that take no step: a variable that
// holds none of the processes which do (T <> p && T <> q) must hold another one.
std::optional<Replayed> replay(const cubicle::System& system, const std::string& model, const param::Run& run) {
  std::vector<check::CubicleStep> steps;
  for (const param::RunStep& s : run.steps) steps.push_back({s.transition, {s.parameters.begin(), s.parameters.end()}});
  for (unsigned idle = 0; idle <= idle_processes; ++idle) {
    const unsigned n = run.processes + idle;
    if (system.number_procs != 0 && n > system.number_procs) break;
    const check::CubicleMachine machine(system, model, n, static_cast<unsigned>(run.steps.size()) + 1);
    if (!system.ordered) {
      if (auto trace = check::replay(machine, steps, model)) return Replayed{std::move(*trace), n};
      continue;
    }
    // The search knows of the order what its cubes say; the machine has numbers.
    std::optional<Replayed> result;
    Numberings(n, system.concrete, run.order).each([&](const std::vector<unsigned>& number) {
      std::vector<check::CubicleStep> numbered = steps;
      for (check::CubicleStep& s : numbered)
        for (unsigned& p : s.parameters) p = number[p];
      if (auto trace = check::replay(machine, numbered, model)) result = Replayed{std::move(*trace), n};
      return result.has_value();
    });
    if (result) return result;
  }
  return std::nullopt;
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
void try_instances(CubicleAnswer& answer, const cubicle::System& system, const std::string& model, unsigned workers,
                   const core::Budget& budget) {
  unsigned tried = 0;
  for (unsigned n = std::max(1U, system.concrete); n <= std::max(most_tried, system.concrete); ++n) {
    if (system.number_procs != 0 && n > system.number_procs) break;
    core::Budget rest;
    rest.interrupted = budget.interrupted;
    rest.bytes = budget.bytes;
    rest.probe = budget.probe;
    rest.max_states = instance_states;
    if (budget.seconds) rest.seconds = std::max(0.001, *budget.seconds - budget.elapsed());
    const auto verdict = decide_instance(system, model, {n, instance_buffer, workers}, rest);
    if (!verdict) break;
    if (verdict->outcome == core::Outcome::Unsafe) {
      answer.verdict.outcome = core::Outcome::Unsafe;
      answer.verdict.violation_kind = verdict->violation_kind;
      answer.verdict.violation = verdict->violation;
      answer.verdict.trace = verdict->trace;
      answer.verdict.notes.push_back(
          "found by exploring instances: the search for any number of processes did not end in an answer");
      return;
    }
    if (verdict->outcome == core::Outcome::Unknown) break;
    tried = n;
  }
  if (tried != 0)
    answer.verdict.reason += fmt::format("; instances of up to {} process{} are safe", tried, tried == 1 ? "" : "es");
}

void describe(core::Verdict& verdict, const cubicle::System& system, const array::System& compiled) {
  if (!system.has_weak()) verdict.notes.push_back("the system has no weak names: every memory model means the same");
  if (compiled.universal_guards)
    verdict.notes.push_back(
        "universal guards are checked for the processes a cube speaks of only (over-approximation): "
        "SAFE is not affected, and UNSAFE has been replayed");
  if (compiled.writes_everywhere && system.has_weak())
    verdict.notes.push_back(
        "writes to the weak cells of all processes are ordered for the processes a cube speaks of only "
        "(over-approximation)");
  if (!system.invariants.empty()) verdict.notes.push_back("the system's invariant blocks are trusted");
  if (!system.candidates.empty())
    verdict.notes.push_back("candidate blocks are guesses: what SAFE rests on has been proved");
  if (no_initial_state(system))
    verdict.notes.push_back("with one, two or three processes there is no initial state: SAFE means nothing");
  if (system.number_procs != 0)
    verdict.notes.push_back(fmt::format("number_procs: at most {} processes", system.number_procs));
}

}  // namespace

CubicleAnswer decide_cubicle(const cubicle::System& system, const std::string& model, const CubicleOptions& options,
                             core::Budget& budget) {
  CubicleAnswer answer;
  core::Verdict& verdict = answer.verdict;
  verdict.model = model;
  verdict.statistics.engine = "cubes";
  budget.subject = model + ", cubes";
  const double begun = budget.elapsed();
  const auto compiled = array::compile(system);
  if (!compiled) {
    verdict.reason = fmt::format("line {}: {}", compiled.error().line, compiled.error().message);
    return answer;
  }
  describe(verdict, system, *compiled);
  const array::MemoryModel& row = *array::memory_model(model);

  std::optional<Replayed> replayed;
  param::SearchOptions how;
  how.workers = options.workers;
  core::Drops drops(budget.probe);
  how.drops = &drops;
  how.confirm = [&](const param::Run& run) {
    replayed = replay(system, model, run);
    return replayed.has_value();
  };
  std::optional<check::CubicleMachine> machine;
  std::optional<check::CubicleOracle> oracle;
  if (options.brab > 0) {
    unsigned n = std::max(options.brab, system.concrete);
    if (system.number_procs != 0) n = std::min(n, system.number_procs);
    machine.emplace(system, model, n, brab_buffer);
    oracle.emplace(*machine, brab_states, [&] { return budget.spent({0, "states", 0, 0, -1}).has_value(); });
    how.possible = [&](const array::Cube& cube) { return oracle->possible(cube, *compiled); };
  }
  param::SearchResult result = param::search(*compiled, row, how, budget);
  while (result.answer == param::SearchResult::Answer::Safe && result.bounded && how.promises < most_promises &&
         result.generated < cheap) {
    ++how.promises;
    param::SearchResult next = param::search(*compiled, row, how, budget);
    if (next.answer == param::SearchResult::Answer::Unknown) {  // what has been proved stays proved
      --how.promises;
      break;
    }
    result = std::move(next);
  }

  core::Statistics& statistics = verdict.statistics;
  statistics.states = result.visited;
  statistics.transitions = result.generated;
  statistics.more = {{"cubes deleted", std::to_string(result.deleted)},
                     {"most processes in a cube", std::to_string(result.most_processes)}};
  if (oracle) {
    statistics.more.emplace_back("states explored forward", std::to_string(oracle->states()));
    statistics.more.emplace_back("invariants guessed", fmt::format("{} ({} kept, {} restarts)", result.guesses,
                                                                   result.kept_guesses, result.restarts));
  }
  std::vector<std::string> bounds;
  if (result.bounded) bounds.push_back(fmt::format("overtaken writes {}", how.promises));
  switch (result.answer) {
    case param::SearchResult::Answer::Unknown:
      verdict.reason = result.reason;
      if (result.open) try_instances(answer, system, model, options.workers, budget);
      if (verdict.outcome == core::Outcome::Unsafe) verdict.reason.clear();
      break;
    case param::SearchResult::Answer::Unsafe:
      verdict.outcome = core::Outcome::Unsafe;
      verdict.violation_kind = "unsafe";
      verdict.violation = fmt::format("{}, with {} process{}", replayed->trace.closing, replayed->processes,
                                      replayed->processes == 1 ? "" : "es");
      verdict.trace = std::move(replayed->trace);
      break;
    case param::SearchResult::Answer::Safe:
      core::conclude(
          verdict, {.drops = &drops, .ended = true, .seen = result.generated + system.unsafe.size(), .bounds = bounds});
      if (verdict.outcome == core::Outcome::Safe && options.certify && !result.bounded) {
        std::string text = check::certificate_text(*compiled, row, result.invariant);
        const check::CertificateCheck checked = check::check_certificate(*compiled, text, budget);
        if (checked.valid) {
          statistics.more.emplace_back(
              "certificate", fmt::format("{} cubes, {} pre-images, checked", checked.cubes, checked.preimages));
          answer.certificate = std::move(text);
        } else {
          verdict.outcome = core::Outcome::Unknown;
          verdict.reason = checked.stopped ? checked.reason + " while the certificate was checked"
                                           : "internal error: the certificate does not hold: " + checked.reason;
        }
      }
      break;
  }
  statistics.seconds = budget.elapsed() - begun;
  return answer;
}

support::Result<std::vector<core::Verdict>> recheck_certificate(const cubicle::System& system, const std::string& file,
                                                                core::Budget& budget,
                                                                const std::vector<std::string>& about) {
  const auto text = core::read_input(file, &budget, core::largest_report);
  if (!text) return text.error();
  const auto compiled = array::compile(system);
  if (!compiled) return compiled.error();
  const double begun = budget.elapsed();
  const check::CertificateCheck checked = check::check_certificate(*compiled, *text, budget, about);
  if (checked.malformed) {
    support::Diagnostic d{file, checked.line, 0, checked.reason, "", "--certificate FILE writes one"};
    d.source_line = std::string(support::line_of(*text, checked.line));
    return d;
  }
  core::Verdict verdict;
  verdict.model = checked.model;
  verdict.statistics.engine = "certificate";
  verdict.statistics.states = checked.cubes;
  verdict.statistics.transitions = checked.preimages;
  verdict.statistics.seconds = budget.elapsed() - begun;
  describe(verdict, system, *compiled);
  core::conclude(verdict,
                 {.ended = checked.valid,
                  .stopped = checked.stopped ? checked.reason : "the certificate does not hold: " + checked.reason,
                  .seen = checked.cubes + system.unsafe.size()});
  return std::vector<core::Verdict>{verdict};
}

}  // namespace heddle::cli
