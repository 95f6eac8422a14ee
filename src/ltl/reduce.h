// Smaller automata with the same language.
//
// - States from which no accepting component is reached are dropped; marks outside accepting components mean nothing
//   and are cleared. A set that every cycle of a component meets is given to all of its edges; a set that follows
//   from another, or holds everywhere, is dropped.
// - Direct simulation (Etessami, Wilke and Schuller, ICALP 2001): p is simulated by q if q can answer each letter of p
//   with at least its marks and a target that simulates again. States that simulate each other are merged, and an edge
//   is dropped where the same state has a better one. Then the same backwards, on the reversed automaton, until
//   nothing changes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ltl/automaton.h"

namespace heddle::ltl {

void reduce(Automaton&);

}  // namespace heddle::ltl
