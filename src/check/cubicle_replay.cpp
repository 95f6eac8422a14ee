// SPDX-License-Identifier: Apache-2.0
#include "check/cubicle_replay.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "array/atom.h"

namespace heddle::check {

namespace {

constexpr unsigned idle_processes = 2;      // that a run may need beside those that take its steps
constexpr unsigned most_numberings = 3000;  // of a run's processes, where their order matters

using StepPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Calls `found` with the numberings of n processes that put p before q for each (p, q) of `order`; the first `named`
// keep their numbers. Ends when `found` says so, or after most_numberings.
class Numberings {
 public:
  Numberings(unsigned n, unsigned named, const StepPairs& order) : order_(order), number_(n, unplaced), named_(named) {}

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

  const StepPairs& order_;
  std::vector<unsigned> number_;
  unsigned named_, tried_ = 0;
};

Replayed confirmed(core::Trace trace) {
  Replayed result;
  result.confirmed = true;
  result.claim = {core::UnsafeCube{}};
  result.violation =
      fmt::format("{}, with {} process{}", trace.closing, trace.processes, trace.processes == 1 ? "" : "es");
  result.trace = std::move(trace);
  return result;
}

// Of a run that a file has, its number of processes may be anything.
std::string no_instance(const cubicle::System& system, unsigned processes) {
  if (processes == 0 || processes > array::max_processes + idle_processes)
    return "it has no processes, or more than can be replayed";
  if (processes < system.concrete) return fmt::format("the system names process #{}, which it lacks", system.concrete);
  if (system.number_procs != 0 && processes > system.number_procs)
    return fmt::format("the system has at most {} processes (number_procs)", system.number_procs);
  return {};
}

Replayed followed(const cubicle::System& system, std::string_view model, const core::ParameterisedRun& run) {
  if (std::string why = no_instance(system, run.processes); !why.empty()) return not_replayed(std::move(why));
  std::vector<CubicleMove> moves;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const core::ParameterisedRun::Step& s = run.steps[i];
    bool known = s.flush ? s.process < run.processes
                         : s.transition < system.transitions.size() &&
                               system.transitions[s.transition].parameters == s.parameters.size();
    for (std::size_t a = 0; a < s.parameters.size(); ++a) {
      known &= s.parameters[a] < run.processes;
      for (std::size_t b = 0; b < a; ++b) known &= s.parameters[a] != s.parameters[b];
    }
    if (!known) return not_replayed(fmt::format("there is no transition as in step {}", i + 1));
    moves.push_back({s.flush, s.process, s.entry, {s.transition, {s.parameters.begin(), s.parameters.end()}}});
  }
  Followed result;
  for (const auto numbers : {CubicleMachine::Numbers::Near, CubicleMachine::Numbers::More}) {
    const CubicleMachine machine(system, model, run.processes, run.buffer, numbers);
    result = follow(machine, moves, model);
    if (result.trace) return confirmed(std::move(*result.trace));
    if (!machine.chooses_numbers()) break;
  }
  return not_replayed(result.why);
}

std::optional<core::Trace> in_some_instance(const cubicle::System& system, std::string_view model,
                                            const core::ParameterisedRun& run, CubicleMachine::Numbers numbers,
                                            const std::function<bool()>& stop) {
  std::vector<CubicleStep> steps;
  for (const core::ParameterisedRun::Step& s : run.steps)
    steps.push_back({s.transition, {s.parameters.begin(), s.parameters.end()}});
  for (unsigned idle = 0; idle <= idle_processes; ++idle) {
    const unsigned n = run.processes + idle;
    if ((system.number_procs != 0 && n > system.number_procs) || (stop && stop())) break;
    const CubicleMachine machine(system, model, n, static_cast<unsigned>(run.steps.size()) + 1, numbers);
    if (numbers == CubicleMachine::Numbers::More && !machine.chooses_numbers()) break;
    std::optional<core::Trace> found;
    if (!system.ordered) {
      found = replay(machine, steps, model, stop);
    } else {
      // The search knows of the order what its cubes say; the machine has numbers.
      Numberings(n, system.concrete, run.order).each([&](const std::vector<unsigned>& number) {
        std::vector<CubicleStep> numbered = steps;
        for (CubicleStep& s : numbered)
          for (unsigned& p : s.parameters) p = number[p];
        found = replay(machine, numbered, model, stop);
        return found.has_value() || (stop && stop());
      });
    }
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

Replayed replay(const cubicle::System& system, std::string_view model, const core::ParameterisedRun& run,
                const std::function<bool()>& stop) {
  if (run.exact) return followed(system, model, run);
  for (const auto numbers : {CubicleMachine::Numbers::Near, CubicleMachine::Numbers::More})
    if (auto trace = in_some_instance(system, model, run, numbers, stop)) return confirmed(std::move(*trace));
  return not_replayed("no instance has this run");
}

}  // namespace heddle::check
