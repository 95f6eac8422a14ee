// The emptiness check of explore/ltl.h by several workers, after Bloemen and van de Pol ("Multi-core SCC-Based LTL Model
// Checking", HVC 2016): each worker goes through the product depth first, in an order of its own, and all of them share
// the partial components that they find (explore/component_sets.h).
//
// A worker's path is a stack of sets of states; an arc leads from each of them into the next. The worker follows the
// arcs out of the topmost set: an arc into a set of its path unites everything from there on; one into a set that is
// not on its path, though perhaps on another's, puts that on top. A state is finished when one worker has followed all
// its arcs. A worker with no arc left takes up an unfinished state of the topmost set, whoever met it first; if there
// is none, the set is complete and leaves the path.
//
// Why this is correct:
//  (1) The states of a set reach each other inside of it: sets are united along a cycle, and all of the cycle's states
//      are in the union.
//  (2) An arc of a finished state leads into a complete set or stays in the state's own. When it was followed, its target
//      was in a complete set, or was united with its source, or became the topmost set; and what stands above a state's
//      set leaves the path, complete or united with it, before the state is finished.
//  (3) So all arcs of a complete set stay in it or lead to complete sets: by (1) it is a whole component. It is never
//      united with another. When a worker's path is empty, the initial state is in a complete set, and so is everything
//      that it reaches.
//  (4) The sets that a worker unites are not complete. If one on its path were, then by (2) so would be the next one, up to
//      that of the arc's source; but an arc out of a complete set never leads to one that is not.
//  (5) Acceptance. A worker gathers the marks of the arcs that it finds inside the sets of its path. Whoever is the first
//      to finish a state has gathered those of all its arcs inside the component: by (2) their targets cannot have
//      been complete before. When a component that several workers have entered leaves a path, the marks are added to
//      those that the others have brought, so that the last one has all. A worker that has all marks by itself ends the
//      search at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "explore/ltl.h"

namespace heddle::explore {

// Requires query.workers > 1. More than ComponentSets::most_workers of them are not used.
LtlResult find_violation_by_workers(const core::TransitionSystem&, const LtlQuery&, core::Budget&);

}  // namespace heddle::explore
