// SPDX-License-Identifier: Apache-2.0
#include "repair/cubicle_fences.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::repair {

namespace {

// Places of the transitions that the run takes while their process has something in its buffer.
Elements blockable(const cubicle::System& system, const std::vector<std::size_t>& places, const core::Trace& trace) {
  std::map<std::uint32_t, int> waiting;
  std::set<std::uint32_t> result;
  for (const core::TraceStep& s : trace.steps) {
    if (s.move.kind == core::Move::Kind::Flush) {
      --waiting[s.move.thread];
      continue;
    }
    const bool acts = system.transitions[s.move.choice].actor != cubicle::no_slot;
    if (acts && waiting[s.move.thread] > 0)
      result.insert(
          static_cast<std::uint32_t>(std::ranges::lower_bound(places, std::size_t{s.move.choice}) - places.begin()));
    const bool buffers = std::any_of(s.effects.begin(), s.effects.end(),
                                     [](const core::Effect& e) { return e.kind == core::Effect::Kind::Buffered; });
    if (buffers) ++waiting[s.move.thread];
  }
  return {result.begin(), result.end()};
}

}  // namespace

cubicle::System with_fences(const cubicle::System& system, const std::vector<std::size_t>& fences) {
  cubicle::System result = system;
  for (const std::size_t t : fences) {
    cubicle::Formula fence, both;
    fence.kind = cubicle::Formula::Kind::Fence;
    both.kind = cubicle::Formula::Kind::And;
    both.children = {std::move(fence), std::move(result.transitions[t].guard)};
    result.transitions[t].guard = std::move(both);
  }
  return result;
}

std::string text_with_fences(const cubicle::System& system, const std::vector<std::size_t>& fences) {
  const auto offset = [&](cubicle::Place place) {
    std::size_t at = 0;
    for (unsigned line = 1; line < place.line; ++line) at = system.text.find('\n', at) + 1;
    return at + place.column - 1;
  };
  std::vector<std::pair<std::size_t, std::string>> insertions;
  for (const std::size_t number : fences) {
    const cubicle::Transition& t = system.transitions[number];
    if (t.guard_begin.line == 0) {
      insertions.emplace_back(offset(t.body), "requires { fence() }\n");
    } else if (t.guard.kind == cubicle::Formula::Kind::Or) {
      insertions.emplace_back(offset(t.guard_begin), "fence() && (");
      insertions.emplace_back(offset(t.guard_end), ") ");
    } else {
      insertions.emplace_back(offset(t.guard_begin), "fence() && ");
    }
  }
  std::sort(insertions.rbegin(), insertions.rend());
  std::string text = system.text;
  for (const auto& [at, what] : insertions) text.insert(at, what);
  return text;
}

std::vector<std::size_t> fence_places(const cubicle::System& system) {
  std::vector<std::size_t> places;
  for (std::size_t t = 0; t < system.transitions.size(); ++t)
    if (system.transitions[t].actor != cubicle::no_slot) places.push_back(t);
  return places;
}

FenceRepair repair_fences(const cubicle::System& system, const FenceQuestion& question) {
  FenceRepair result;
  const std::vector<std::size_t> places = fence_places(system);
  const auto transitions = [&](const Elements& chosen) {
    std::vector<std::size_t> numbers;
    for (const std::uint32_t i : chosen) numbers.push_back(places[i]);
    return numbers;
  };
  const auto check = [&](const Elements& chosen) {
    result.last = question.decide(with_fences(system, transitions(chosen)));
    switch (result.last.outcome) {
      case core::Outcome::Unknown: return Answer{Answer::Kind::Unknown, {}, result.last.reason};
      case core::Outcome::Safe: return Answer{Answer::Kind::Safe, {}, {}};
      case core::Outcome::Unsafe: break;
    }
    const Elements constraint = blockable(system, places, *result.last.trace);
    if (question.confirm && !question.confirm(constraint, result.last)) {
      result.last.reason = core::internal_error("a run does not replay with a fence in all guards that it passes");
      return Answer{Answer::Kind::Unknown, {}, result.last.reason};
    }
    return Answer{Answer::Kind::Unsafe, {constraint}, {}};
  };
  result.synthesis =
      synthesise(std::vector<std::uint64_t>(places.size(), 1), check, {.all = question.all, .start = {}});
  result.checks = result.synthesis.checks;
  result.fences = transitions(result.synthesis.chosen);
  switch (result.synthesis.outcome) {
    case Synthesis::Outcome::Unknown: break;
    case Synthesis::Outcome::Hopeless: result.outcome = FenceRepair::Outcome::Hopeless; break;
    case Synthesis::Outcome::Repaired:
      result.outcome = result.fences.empty() ? FenceRepair::Outcome::Safe : FenceRepair::Outcome::Repaired;
      break;
  }
  return result;
}

}  // namespace heddle::repair
