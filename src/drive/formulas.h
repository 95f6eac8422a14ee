// Temporal properties as the user gives them: --ltl, --automaton, and the property process of a model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "drive/task.h"
#include "ltl/automaton.h"
#include "ltl/syntax.h"
#include "support/diagnostics.h"

namespace heddle::drive {

struct Formula {
  std::string text;                          // as the user wrote it, or the automaton's file
  std::optional<ltl::Sentence> sentence;     // none: an automaton was given, or the property process is asked
  std::optional<ltl::Automaton> violations;  // none: the property process is asked
  std::vector<std::uint32_t> propositions;   // by atom: the program's
  bool process_fairness = false, memory_fairness = true;
};

// What reading formulas needs of the language.
struct Vocabulary {
  // Adds a proposition to the program; its number.
  std::function<support::Result<std::uint32_t>(const std::string& text, const std::string& place)> add;
  // Whether NAME in `NAME->x` is a process.
  std::function<bool(std::string_view)> is_process = {};
  bool own_property = false;  // the program has a property process with accepting states
  bool placed = false;        // a mistake's column counts from the first character of the text
  bool invariants = false;    // add() also takes DVE's connectives, so that `G p` can be an invariant
};

struct Temporal {
  std::vector<Formula> formulas;
  // Formulas `G p` without temporal operators in p: an invariant says the same, since every finite run is the beginning
  // of a fair one.
  std::vector<std::uint32_t> invariants;
};

// A formula that the program itself has.
struct OwnFormula {
  std::string text, file;
  unsigned line = 0;
};

support::Result<Temporal> read_formulas(const Task&, const Vocabulary&, core::Budget&,
                                        const std::vector<OwnFormula>& own = {});

}  // namespace heddle::drive
