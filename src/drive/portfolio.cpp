// SPDX-License-Identifier: Apache-2.0
#include "drive/portfolio.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace heddle::drive {

namespace {

constexpr double first_seconds = 10;  // of a turn; a program that takes longer is slow in any case
constexpr unsigned growth = 8;

// Of engines that have turns while another waits, in their steps by steps of the other. Where theirs take longer than
// the other's, their time is limited accordingly.
constexpr double first_share = 3;  // when first asked, by the steps taken so far: small state spaces are explored
constexpr double share_of_forecast = .02;
constexpr double share_beyond = 8;        // by the steps taken so far, where there is no telling …
constexpr std::uint64_t beyond = 50'000;  // … after so many of them without a forecast, or
constexpr double wrong = 2;               // … by this factor more than the last forecast said
constexpr double proof_beyond = .25;      // of that share: for engines that only prove, and take longer for it
constexpr double worth_a_turn = 2;        // by the last turn, which is lost
constexpr double worth_waiting = 1. / 4;  // of a turn: the one that waits has no less left to do
constexpr double early = 1. / 32;         // of a turn, after which it is given up if it …
constexpr double much_too_short = 4;      // … is by this factor, as forecast
constexpr unsigned longer = 8;            // by which a turn is made longer if that is enough, as forecast

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

class Turns {
 public:
  Turns(const std::vector<Contender>& contenders, core::Budget& budget) : budget_(budget), begun_(budget.elapsed()) {
    for (const Contender& c : contenders) sides_.push_back({&c, c.states, c.steps});
  }

  core::Verdict take() {
    for (double seconds = first_seconds;; seconds *= growth) {
      // In the last round each has an equal part of the time that is left, the last one all the rest.
      const std::size_t waiting = still_in();
      const double equal = left_of(budget_) / static_cast<double>(waiting);
      const bool last_round = equal <= seconds;
      std::size_t at = 0;
      for (Side& side : sides_) {
        if (side.out || side.who->only_lifts) continue;
        ++at;
        const bool ends = still_in() == 1 || (last_round && at >= waiting);
        const double given = ends ? left_of(budget_) : forecasts(side) ? equal : std::min(equal, seconds);
        if (auto verdict = turn(side, given, ends, !ends && !last_round)) return std::move(*verdict);
      }
    }
  }

 private:
  struct Side {
    const Contender* who;
    std::uint64_t states, steps;  // of its next turn
    bool out = false;             // it cannot decide, whatever its allowance
    core::Reason reason = {};     // of its last turn
  };

  std::size_t still_in() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(sides_, [](const Side& side) { return !side.out && !side.who->only_lifts; }));
  }

  static bool forecasts(const Side& side) { return side.who->forecast_after != 0; }

  std::optional<core::Verdict> turn(Side& side, double seconds, bool ends, bool within_allowance) {
    auto part = part_of(budget_);
    if (std::isfinite(seconds)) part->seconds = rounded(seconds);
    if (forecasts(side) && !ends) {
      turn_began_ = budget_.elapsed();
      others_took_ = last_forecast_ = 0;
      part->forecast_after = side.who->forecast_after;
      part->goes_on = [this, &side](std::uint64_t taken, std::optional<double> in_all) {
        return !(answer_ = meanwhile(side, taken, in_all));
      };
    } else if (within_allowance) {
      if (side.states != 0) part->max_states = std::min(budget_.max_states, side.states);
      if (side.steps != 0) part->max_steps = side.steps;
    }
    core::Verdict verdict = side.who->attempt(*part);
    if (answer_) return std::exchange(answer_, std::nullopt);
    side.reason = verdict.reason;
    if (decides(verdict) || ends) return lifted(freed(told(std::move(verdict), side), side), side);
    const bool by_time = verdict.reason.kind == core::Reason::Kind::TimeLimit;
    const bool own_limit = part->max_states != budget_.max_states || part->max_steps != budget_.max_steps;
    side.out = !verdict.reason.limit() || (!by_time && !own_limit);
    if (still_in() == 0) return told(std::move(verdict), side);  // the others went out while it had its turn
    side.states *= growth;
    side.steps *= growth;
    return std::nullopt;
  }

  static bool decides(const core::Verdict& verdict) {
    return verdict.outcome != core::Outcome::Unknown || verdict.reason.last_word();
  }

  // While one side waits, the others look whether they are done in a part of the time that it still needs.
  std::optional<core::Verdict> meanwhile(Side& waits, std::uint64_t taken, std::optional<double> in_all) {
    const auto steps = static_cast<double>(taken);
    const bool no_telling = !in_all && (last_forecast_ == 0 ? taken >= beyond : steps >= wrong * last_forecast_);
    if (in_all) last_forecast_ = *in_all;
    double share = in_all ? share_of_forecast * *in_all : no_telling ? share_beyond * steps : 0;
    if (last_share_ == 0) share = std::max(share, first_share * steps);
    const double rest = in_all ? *in_all - steps : std::numeric_limits<double>::infinity();
    if (share < worth_a_turn * last_share_ || rest < share * worth_waiting) return std::nullopt;
    last_share_ = share;
    const double begun = budget_.elapsed();
    const double per_step = (begun - turn_began_ - others_took_) / steps, seconds = per_step * share;
    waits.reason = {core::Reason::Kind::StepLimit, "a long search is left", waits.who->name};
    for (Side& side : sides_) {
      if (&side == &waits || side.out || side.who->only_lifts) continue;
      auto part = part_of(budget_);
      const double of_turn = side.who->only_proves && no_telling ? proof_beyond : 1;
      part->seconds = rounded(std::min(seconds * of_turn, left_of(budget_) / static_cast<double>(still_in())));
      part->max_steps = static_cast<std::uint64_t>(share * of_turn);
      if (side.who->only_proves) end_early(*part);
      else make_longer(*part, rest, rest * per_step);
      core::Verdict verdict = side.who->attempt(*part);
      side.reason = verdict.reason;
      if (decides(verdict)) return lifted(freed(told(std::move(verdict), side), side), side);
      side.out = !verdict.reason.limit() || verdict.reason.kind == core::Reason::Kind::StateLimit;  // the user's own
    }
    others_took_ += budget_.elapsed() - begun;
    return std::nullopt;
  }

  // A search for a violation may find one long before its end, a proof needs all of it: whoever only proves and can forecast
  // that it will not be done gives up. Requires limits of time and steps.
  static void end_early(core::Budget& part) {
    part.goes_on = [&part](std::uint64_t taken, std::optional<double> in_all) {
      const double of_steps = static_cast<double>(taken) / static_cast<double>(part.max_steps);
      const double of_turn = std::max(of_steps, part.elapsed() / *part.seconds);
      return !in_all || of_turn < early || of_turn * *in_all / static_cast<double>(taken) < much_too_short;
    };
  }

  // A turn that is cut off is lost, and the next one is longer: whoever forecasts that such a one is enough, and that it is
  // done before the one that waits, has it at once. Requires limits of time and steps.
  void make_longer(core::Budget& part, double rest_steps, double rest_seconds) const {
    const std::uint64_t steps = part.max_steps, most_steps = longer * steps;
    const double seconds = *part.seconds, most_seconds = std::min(longer * seconds, left_of(budget_));
    part.goes_on = [=, &part](std::uint64_t taken, std::optional<double> in_all) {
      if (!in_all) return true;
      const double in_seconds = part.elapsed() * *in_all / static_cast<double>(taken);
      const bool enough = *in_all <= std::min(static_cast<double>(most_steps), rest_steps) &&
                          in_seconds <= std::min(most_seconds, rest_seconds);
      part.max_steps = enough ? most_steps : steps;
      part.seconds = enough ? most_seconds : seconds;
      return true;
    };
  }

  core::Verdict first_turn(const Side& side) const {
    auto part = part_of(budget_);
    part->seconds = rounded(std::min(left_of(budget_), first_seconds));
    if (side.who->states != 0) part->max_states = std::min(budget_.max_states, side.who->states);
    return side.who->attempt(*part);
  }

  // What holds under an assumption about the search is asked of the others. The answer stands if they do not end, or need
  // an assumption or a bound themselves.
  core::Verdict freed(core::Verdict verdict, const Side& decided) const {
    const auto own = [](const Contender& who) {
      return [&who](const std::string& clause) { return who.own_assumption != nullptr && who.own_assumption(clause); };
    };
    const auto assumed = std::ranges::find_if(verdict.assumptions, own(*decided.who));
    if (verdict.outcome != core::Outcome::Safe || assumed == verdict.assumptions.end()) return verdict;
    for (const Side& side : sides_) {
      if (&side == &decided || side.out || side.who->only_lifts) continue;
      core::Verdict further = first_turn(side);
      const bool better = further.outcome == core::Outcome::Unsafe ||
                          (further.outcome == core::Outcome::Safe && further.bounds.empty() &&
                           std::ranges::none_of(further.assumptions, own(*side.who)));
      if (!better) continue;
      further.statistics.seconds = budget_.elapsed() - begun_;
      further.statistics.more.emplace_back("instead of",
                                           fmt::format("{}: assumes that {}", decided.who->name, *assumed));
      return further;
    }
    verdict.statistics.seconds = budget_.elapsed() - begun_;
    return verdict;
  }

  // What holds up to a bound is asked of those who have none. The answer up to the bound stands if they do not end.
  core::Verdict lifted(core::Verdict verdict, const Side& decided) {
    if (verdict.outcome != core::Outcome::Safe || verdict.bounds.empty()) return verdict;
    const std::string bounds = fmt::format("{}", fmt::join(verdict.bounds, ", "));
    for (Side& side : sides_) {
      if (&side == &decided || side.out || !side.who->lifts_bounds) continue;
      core::Verdict further = first_turn(side);
      if (further.outcome == core::Outcome::Unknown) {
        if (further.reason.kind != core::Reason::Kind::Unsupported)
          verdict.notes.push_back(fmt::format("beyond {}: {}: {}", bounds, side.who->name, further.reason.text));
        continue;
      }
      further.statistics.seconds = budget_.elapsed() - begun_;
      further.statistics.more.emplace_back("instead of", fmt::format("{}: up to {} only", decided.who->name, bounds));
      return further;
    }
    verdict.statistics.seconds = budget_.elapsed() - begun_;
    return verdict;
  }

  // Who else tried, and what stood in their way.
  core::Verdict told(core::Verdict verdict, const Side& decided) const {
    verdict.statistics.seconds = budget_.elapsed() - begun_;
    std::vector<std::string> obstacles;
    bool differ = false, endless = false;
    for (const Side& side : sides_) {
      if (side.reason.none()) continue;
      if (&side < &decided)
        verdict.statistics.more.emplace_back("instead of", fmt::format("{}: {}", side.who->name, side.reason.text));
      obstacles.push_back(fmt::format("{}: {}", side.who->name, side.reason.text));
      differ |= side.reason.text != verdict.reason.text;
      endless |= side.reason.kind == core::Reason::Kind::TooLong;
    }
    if (verdict.outcome != core::Outcome::Unknown || verdict.reason.last_word()) return verdict;
    if (differ) verdict.reason.text = fmt::format("{}", fmt::join(obstacles, "; "));
    // That a thread may never end matters more than which limit another engine met because of it.
    if (endless) verdict.reason.kind = core::Reason::Kind::TooLong;
    return verdict;
  }

  core::Budget& budget_;
  double begun_;
  std::vector<Side> sides_;
  double last_share_ = 0;  // see meanwhile()
  double turn_began_ = 0, others_took_ = 0, last_forecast_ = 0;
  std::optional<core::Verdict> answer_;  // of one that had a turn meanwhile
};

}  // namespace

std::unique_ptr<core::Budget> fair_share(const core::Budget& whole, std::size_t waiting) {
  auto part = part_of(whole);
  if (whole.seconds) part->seconds = rounded(left_of(whole) / static_cast<double>(std::max<std::size_t>(waiting, 1)));
  return part;
}

core::Verdict take_turns(const std::vector<Contender>& contenders, core::Budget& budget) {
  if (contenders.size() == 1) return contenders.front().attempt(budget);
  return Turns(contenders, budget).take();
}

}  // namespace heddle::drive
