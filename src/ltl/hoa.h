// Reads automata in the Hanoi Omega-Automata format, version 1 (Babiak et al., CAV 2015): Büchi and generalised Büchi
// acceptance, by states or by transitions, explicit or implicit labels, aliases, several initial states. Everything
// else the format knows (alternation, Fin sets, disjunctive acceptance, …) is refused by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ltl/automaton.h"
#include "support/diagnostics.h"

namespace heddle::ltl {

support::Result<Automaton> read_hoa(std::string_view text, const std::string& file);

}  // namespace heddle::ltl
