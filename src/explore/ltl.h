// Is there a run that an automaton of violations accepts? The product of system and automaton is searched on the fly.
//
// A run is infinite; one that ends stutters in its last state (SPIN's convention, and BEEM's). It is a violation if the
// automaton accepts it and it is fair:
//  - memory fairness (default): no buffered store is delayed for ever;
//  - process fairness: a thread that is enabled from some point on, for ever, takes a step after that point (weak
//    fairness).
// Fairness is acceptance, not a formula: each promise is one more set of the generalised acceptance condition, so that
// twenty of them cost twenty bits and no automaton.
//
// The search is Couvreur's (FM 1999, with the live stack of Geldenhuys and Valmari, TACAS 2004): one depth-first
// traversal that keeps the strongly connected components of the path and the sets that each of them fulfils, and ends
// at the first component that fulfils all. The lasso is then found in that component breadth first
// (explore/ltl_lasso.h). Several workers share the components (explore/ltl_workers.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/transition_system.h"
#include "ltl/automaton.h"

namespace heddle::explore {

struct LtlQuery {
  const ltl::Automaton* violations = nullptr;    // null: the system's own acceptance (a property process)
  std::vector<std::uint32_t> propositions = {};  // by atom of the automaton: the system's proposition
  // The automaton's last memory_sets() atoms are no propositions, but say of each set of memory fairness that nothing waits.
  bool memory_atoms = false;
  bool process_fairness = false;  // requires threads() != 0
  bool memory_fairness = true;
  // Other than None: requires that the violations are closed under stuttering (a formula without X), that the system
  // preserves the propositions, and no process fairness: a reduced set of steps does not tell who is enabled.
  core::Reduction reduction = core::Reduction::None;
  unsigned workers = 1;  // threads that search; which lasso is found may depend on them, whether there is one does not
  // One worker takes out arcs that need not be followed any more from so many on that wait; 0: at every state.
  std::uint64_t purge_from = std::uint64_t{1} << 16;
  // Instead of propositions the automaton has one atom, which says that the state is outside of every atomic section, and it
  // moves inside of them, too.
  bool sections = false;
  bool errors = true;  // an error of a state or step is reported instead; otherwise such a step is no step
};

struct Lasso {
  std::vector<core::Move> stem;
  std::vector<core::Move> loop;  // repeated for ever; empty: the run ends after the stem
};

struct LtlResult {
  std::optional<Lasso> lasso;
  struct Error {
    enum class Kind : std::uint8_t { State, Step, Proposition } kind;
    std::uint32_t error = 0;
    std::uint32_t proposition = 0;  // Kind::Proposition: of the system
    std::vector<core::Move> moves;
  };
  std::optional<Error> error;                            // if query.errors
  std::optional<core::Reason> stopped;                   // why the search is incomplete, if it is
  std::uint64_t states = 0, transitions = 0, bytes = 0;  // of the product
  std::uint64_t components = 0;                          // completed ones
  std::optional<std::uint64_t> system_states;  // in the product's states, where they have numbers of their own
};

// Without a lasso, an error and a reason to stop: no fair run of the system is accepted.
LtlResult find_violation(const core::TransitionSystem&, const LtlQuery&, core::Budget&);

}  // namespace heddle::explore
