// The memory model sb1 written into the program (Havel, sections 3.1 and 3.2): the result behaves under sc as the
// program does under sb1, state for state.
//
// Each process p has for each shared variable g that it stores to a slot variable `sb_g_p` and an indicator `i_g_p`
// (arrays where g is one). A store goes to the slot and sets the indicator; an atomic store goes to g and empties the
// slot; the process MM moves full slots to g and empties them. Empty slots hold zero, so that equal contents are equal
// states. A read of g takes the slot if it is full:
//  - by copies: a transition becomes one transition per choice of what its reads take, each guarded by the indicators.
//    A read at an index that is only known at run time has a choice for each cell that has a slot, and one for none;
//  - by arithmetic, `sb + (1 - i) * g`: in assertions, where a step reads what it may have written itself or with an
//    index that may fail or that it changes, and everywhere with `compact`.
// A fence is a guard that all indicators of the process are clear.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/program.h"
#include "support/diagnostics.h"

namespace heddle::ir {

struct RelaxOptions {
  bool compact = false;     // no copies: every read by arithmetic
  bool every_slot = false;  // as the thesis has it: slots, and so copies, for variables that a process never stores to
};

// Requires a finished program. The result is not finished: print it, or fill in the rest with finish(). An error: the
// program has no meaning under sb1, or a transition would have too many copies.
support::Result<Program> relax(const Program&, const RelaxOptions& = {});

}  // namespace heddle::ir
