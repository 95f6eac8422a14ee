// SPDX-License-Identifier: Apache-2.0
#include "core/evidence.h"

#include <array>

#include "support/diagnostics.h"

namespace heddle::core {
namespace {

constexpr std::string_view too_long = "a thread goes on for too long";
constexpr std::string_view too_large = "an execution has more events than the axioms of {} can be evaluated on";

using Kinds = Reason::Kind;

constexpr std::array<DropRow, 23> table{{
    {DropPlace::GraphRequest, "graph: request", Kinds::Unsupported, "execution graphs cannot express {}",
     "a request of the program"},
    {DropPlace::GraphLength, "graph: length of a thread", Kinds::TooLong, too_long, ""},
    {DropPlace::GraphAxioms, "graph: axioms", Kinds::TooLarge, too_large, "the model"},
    {DropPlace::GraphAddresses, "graph: addresses", Kinds::Unsupported,
     "under {} later writes overtake stores whose addresses are not known yet, and a read sees such a store of its own "
     "thread: executions may be missing",
     "the model"},
    {DropPlace::GraphPromises, "graph: promises", Kinds::Unsupported,
     "under {} a load that picks a value (?:, a comparison), which comes back through memory and decides what is "
     "written, may see a later write: executions may be missing",
     "the model"},
    {DropPlace::GraphLifetime, "graph: order of access and free", Kinds::TooLarge, too_large, "the model"},
    {DropPlace::GraphAccesses, "graph: whole accesses", Kinds::TooLarge, too_large, "the model"},
    {DropPlace::GraphSteps, "graph: atomic steps", Kinds::TooLarge, too_large, "the model"},
    {DropPlace::GraphRobustness, "graph: robustness", Kinds::TooLarge, too_large, "sc"},
    {DropPlace::GraphViolation, "graph: violation", Kinds::Unconfirmed,
     "a violation was found in an execution that may be none", ""},
    {DropPlace::SearchLimit, "states: limit", Kinds::StateLimit, "{}", "a limit was reached"},
    {DropPlace::CycleLimit, "cycles: limit", Kinds::StateLimit, "{}", "a limit was reached"},
    {DropPlace::CycleSection, "cycles: atomic section", Kinds::Unsupported,
     "{} may stay in an atomic section for ever, and a formula sees nothing of what is done there", "a process"},
    {DropPlace::CubeLimit, "cubes: limit", Kinds::StateLimit, "{}", "a limit was reached"},
    {DropPlace::CubeRange, "cubes: range", Kinds::Open, "the search needs {}", "larger cubes than there can be"},
    {DropPlace::CubeRun, "cubes: unconfirmed run", Kinds::Unconfirmed, "{}",
     "a run that was found could not be replayed"},
    {DropPlace::CubeWrites, "cubes: writes", Kinds::Open, "{}",
     "writes to the weak cells of all processes may overtake others"},
    {DropPlace::RunRequest, "candidates: request", Kinds::Unsupported,
     "the program {}, which the enumeration of candidates does not support", "does something"},
    {DropPlace::RunLength, "candidates: length of a run", Kinds::TooLarge, "a thread has more than 1000 events", ""},
    {DropPlace::RunNumber, "candidates: number of runs", Kinds::TooLarge, "a thread has more than {} runs", "so many"},
    {DropPlace::CandidateWrites, "candidates: writes", Kinds::TooLarge, "more than 63 writes to one location", ""},
    {DropPlace::CandidateLength, "candidates: events", Kinds::TooLarge, "an execution has more than 1024 events", ""},
    {DropPlace::CandidateSizes, "candidates: sizes", Kinds::Unsupported,
     "accesses of different sizes overlap, which {} does not define here", "the model"},
}};

}  // namespace

std::span<const DropRow> drop_places() { return table; }

bool Drops::note(DropPlace place, bool really, std::string_view detail, Reason::Kind kind) {
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
  reason_ = {kind == Kinds::None ? row.kind : kind, std::string(row.reason)};
  if (const std::size_t gap = reason_.text.find("{}"); gap != std::string::npos)
    reason_.text.replace(gap, 2, detail.empty() ? row.detail : detail);
  any_.store(true, std::memory_order_release);
  return true;
}

Reason Drops::reason() const {
  const std::scoped_lock lock(mutex_);
  return reason_;
}

std::variant<Nothing, Reason> conclude(const Evidence& evidence) {
  if (evidence.drops != nullptr && evidence.drops->any()) return evidence.drops->reason();
  if (!evidence.ended || evidence.stopped)
    return evidence.stopped ? *evidence.stopped : internal_error("the search stopped and does not say why");
  if (evidence.seen == 0) return internal_error("the search ended without having seen anything");
  return Nothing();
}

void pronounce(Verdict& verdict, const Finding& finding) {
  HEDDLE_ASSERT(finding.found() == nullptr);
  verdict.outcome = finding.nothing() ? Outcome::Safe : Outcome::Unknown;
  verdict.reason = finding.nothing() ? Reason{} : *finding.stopped();
  verdict.bounds = finding.nothing() ? finding.bounds : std::vector<std::string>{};
}

}  // namespace heddle::core
