// SPDX-License-Identifier: Apache-2.0
#include "repair/cubicle_fences.h"

#include <algorithm>
#include <map>
#include <set>

#include "repair/synthesis.h"

namespace heddle::repair {

namespace {

// Transitions that the run takes while their process has something in its buffer.
Elements blockable(const cubicle::System& system, const core::Trace& trace) {
  std::map<std::uint32_t, int> waiting;
  std::set<std::uint32_t> result;
  for (const core::TraceStep& s : trace.steps) {
    if (s.move.kind == core::Move::Kind::Flush) {
      --waiting[s.move.thread];
      continue;
    }
    const cubicle::Transition& t = system.transitions[s.move.choice];
    if (t.actor != cubicle::no_slot && waiting[s.move.thread] > 0) result.insert(s.move.choice);
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

FenceRepair repair_fences(const cubicle::System& system,
                          const std::function<core::Verdict(const cubicle::System&)>& decide) {
  FenceRepair result;
  const auto check = [&](const Elements& fences) {
    result.last = decide(with_fences(system, {fences.begin(), fences.end()}));
    switch (result.last.outcome) {
      case core::Outcome::Unknown: return Answer{Answer::Kind::Unknown, {}, result.last.reason};
      case core::Outcome::Safe: return Answer{Answer::Kind::Safe, {}, {}};
      case core::Outcome::Unsafe: break;
    }
    return Answer{Answer::Kind::Unsafe, {blockable(system, *result.last.trace)}, {}};
  };
  const Synthesis found = synthesise(std::vector<std::uint64_t>(system.transitions.size(), 1), check);
  result.checks = found.checks;
  result.fences.assign(found.chosen.begin(), found.chosen.end());
  switch (found.outcome) {
    case Synthesis::Outcome::Unknown: break;
    case Synthesis::Outcome::Hopeless: result.outcome = FenceRepair::Outcome::Hopeless; break;
    case Synthesis::Outcome::Repaired:
      result.outcome = found.chosen.empty() ? FenceRepair::Outcome::Safe : FenceRepair::Outcome::Repaired;
      break;
  }
  return result;
}

}  // namespace heddle::repair
