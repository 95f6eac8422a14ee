// What every engine returns: that nothing is wrong, a run that shows what is, or why it stopped. No words for people.
//
// A Nothing is made by conclude() (core/evidence.h) alone, from evidence; a verdict is SAFE only by a Nothing. A Found
// is a claim: it becomes a verdict when check/ has replayed it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/execution_witness.h"
#include "core/property.h"
#include "core/reason.h"
#include "core/trace.h"
#include "core/verdict.h"

namespace heddle::core {

struct Evidence;

class Nothing {
  Nothing() = default;
  friend std::variant<Nothing, Reason> conclude(const Evidence&);
};

// A run of the product of program and machine.
struct MoveRun {
  std::vector<Move> moves;
  std::size_t loop_start = Trace::no_loop;  // the moves from here on repeat for ever
  bool shortest = true;                     // false: a limit ended the search for the shortest or least relaxed run
};

// A run of an array-based system: transitions with their parameters. Unless it is `exact`, processes that take no step
// may have to be added, and where flushes go is left to the replay.
struct ParameterisedRun {
  struct Step {
    std::uint32_t transition = 0;
    std::vector<std::uint32_t> parameters;
    bool flush = false;  // instead: `entry` of the buffer of `process` reaches memory
    std::uint32_t process = 0, entry = 0;
  };
  unsigned processes = 0;
  std::vector<Step> steps;
  bool exact = false;
  unsigned buffer = 0;                                         // entries that a buffer holds, if exact
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // the first must have a smaller number than the second
};

struct Found {
  Claim claim;
  std::variant<MoveRun, ExecutionWitness, ParameterisedRun> run;
};

struct Finding {
  std::variant<Reason, Nothing, Found> what = internal_error("the engine returned nothing");
  Statistics statistics;
  std::vector<std::string> bounds;       // reached: a Nothing holds up to these
  std::vector<std::string> notes;        // over-approximations made, options that had no effect
  std::vector<std::string> assumptions;  // as in Verdict
  std::string certificate;               // of a Nothing: what proves it, if that was asked for

  const Found* found() const { return std::get_if<Found>(&what); }
  const Reason* stopped() const { return std::get_if<Reason>(&what); }
  bool nothing() const { return std::holds_alternative<Nothing>(what); }
};

}  // namespace heddle::core
