// SPDX-License-Identifier: Apache-2.0
#include "cli/turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace heddle::cli {

namespace {

constexpr double first_seconds = 10;  // of a turn; a program that takes longer is slow in any case
constexpr unsigned growth = 8;

std::unique_ptr<core::Budget> part_of(const core::Budget& whole) {
  auto part = std::make_unique<core::Budget>();
  part->bytes = whole.bytes;
  part->max_states = whole.max_states;
  part->interrupted = whole.interrupted;
  part->progress = whole.progress;
  part->overtime = whole.overtime;
  part->probe = whole.probe;
  part->start();
  return part;
}

double left_of(const core::Budget& budget) {
  return budget.seconds ? std::max(0.0, *budget.seconds - budget.elapsed()) : std::numeric_limits<double>::infinity();
}

// Times are told to people: two digits of a second are enough.
double rounded(double seconds) { return std::max(0.01, std::floor(seconds * 100) / 100); }

// Out of its turn's allowance, and worth another one.
bool cut_short(const std::string& reason) { return reason.starts_with("time limit") || reason.starts_with("limit of"); }

// Nothing that another engine could mend: the user, or ourselves.
bool last_word(const core::Verdict& verdict) {
  return verdict.outcome != core::Outcome::Unknown || verdict.reason == "interrupted" ||
         verdict.reason.starts_with("internal error");
}

struct Side {
  const Contender& who;
  std::uint64_t allowance, steps;
  bool out = false;    // it cannot decide, whatever its allowance
  std::string reason;  // of its last turn
};

}  // namespace

std::unique_ptr<core::Budget> fair_share(const core::Budget& whole, std::size_t waiting) {
  auto part = part_of(whole);
  if (whole.seconds) part->seconds = rounded(left_of(whole) / static_cast<double>(std::max<std::size_t>(waiting, 1)));
  return part;
}

std::string short_reason(std::string reason) {
  if (reason.ends_with(')'))
    if (const std::size_t hint = reason.rfind(" ("); hint != std::string::npos) reason.erase(hint);
  for (const std::string_view prefix :
       {"the graph engine does not handle ", "the graph engine ", "the explicit engine "})
    if (reason.starts_with(prefix)) return reason.substr(prefix.size());
  return reason;
}

core::Verdict take_turns(const Contender& first, const Contender& second, core::Budget& budget) {
  const double begun = budget.elapsed();
  Side one{first, first.allowance, first.steps}, two{second, second.allowance, second.steps};
  const auto told = [&](core::Verdict verdict, const Side& side) {
    const Side& other = &side == &one ? two : one;
    verdict.statistics.seconds = budget.elapsed() - begun;
    if (&side == &two)
      verdict.statistics.more.emplace_back("instead of", fmt::format("{}: {}", one.who.name, short_reason(one.reason)));
    if (!last_word(verdict) && !other.reason.empty() && short_reason(other.reason) != short_reason(verdict.reason))
      verdict.reason =
          fmt::format("{}: {}; {}: {}", one.who.name, short_reason(&side == &one ? verdict.reason : one.reason),
                      two.who.name, short_reason(&side == &one ? two.reason : verdict.reason));
    return verdict;
  };
  for (double seconds = first_seconds;; seconds *= growth) {
    // In the last round the first has half of the time that is left, the second all the rest.
    const double half = left_of(budget) / 2;
    const bool last = half <= seconds;
    for (Side* side : {&one, &two}) {
      if (side->out) continue;
      const bool ends = (side == &one ? two : one).out || (last && side == &two);
      const double given = ends ? left_of(budget) : std::min(half, seconds);
      auto part = part_of(budget);
      if (std::isfinite(given)) part->seconds = rounded(given);
      if (!ends && !last) {
        part->max_states = std::min(budget.max_states, side->allowance);
        if (side->steps != 0) part->max_steps = side->steps;
      }
      core::Verdict verdict = side->who.attempt(*part);
      if (last_word(verdict) || ends) return told(std::move(verdict), *side);
      side->reason = verdict.reason;
      side->out =
          !cut_short(verdict.reason) || (verdict.reason.starts_with("limit of") &&
                                         part->max_states == budget.max_states && part->max_steps == budget.max_steps);
      side->allowance *= growth;
      side->steps *= growth;
    }
  }
}

}  // namespace heddle::cli
