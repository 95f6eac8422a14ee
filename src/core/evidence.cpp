// SPDX-License-Identifier: Apache-2.0
#include "core/evidence.h"

#include <array>

#include "support/diagnostics.h"

namespace heddle::core {
namespace {

constexpr std::string_view too_long = "a thread goes on for too long (use --engine explicit, or --loop-bound N)";
constexpr std::string_view too_large = "an execution has more events than the axioms of {} can be evaluated on";

constexpr std::array<DropRow, 21> table{{
    {DropPlace::GraphRequest, "graph: request", "the graph engine does not handle {}", "a request of the program"},
    {DropPlace::GraphLength, "graph: length of a thread", too_long, ""},
    {DropPlace::GraphAxioms, "graph: axioms", too_large, "the model"},
    {DropPlace::GraphLifetime, "graph: order of access and free", too_large, "the model"},
    {DropPlace::GraphAccesses, "graph: whole accesses", too_large, "the model"},
    {DropPlace::GraphSteps, "graph: atomic steps", too_large, "the model"},
    {DropPlace::GraphRobustness, "graph: robustness", too_large, "sc"},
    {DropPlace::GraphViolation, "graph: violation", "a violation was found in an execution that may be none", ""},
    {DropPlace::SearchLimit, "states: limit", "{}", "a limit was reached"},
    {DropPlace::CycleLimit, "cycles: limit", "{}", "a limit was reached"},
    {DropPlace::CubeLimit, "cubes: limit", "{}", "a limit was reached"},
    {DropPlace::CubeRange, "cubes: range", "the search needs {}", "larger cubes than there can be"},
    {DropPlace::CubeRun, "cubes: unconfirmed run", "{}", "a run that was found could not be replayed"},
    {DropPlace::CubeWrites, "cubes: writes", "{}", "writes to the weak cells of all processes may overtake others"},
    {DropPlace::RunRequest, "candidates: request",
     "the program {}, which the enumeration of candidates does not support", "does something"},
    {DropPlace::RunLength, "candidates: length of a run", "a thread has more than 1000 events", ""},
    {DropPlace::RunNumber, "candidates: number of runs", "a thread has more than {} runs", "so many"},
    {DropPlace::CandidateWrites, "candidates: writes", "more than 63 writes to one location", ""},
    {DropPlace::CandidateLength, "candidates: events", "an execution has more than 1024 events", ""},
    {DropPlace::CandidateSizes, "candidates: sizes",
     "accesses of different sizes overlap, which {} does not define here", "the model"},
}};

}  // namespace

std::span<const DropRow> drop_places() { return table; }

bool Drops::note(DropPlace place, bool really, std::string_view detail) {
  const auto number = static_cast<unsigned>(place);
  const DropRow& row = table[number];
  HEDDLE_ASSERT(row.place == place);
  if (probe_ != nullptr) {
    probe_->asked |= std::uint64_t{1} << number;
    really |= probe_->makes == place;
  }
  if (!really) return false;
  const std::scoped_lock lock(mutex_);
  if (any_.load(std::memory_order_relaxed)) return true;
  reason_ = row.reason;
  if (const std::size_t gap = reason_.find("{}"); gap != std::string::npos)
    reason_.replace(gap, 2, detail.empty() ? row.detail : detail);
  any_.store(true, std::memory_order_release);
  return true;
}

std::string Drops::reason() const {
  const std::scoped_lock lock(mutex_);
  return reason_;
}

void conclude(Verdict& verdict, const Evidence& evidence) {
  verdict.outcome = Outcome::Unknown;
  if (evidence.drops != nullptr && evidence.drops->any()) verdict.reason = evidence.drops->reason();
  else if (!evidence.ended)
    verdict.reason =
        evidence.stopped.empty() ? "internal error: the search stopped and does not say why" : evidence.stopped;
  else if (evidence.seen == 0) verdict.reason = "internal error: the search ended without having seen anything";
  else {
    verdict.outcome = Outcome::Safe;
    verdict.reason.clear();
    verdict.bounds = evidence.bounds;
  }
}

}  // namespace heddle::core
