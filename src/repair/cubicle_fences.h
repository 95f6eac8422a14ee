// The smallest set of guards that need a fence() to make an array-based system safe.
//
// Every counterexample says which transitions it takes while the acting process still has writes in its buffer: a
// repair must put a fence into one of them, and a fence in one of them forbids that run. repair/synthesis.h does the
// rest. Locked transitions and those with a fence drain their buffer already; transitions without an acting process
// have none.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "lang/cubicle/syntax.h"
#include "repair/synthesis.h"

namespace heddle::repair {

struct FenceRepair {
  enum class Outcome : std::uint8_t {
    Safe,      // nothing to do
    Repaired,  // `fences` are enough, and nothing smaller is
    Hopeless,  // some run goes wrong whatever fences there are: `last` has it
    Unknown    // a check gave no answer: `last` says why
  };
  Outcome outcome = Outcome::Unknown;
  std::vector<std::size_t> fences;  // numbers of transitions, ascending
  core::Verdict last;               // the last check's
  unsigned checks = 0;
  Synthesis synthesis;  // its elements are numbers in fence_places()
};

// The transitions that can have a fence() in their guard: those with an acting process.
std::vector<std::size_t> fence_places(const cubicle::System&);

struct FenceQuestion {
  // Answers for a system under the model to repair for; an Unsafe verdict must have a trace.
  std::function<core::Verdict(const cubicle::System&)> decide;
  // Is told of each constraint with the verdict whose run shows it: does that run go through with a fence in all other
  // guards? Empty: it is taken to.
  std::function<bool(const Elements&, const core::Verdict&)> confirm = {};
  bool all = false;  // all smallest sets
};

FenceRepair repair_fences(const cubicle::System&, const FenceQuestion&);

// The system with a fence() in these guards, and its text.
cubicle::System with_fences(const cubicle::System&, const std::vector<std::size_t>&);
std::string text_with_fences(const cubicle::System&, const std::vector<std::size_t>&);

}  // namespace heddle::repair
