// Replays a lasso on the naive machine: every move of stem and loop is possible, the loop closes, the run is fair, and
// it violates what it is said to violate. A formula is evaluated by its semantics (check/lasso_semantics.h), an
// automaton by a fixed point over the lasso's places; nothing of the search is believed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"
#include "ir/program.h"
#include "ltl/automaton.h"
#include "ltl/syntax.h"

namespace heddle::check {

struct LassoClaim {
  // One of them; neither: the program's property process accepts the run.
  const ltl::Sentence* formula = nullptr;        // does not hold on the run
  const ltl::Automaton* violations = nullptr;    // accepts the run
  std::vector<std::uint32_t> propositions = {};  // by atom: the program's proposition
  bool process_fairness = false;
  bool memory_fairness = true;
  bool errors = true;  // a step that goes wrong is a step: a run that could take one has not ended
};

struct ReplayedLasso {
  bool confirmed = false;
  std::string why;         // if not
  core::Trace trace;       // loop_start set; no loop: the run ends
  bool addresses = false;  // as in Replayed
};

// An empty loop: the run ends after the stem and stutters. `buffer_bound` matters only as 0 or not.
ReplayedLasso replay_lasso(const ir::Program&, const std::string& model, unsigned buffer_bound,
                           const std::vector<core::Move>& stem, const std::vector<core::Move>& loop, const LassoClaim&);

// Does the automaton accept the word? letters[i][a] as in lasso_semantics.h.
bool accepts_lasso(const ltl::Automaton&, const std::vector<std::vector<bool>>& letters, std::size_t loop_start);

}  // namespace heddle::check
