// Linear temporal logic as it is written: the syntax tree of one formula, with every operator that a user may write.
//
// The tree is what the semantics is defined on (check/lasso_semantics.h evaluates it); the translation to automata
// works on formula.h's negation normal form instead. Atoms are texts: expressions of the model's language, which the
// front end turns into propositions of the same index.
//
// Grammar, weakest first; all binary operators associate to the right:
//   <->  iff equivalent          ->  implies imply          ||  |  or          &&  &  and
//   U until stronguntil   R V release   W weak weakuntil   M strong      ! not   X next   F <> eventually   G [] always
// A run of the letters G, F and X is a sequence of operators (`GF p`). The remaining text is divided into atoms:
// operands, arithmetic and one comparison, as in `P_0.CS`, `turn == 1`, `a[i+1] < (x & 3)`, `P->x == 2`; a quoted text
// is an atom too.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace heddle::ltl {

enum class Operator : std::uint8_t {
  True,
  False,
  Atom,
  Not,
  Next,
  Finally,
  Globally,
  And,
  Or,
  Implies,
  Iff,
  Until,
  Release,
  WeakUntil,
  StrongRelease
};

struct SyntaxNode {
  Operator op = Operator::True;
  std::uint32_t left = 0;  // operand of unary operators; number of an Atom
  std::uint32_t right = 0;
};

struct Atom {
  std::string text;
  unsigned line = 1, column = 1;  // where it was read first
};

struct Sentence {
  std::vector<SyntaxNode> nodes;  // operands before operators
  std::uint32_t root = 0;
  std::vector<Atom> atoms;  // no two with equal text
};

struct ReadOptions {
  std::string file;   // for messages; empty: the command line
  unsigned line = 1;  // of the text's first character, for messages
  unsigned column = 1;
  std::string source_line;  // the whole line where the formula is a part of one; empty: the text itself
  // Whether NAME in `NAME->x` owns a variable x of the model (then `->` is no implication). Empty: never.
  std::function<bool(std::string_view)> owns_variables;
  // An `ltl` block of Promela, as SPIN reads it: binary operators associate to the left, `->` and `<->` are on one level,
  // and `&`, `|`, a `!` before an operand of an expression, `len(q)` and `P[0]:x` belong to the expression.
  bool promela = false;
};

support::Result<Sentence> read_formula(std::string_view text, const ReadOptions& = {});

// The formula with full parentheses, in the notation of HOA and Spot.
std::string text_of(const Sentence&);

// Whether the formula speaks of the next state (X): then it is not invariant under stuttering.
bool uses_next(const Sentence&);

}  // namespace heddle::ltl
