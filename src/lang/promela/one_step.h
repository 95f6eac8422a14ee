// Which statements of a d_step one edge can execute.
//
// An edge tests all its conditions, and chooses its channel, before anything is assigned. It then does the assignments in
// order; the message of a send is computed and goes into the channel behind all of them, that of a receive is assigned
// before all of them. So a statement joins those before it only where this is the order of the text, or nobody can tell.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lang/promela/syntax.h"

namespace heddle::promela {

// Can always be executed, and does nothing but assign.
bool never_waits(const Statement&);

// Asks where processes are, or for their variables: an edge moves its processes last.
bool looks_at_processes(const Statement&);

// Can the edge that executes `before` execute s as well? Of `before`, the first may be anything, the others have joined it.
bool joins_step(const Model&, const std::vector<const Statement*>& before, const Statement& s);

}  // namespace heddle::promela
