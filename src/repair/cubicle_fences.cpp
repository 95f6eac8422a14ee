// SPDX-License-Identifier: Apache-2.0
#include "repair/cubicle_fences.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::repair {

namespace {

// Transitions that the run takes while their process has something in its buffer.
std::set<std::size_t> blockable(const cubicle::System& system, const core::Trace& trace) {
  std::map<std::uint32_t, int> waiting;
  std::set<std::size_t> result;
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
  return result;
}

bool hits(const std::vector<std::size_t>& chosen, const std::vector<std::set<std::size_t>>& sets) {
  return std::all_of(sets.begin(), sets.end(), [&](const std::set<std::size_t>& s) {
    return std::any_of(chosen.begin(), chosen.end(), [&](std::size_t t) { return s.count(t) != 0; });
  });
}

bool choose(const std::vector<std::size_t>& from, std::size_t at, std::size_t size, std::vector<std::size_t>& chosen,
            const std::vector<std::set<std::size_t>>& sets) {
  if (chosen.size() == size) return hits(chosen, sets);
  for (std::size_t i = at; i < from.size(); ++i) {
    chosen.push_back(from[i]);
    if (choose(from, i + 1, size, chosen, sets)) return true;
    chosen.pop_back();
  }
  return false;
}

std::vector<std::size_t> smallest_hitting_set(const std::vector<std::set<std::size_t>>& sets) {
  std::set<std::size_t> all;
  for (const auto& s : sets) all.insert(s.begin(), s.end());
  const std::vector<std::size_t> from(all.begin(), all.end());
  for (std::size_t size = 0;; ++size) {
    std::vector<std::size_t> chosen;
    if (choose(from, 0, size, chosen, sets)) return chosen;
  }
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
  std::vector<std::set<std::size_t>> runs;
  for (;;) {
    ++result.checks;
    result.last = decide(with_fences(system, result.fences));
    switch (result.last.outcome) {
      case core::Outcome::Unknown: return result;
      case core::Outcome::Safe:
        result.outcome = result.fences.empty() ? FenceRepair::Outcome::Safe : FenceRepair::Outcome::Repaired;
        return result;
      case core::Outcome::Unsafe: break;
    }
    runs.push_back(blockable(system, *result.last.trace));
    if (runs.back().empty()) {
      result.outcome = FenceRepair::Outcome::Hopeless;
      return result;
    }
    result.fences = smallest_hitting_set(runs);
  }
}

}  // namespace heddle::repair
