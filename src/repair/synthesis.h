// The smallest repair, whatever is repaired: places that can be strengthened, each at a cost, and a check that either
// finds the strengthened program safe or gives a run that goes wrong.
//
// Requires monotonicity: strengthening a place only removes runs. A run that still goes through when all places but
// those of a set K are strengthened shows that every repair has a place of K. So a cheapest hitting set of the K found
// so far costs no more than any repair, and the first one that is safe is a cheapest repair (implicit hitting sets:
// Moreno-Centeno and Karp, Operations Research 61(2), 2013).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/reason.h"
#include "repair/hitting_set.h"

namespace heddle::repair {

// What a check of a candidate says.
struct Answer {
  enum class Kind : std::uint8_t { Safe, Unsafe, Unknown } kind = Kind::Unknown;
  std::vector<Elements> constraints = {};  // Unsafe: one or more; none of them has a place of the candidate
  core::Reason reason = {};                // Unknown
};

struct Synthesis {
  enum class Outcome : std::uint8_t {
    Repaired,  // `chosen` is safe and a cheapest set; empty: nothing to do
    Hopeless,  // a run goes wrong whatever is strengthened
    Unknown    // a check gave no answer: `chosen` is the candidate it was asked about, its cost a lower bound
  };
  Outcome outcome = Outcome::Unknown;
  Elements chosen;
  std::uint64_t cost = 0;
  std::vector<Elements> all;          // Repaired and asked for: all cheapest sets, `chosen` among them
  std::vector<Elements> constraints;  // the proof that nothing is cheaper
  core::Reason reason;                // Unknown
  unsigned checks = 0;
};

struct SynthesisOptions {
  bool all = false;  // all cheapest sets
  Elements start;    // places that are strengthened in any case, at no cost
};

Synthesis synthesise(std::vector<std::uint64_t> costs, const std::function<Answer(const Elements&)>& check,
                     const SynthesisOptions& = {});

}  // namespace heddle::repair
