// A C program that runs a litmus test many times on the machine that it is compiled for, and prints how often each
// outcome came.
//
// A round runs many instances of the test: each has its variables on cache lines of their own, whose places are
// shuffled from round to round (or lie close together in every third round, so that lines are shared). The threads meet
// at a spin barrier before each round, in every second round before each instance with a short random delay behind it,
// and change cores now and then. `PROGRAM ROUNDS SECONDS` prints "rounds N", "lost N", the number of runs with outcomes
// that it had no room for, and a line "outcome COUNT OF:VALUE…" per outcome, in the order of Test::observed: VALUE is in
// hexadecimal, a number if OF is 0, else an offset in variable number OF - 1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/machine.h"
#include "lang/litmus/test.h"
#include "support/diagnostics.h"

namespace heddle::hardware {

inline constexpr unsigned instances_per_round = 1024;

// `notation`: of the test's dialect; null for C.
support::Result<std::string> harness(const lang::litmus::Test&, const Notation* notation);

}  // namespace heddle::hardware
