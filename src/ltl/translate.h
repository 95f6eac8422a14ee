// From formulas to Büchi automata.
//
// `generalised` is the tableau of Couvreur (FM 1999): a state is a formula that the rest of the word must satisfy, and
// its successors are read off one decision diagram over letters, "next state owes g" and "g is still promised". Each
// right-hand side b of an until a U b is an acceptance set: the edges that do not promise b. Conjuncts GF p with a
// proposition p become acceptance sets by letters (automaton.h). The result is reduced (reduce.h).
// `buchi` makes one acceptance set by states of it, and reduces again.
//
// Nothing, if the formula has more than 64 different right-hand sides of until, or `stop` asks for the end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "ltl/automaton.h"
#include "ltl/syntax.h"

namespace heddle::ltl {

struct TranslateOptions {
  bool negated = false;        // the automaton of the formula's violations
  std::function<bool()> stop;  // polled now and then; empty: never
};

std::optional<Automaton> generalised(const Sentence&, const TranslateOptions& = {});
std::optional<Automaton> buchi(const Sentence&, const TranslateOptions& = {});

}  // namespace heddle::ltl
