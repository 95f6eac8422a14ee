// The semantics of linear temporal logic on an ultimately periodic word, evaluated on the syntax tree place by place
// and with no automaton: the referee of every lasso that an engine reports, and the oracle of the translation.
//
// A word of n letters with loop_start < n stands for w₀ … w_{n-1} (w_{loop_start} … w_{n-1})^ω.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "ltl/syntax.h"

namespace heddle::check {

// letters[i][a]: whether atom a of the sentence holds at place i. Requires loop_start < letters.size().
bool holds_on_lasso(const ltl::Sentence&, const std::vector<std::vector<bool>>& letters, std::size_t loop_start);

}  // namespace heddle::check
