// A finite instance of an array-based system as an ir program: N processes, explored like any other program.
//
// Weak names are shared memory, one cell each; all other names are local words, the cells of an array with those of the
// process of their first index, everything else with one more process, `system`. A transition is an edge for every way
// to give its parameters different processes, and for every choice that it leaves open (`:= .`, a `case` that may write
// nothing). Its stores are one buffer entry (Program::one_entry); if it reads weak names too it is locked: it waits for
// an empty buffer and its stores are atomic. Quantifiers are expanded. Unsafe blocks are the propositions, by number;
// `invariant` blocks are trusted, so they are assumptions. If there are several initial states, `system` begins in a
// commit state and chooses one.
//
// Integers are 16 bits wide; reals are whole numbers of the least common fraction that the text writes. A step whose
// value does not fit ends in an error, which is no violation: the instance is then larger than what can be explored.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/budget.h"
#include "ir/program.h"
#include "lang/cubicle/syntax.h"
#include "support/diagnostics.h"

namespace heddle::cubicle {

struct Instance {
  // Where an edge comes from.
  struct Origin {
    static constexpr std::uint32_t initial = 0xffffffff;  // the choice of an initial state
    std::uint32_t transition = initial;
    std::vector<unsigned> parameters;
  };

  ir::Program program;          // process k is #(k + 1); the last one is `system`
  std::vector<Origin> origins;  // by number of the edge in program.edges
  std::size_t initial_states = 0;
  // Numbers or values of an abstract type had to be chosen (initial values, `:= .`): only those were that the
  // text names, their neighbours, and what lies half way between two.
  bool chosen = false;
};

inline constexpr unsigned max_instance = 12;  // processes

// A Diagnostic if the system has no such program: too many edges or initial states, fractions of variables, numbers
// beyond 16 bits, fewer processes than it names; or if the budget, which may be null, is spent.
support::Result<Instance> instantiate(const System&, unsigned processes, const core::Budget* = nullptr);

}  // namespace heddle::cubicle
