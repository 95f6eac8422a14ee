// SPDX-License-Identifier: Apache-2.0
#include "repair/synthesis.h"

#include <algorithm>
#include <set>

#include "support/diagnostics.h"

namespace heddle::repair {
namespace {

Elements with(const Elements& chosen, const Elements& start) {
  std::set<std::uint32_t> all(chosen.begin(), chosen.end());
  all.insert(start.begin(), start.end());
  return {all.begin(), all.end()};
}

}  // namespace

Synthesis synthesise(std::vector<std::uint64_t> costs, const std::function<Answer(const Elements&)>& check,
                     const SynthesisOptions& options) {
  for (const std::uint32_t e : options.start) costs[e] = 0;
  HittingSets problem(costs);
  Synthesis result;
  std::set<Elements> safe;
  // Asks about one candidate; false ends the synthesis.
  const auto ask = [&](const Elements& candidate) {
    result.chosen = with(candidate, options.start);
    result.cost = problem.cost(result.chosen);
    ++result.checks;
    Answer answer = check(result.chosen);
    switch (answer.kind) {
      case Answer::Kind::Safe: safe.insert(candidate); return true;
      case Answer::Kind::Unknown: result.reason = std::move(answer.reason); return false;
      case Answer::Kind::Unsafe: break;
    }
    HEDDLE_ASSERT(!answer.constraints.empty());
    for (Elements& set : answer.constraints) {
      HEDDLE_ASSERT(
          std::ranges::none_of(set, [&](std::uint32_t e) { return std::ranges::binary_search(result.chosen, e); }));
      problem.add(std::move(set));
    }
    return true;
  };
  for (;;) {
    const auto candidate = problem.cheapest();
    if (!candidate) {
      result.outcome = Synthesis::Outcome::Hopeless;
      break;
    }
    if (!ask(*candidate)) break;
    if (!safe.contains(*candidate)) continue;
    result.outcome = Synthesis::Outcome::Repaired;
    break;
  }
  // All cheapest sets: every hitting set of this cost is asked about, and what its runs show is taken in. There may be
  // more of them than can be told; of one more than are known to be safe, one is not.
  if (options.all && result.outcome == Synthesis::Outcome::Repaired) {
    const Elements first = result.chosen;
    const std::uint64_t cost = result.cost;
    for (bool settled = false; !settled;) {
      settled = true;
      for (const Elements& candidate : problem.all_cheapest(safe.size() + 1)) {
        if (safe.contains(candidate)) continue;
        settled = false;
        if (!ask(candidate)) {
          result.outcome = Synthesis::Outcome::Unknown;
          return result;
        }
        break;
      }
    }
    result.chosen = first;
    result.cost = cost;
    for (const Elements& candidate : safe) result.all.push_back(with(candidate, options.start));
  }
  result.constraints = problem.sets();
  return result;
}

}  // namespace heddle::repair
