// Replays the moves of an engine on the naive machine and tells, in the user's words, what happened.
//
// A trace is believed only if every move was possible, and the state at its end (or its last step) is what the engine
// says it is. Nothing of what an engine claims is taken over: the Trace is made from the replay alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"
#include "ir/program.h"

namespace heddle::check {

// What must be true at the end of the run.
struct Claim {
  enum class Kind : std::uint8_t {
    Assertion,
    StepError,
    Proposition,
    PropositionError,
    Deadlock
  } kind = Kind::Proposition;
  std::uint32_t proposition = 0;
  bool value = true;
};

struct Replayed {
  bool confirmed = false;
  std::string why;        // if not: which move was impossible, or what was not true at the end
  core::Trace trace;      // its closing sentence is left to the caller
  std::string violation;  // one sentence
  std::string kind;       // one word
};

Replayed replay(const ir::Program&, const std::string& model, unsigned buffer_bound, const std::vector<core::Move>&,
                const Claim&);

}  // namespace heddle::check
