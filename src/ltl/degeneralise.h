// One acceptance set by states, out of several by edges and letters: copies of the automaton, one per set that is
// waited for next (a counter, as in Emerson and Sistla). Each component has a counter of its own over the sets that it
// needs; components without acceptance have one copy. Several orders of the sets are tried and the smallest result is
// taken.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ltl/automaton.h"

namespace heddle::ltl {

Automaton degeneralise(const Automaton&);

}  // namespace heddle::ltl
