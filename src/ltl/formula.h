// Formulas of linear temporal logic in negation normal form, hash-consed: equal formulas have equal numbers.
//
// Operators are literals, conjunction, disjunction, X, U and R (F a is true U a, G a is false R a). The constructors
// rewrite as they build, so that most of what a translation would find out again never reaches it:
// - implication that follows from the syntax (Somenzi and Bloem, CAV 2000): a ⊢ b makes a ∧ b = a, a U b = b, …;
// - pure eventualities and universalities (Etessami and Holzmann, CONCUR 2000): for them a U e = e and a R u = u;
//   a formula that is both is *suspendable* (GF p): it holds now iff it holds later, and so X q = F q = G q = q;
// - laws that lessen the number of temporal operators: F(a U b) = F b, G a ∧ G b = G(a ∧ b), Xa U Xb = X(a U b), ….
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ltl/syntax.h"

namespace heddle::ltl {

using Formula = std::uint32_t;
inline constexpr Formula bottom = 0, top = 1;

enum class Op : std::uint8_t { False, True, Literal, And, Or, Next, Until, Release };

class Formulas {
 public:
  struct Node {
    Op op;
    bool positive = true;           // Literal
    std::uint32_t atom = 0;         // Literal
    std::vector<Formula> operands;  // And, Or: two or more, sorted; Next: one; Until, Release: two
    bool eventual = false;          // if a suffix satisfies it, so does the whole word
    bool universal = false;         // if a word satisfies it, so does every suffix
    auto key() const { return std::tie(op, positive, atom, operands); }
  };

  Formulas();

  Formula literal(std::uint32_t atom, bool positive);
  Formula conjunction(std::vector<Formula>);
  Formula disjunction(std::vector<Formula>);
  Formula next(Formula);
  Formula until(Formula, Formula);
  Formula release(Formula, Formula);
  Formula finally(Formula f) { return until(top, f); }
  Formula globally(Formula f) { return release(bottom, f); }
  Formula negation(Formula);

  // The node of a sentence in negation normal form; `positive` false: its negation.
  Formula from(const Sentence&, std::uint32_t node, bool positive);
  Formula from(const Sentence& s, bool positive = true) { return from(s, s.root, positive); }

  const Node& operator[](Formula f) const { return nodes_[f]; }
  bool is_finally(Formula f) const { return nodes_[f].op == Op::Until && nodes_[f].operands[0] == top; }
  bool is_globally(Formula f) const { return nodes_[f].op == Op::Release && nodes_[f].operands[0] == bottom; }
  bool suspendable(Formula f) const { return nodes_[f].eventual && nodes_[f].universal; }

  // True only if every word that satisfies a satisfies b. Decided by the syntax: false says nothing.
  bool implies(Formula a, Formula b);

  std::string text(Formula, const std::vector<Atom>&) const;

 private:
  Formula intern(Node);
  Formula junction(Op, std::vector<Formula>);
  bool absorb(Op, std::vector<Formula>&);
  void merge_operands(Op, std::vector<Formula>&);
  bool merge_pair(Op, Formula, Formula, Formula& merged);
  bool implied_by_operands(const Node& a, Formula fa, const Node& b, Formula fb);
  Formula split_suspendable(Op, Formula operand, Formula& rest);

  std::vector<Node> nodes_;
  std::map<std::tuple<Op, bool, std::uint32_t, std::vector<Formula>>, Formula> index_;
  std::unordered_map<std::uint64_t, bool> implied_;
  std::unordered_map<Formula, Formula> negated_;
};

}  // namespace heddle::ltl
