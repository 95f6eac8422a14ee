// Reads automata in the Hanoi Omega-Automata format, version 1 (Babiak et al., CAV 2015): Büchi and generalised Büchi
// acceptance, by states or by transitions, explicit or implicit labels, aliases, several initial states. Everything
// else the format knows (alternation, Fin sets, disjunctive acceptance, …) is refused by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ltl/automaton.h"
#include "support/diagnostics.h"

namespace heddle::ltl {

struct HoaPlace {
  unsigned line = 0, column = 0;
};

// `atoms`: where the text of each proposition stands, behind its quote.
support::Result<Automaton> read_hoa(std::string_view text, const std::string& file,
                                    std::vector<HoaPlace>* atoms = nullptr);

}  // namespace heddle::ltl
