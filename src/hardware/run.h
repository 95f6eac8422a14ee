// Litmus tests on real hardware: compiled for this machine, run, and every outcome held against what its memory model
// allows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/value.h"
#include "hardware/machine.h"
#include "lang/litmus/test.h"
#include "support/diagnostics.h"

namespace heddle::hardware {

struct Options {
  std::string compiler;  // empty: cc, or else clang, whichever is found
  std::uint64_t rounds = 500;
};

struct Outcome {
  std::vector<core::Value> values;  // of Test::observed
  std::uint64_t count = 0;
  bool satisfies = false;  // the condition's formula
  bool allowed = true;     // by the model
  bool by_sc = true;       // … by sc
};

// One test at one setting of the compiler.
struct TestRun {
  std::string setting, model;
  std::vector<Outcome> outcomes;   // the most frequent first
  std::size_t allowed = 0;         // outcomes that the model allows
  bool condition_allowed = false;  // one of them satisfies the condition's formula
  std::uint64_t runs = 0;
  std::uint64_t lost = 0;  // of them, with outcomes for which there was no room
  bool cut_short = false;  // a limit came before the last round, or before the model's answer
  double seconds = 0;
  std::string why_not;   // if it was not run at all
  std::string unjudged;  // why outcomes that the model does not have say nothing; empty: they are forbidden

  bool forbidden() const;
  std::uint64_t beyond_sc() const;  // runs with an outcome that sc forbids
  std::uint64_t satisfying() const;
};

// The compiler that is used; a mistake if there is none.
support::Result<std::string> compiler(const Options&, const core::Budget&);

// At each setting that its dialect has on the machine. Ends when the budget does, with what is known.
std::vector<TestRun> run_test(const lang::litmus::Test&, const Machine&, const std::string& compiler, const Options&,
                              core::Budget&);

}  // namespace heddle::hardware
