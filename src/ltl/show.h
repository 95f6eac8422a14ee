// Automata as text: the Hanoi Omega-Automata format (Babiak et al., CAV 2015), a never claim of Promela, DOT.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ltl/automaton.h"

namespace heddle::ltl {

// Acceptance by letters (`recurring`) has no words in HOA: it is spelt out by splitting edges, which doubles them per
// set. Requires at most most_spelt of them: degeneralise() first where there are more.
inline constexpr std::size_t most_spelt = 8;
std::string hoa_text(const Automaton&, const std::string& name);

// Requires by_state.
std::string never_text(const Automaton&, const std::string& name);

std::string dot_text(const Automaton&, const std::string& name);

}  // namespace heddle::ltl
