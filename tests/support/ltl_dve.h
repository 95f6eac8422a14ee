// A formula over a DVE model: its propositions in the program, and the automaton of its violations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "check/lasso_replay.h"
#include "explore/ltl.h"
#include "ir/system.h"
#include "lang/dve/dve.h"
#include "ltl/translate.h"
#include "models/models.h"

namespace heddle::tests {

struct BoundFormula {
  ltl::Sentence sentence;
  std::vector<std::uint32_t> propositions;
  ltl::Automaton violations;
};

// Fails the test, and returns nothing, if the text is no formula over the program.
inline std::optional<BoundFormula> bind(ir::Program& program, const std::string& text) {
  const auto sentence = ltl::read_formula(text);
  EXPECT_TRUE(sentence) << (sentence ? "" : render(sentence.error()));
  if (!sentence) return std::nullopt;
  BoundFormula bound{*sentence, {}, {}};
  for (const ltl::Atom& atom : sentence->atoms) {
    const auto p = dve::add_proposition(program, atom.text, "--ltl");
    EXPECT_TRUE(p) << (p ? "" : render(p.error()));
    if (!p) return std::nullopt;
    bound.propositions.push_back(*p);
  }
  auto automaton = ltl::generalised(*sentence, {.negated = true, .stop = {}});
  EXPECT_TRUE(automaton);
  if (!automaton) return std::nullopt;
  bound.violations = std::move(*automaton);
  return bound;
}

struct LtlFairness {
  bool processes = false, memory = true;
};

// Is partial order reduction sound for the formula?
inline bool reducible(const BoundFormula& formula, const LtlFairness& fairness) {
  return !ltl::uses_next(formula.sentence) && !fairness.processes;
}

// A violation under the model, errors being left out; what is found is replayed.
inline explore::LtlResult find_violation(const ir::Program& program, const BoundFormula& formula, const char* model,
                                         unsigned bound, const LtlFairness& fairness = {}, bool reduce = false,
                                         unsigned workers = 1) {
  const ir::System system(program, *models::machine(model),
                          {.buffer_bound = bound, .visible = formula.propositions, .assertions = false});
  core::Budget budget;
  auto result = explore::find_violation(
      system,
      {.violations = &formula.violations,
       .propositions = formula.propositions,
       .process_fairness = fairness.processes,
       .memory_fairness = fairness.memory,
       .reduction = reduce && reducible(formula, fairness) ? core::Reduction::Safety : core::Reduction::None,
       .workers = workers,
       .errors = false},
      budget);
  EXPECT_FALSE(result.stopped);
  if (result.lasso) {
    const auto replayed = check::replay_lasso(program, model, bound, result.lasso->stem, result.lasso->loop,
                                              {.formula = &formula.sentence,
                                               .propositions = formula.propositions,
                                               .process_fairness = fairness.processes,
                                               .memory_fairness = fairness.memory,
                                               .errors = false});
    EXPECT_TRUE(replayed.confirmed) << replayed.why;
  }
  return result;
}

}  // namespace heddle::tests
