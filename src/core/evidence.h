// SAFE is constructed, not left over: conclude() is the only place that makes it, from evidence.
//
// An engine that leaves something out (a graph, a state, a candidate, a cube) notes it in the ledger `Drops` at the
// place where it does so. Every such place is a row of drop_places(); with a note in the ledger no verdict is Safe.
// tests/unit/evidence_test.cpp holds that no other file makes Safe, and makes every row happen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/finding.h"

namespace heddle::core {

enum class DropPlace : std::uint8_t {
  GraphRequest,
  GraphLength,
  GraphAxioms,
  GraphAddresses,
  GraphPromises,
  GraphLifetime,
  GraphAccesses,
  GraphSteps,
  GraphRobustness,
  GraphViolation,
  SearchLimit,
  CycleLimit,
  CycleSection,
  CubeLimit,
  CubeRange,
  CubeRun,
  CubeWrites,
  RunRequest,
  RunLength,
  RunNumber,
  CandidateWrites,
  CandidateLength,
  CandidateSizes,
};

struct DropRow {
  DropPlace place;
  std::string_view name;  // engine and place, for tests and internal messages
  Reason::Kind kind;
  std::string_view reason;  // {} stands for the detail that the place gives
  std::string_view detail;  // where it gives none
};

// All places, in the order of the enumeration.
std::span<const DropRow> drop_places();

// A test's hand in the ledger: makes one reason happen, and learns which places were asked.
struct DropProbe {
  std::optional<DropPlace> makes;
  std::atomic<std::uint64_t> asked{0};  // a bit per place

  bool was_asked(DropPlace p) const { return ((asked.load() >> static_cast<unsigned>(p)) & 1) != 0; }
};

// What one attempt at a verdict left out. Thread-safe.
class Drops {
 public:
  explicit Drops(DropProbe* probe = nullptr) : probe_(probe) {}

  // To be asked exactly where something may have to be left out, `really` being the reason for it. True: leave it out;
  // it is noted.
  bool at(DropPlace place, bool really, std::string_view detail = {}) {
    if (!really && probe_ == nullptr) [[likely]]
      return false;
    return note(place, really, detail);
  }
  // The same where the place only hands on why a search has stopped.
  bool stopped(DropPlace place, const std::optional<Reason>& why) {
    if (!why && probe_ == nullptr) return false;
    return note(place, why.has_value(), why ? why->text : std::string_view(), why ? why->kind : Reason::Kind::None);
  }
  bool any() const { return any_.load(std::memory_order_acquire); }
  Reason reason() const;  // of the first note
  DropProbe* probe() const { return probe_; }

 private:
  bool note(DropPlace, bool really, std::string_view detail, Reason::Kind = Reason::Kind::None);

  DropProbe* probe_;
  std::atomic<bool> any_{false};
  mutable std::mutex mutex_;
  Reason reason_;
};

// What a search has to show for itself.
struct Evidence {
  const Drops* drops = nullptr;        // null: the engine tells its gaps by `stopped` alone
  bool ended = false;                  // by itself: nothing was left to look at
  std::optional<Reason> stopped = {};  // if not: why
  std::uint64_t seen = 0;              // executions (complete or blocked), states, candidates, cubes
};

// Nothing is wrong, if the evidence has no gap; otherwise the reason why that is not known.
std::variant<Nothing, Reason> conclude(const Evidence&);

// The verdict on an attempt that found nothing: Safe, up to the finding's bounds, by a Nothing; Unknown by a reason.
// Requires !finding.found().
void pronounce(Verdict&, const Finding&);

}  // namespace heddle::core
