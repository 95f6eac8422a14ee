// What a check answers. Unknown never passes for safe, and a bound that was reached is part of the answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/reason.h"
#include "core/trace.h"

namespace heddle::core {

// Assumptions of verdicts (Verdict::assumptions) that several engines make.
inline constexpr const char* weak_cas_succeeds =
    "a weak compare-exchange never fails spuriously (--spurious-cas lets it)";
inline constexpr const char* addresses_are_chosen =
    "objects have the addresses that the checker chose (they are used as numbers; leaks are not looked for after that)";

// The same of an execution that goes wrong.
inline constexpr const char* addresses_were_chosen =
    "objects have the addresses that the checker chose (they are used as numbers)";

enum class Outcome : std::uint8_t { Safe, Unsafe, Unknown };

struct Statistics {
  std::string engine;
  std::optional<std::uint64_t> states, transitions, levels;
  std::optional<std::uint64_t> executions, blocked, duplicates;
  std::optional<std::uint64_t> bytes;  // of the engine's own tables
  double seconds = 0;
  std::vector<std::pair<std::string, std::string>> more;  // engine-specific, in the order to show
};

struct Verdict {
  std::string model;  // memory model, as the user names it
  Outcome outcome = Outcome::Unknown;
  std::vector<std::string>
      bounds;                      // reached bounds, each as "buffer 5", "loop 10"; Safe with bounds = SAFE up to these
  Reason reason;                   // Unknown: what stood in the way
  std::string violation_kind;      // Unsafe: one word (assertion, invariant, reach, deadlock, race, …)
  std::string violation;           // Unsafe: one sentence
  SourcePlace place;               // Unsafe: where in the user's own files; no line if not known
  std::optional<Trace> trace;      // Unsafe: has been replayed
  std::vector<std::string> notes;  // over-approximations made, options that mattered, …
  // What the verdict takes for granted of the world outside the program, only where the program meets it. Each is a
  // clause that can follow "assumes that": "a weak compare-exchange never fails spuriously (see --spurious-cas)".
  std::vector<std::string> assumptions;
  Statistics statistics;
};

}  // namespace heddle::core
