// An array-based system as written: types, state variables, and guarded transitions of any number of processes.
//
// The parser leaves nothing to resolve: names are numbers, `let` and predicates are expanded, every term has its type.
// A process variable is a *slot* of its block: parameters first, bound variables after them, each binder its own slot.
// A concrete process #k has the slot `first_concrete + k - 1` in every block.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cubicle {

struct Place {
  unsigned line = 0;
  unsigned column = 0;
};

using TypeId = std::uint16_t;
inline constexpr TypeId type_bool = 0, type_int = 1, type_real = 2, type_proc = 3;

struct Type {
  enum class Kind : std::uint8_t { Enumeration, Int, Real, Proc, Abstract };
  std::string name;
  Kind kind = Kind::Abstract;
  std::vector<std::string> constructors;  // of an enumeration; bool is False, True
};

using SymbolId = std::uint16_t;

// A state variable: `var`, `array` or `const`.
struct Symbol {
  std::string name;
  TypeId type = type_bool;
  unsigned arity = 0;     // number of process indices: 0, 1, 2
  bool weak = false;      // lies in shared memory, under the memory model
  bool constant = false;  // never changes; its value is arbitrary unless init says it
  Place place;
};

using Slot = std::uint8_t;
inline constexpr Slot first_concrete = 16;  // slot of #1
inline constexpr unsigned max_concrete = 14;
inline constexpr Slot no_slot = 31;

// An exact number; `den` > 0.
struct Rational {
  std::int64_t num = 0;
  std::int64_t den = 1;
};

// A state variable at process indices, as `viewer` sees it if that is given (`i @ A[j]`).
struct Access {
  SymbolId symbol = 0;
  Slot args[2] = {no_slot, no_slot};
  Slot viewer = no_slot;
};

struct Monomial {
  Rational factor;
  Access access;
};

struct Term {
  enum class Kind : std::uint8_t {
    Access,       // monomials[0].access, of any type
    Constructor,  // number `constructor` of an enumeration
    Process,      // `process`
    Linear        // constant + sum of monomials, of type int or real
  };
  Kind kind = Kind::Linear;
  TypeId type = type_int;
  std::vector<Monomial> monomials;
  Rational constant;
  unsigned constructor = 0;
  Slot process = no_slot;
  Place place;
};

enum class Compare : std::uint8_t { Equal, NotEqual, Less, LessEqual };

struct Formula {
  enum class Kind : std::uint8_t { True, False, Atom, And, Or, Not, Forall, Exists, Fence };
  Kind kind = Kind::True;
  Compare op = Compare::Equal;    // Atom: left op right
  std::vector<Term> terms;        // Atom: two terms
  std::vector<Formula> children;  // And, Or, Not; Forall and Exists have one
  Slot bound = no_slot;           // Forall, Exists: the variable …
  std::vector<Slot> excluded;     // … which ranges over all processes but these
  Place place;
};

// One arm of a `case`; an assignment without `case` has one arm whose condition is True.
struct Arm {
  Formula condition;
  Term value;
  bool any = false;  // `:= .` or `:= ?`: any value of the type
};

struct Update {
  SymbolId symbol = 0;
  Slot args[2] = {no_slot, no_slot};
  bool bound[2] = {false, false};  // the index is a variable of this update: it runs over all processes
  std::vector<Arm> arms;           // the first whose condition holds counts; if none does, nothing is written
  Place place;
};

struct Transition {
  std::string name;
  std::vector<std::string> slots;  // names of parameters, then of bound variables
  unsigned parameters = 0;
  Slot actor = no_slot;  // the parameter in brackets; no_slot if there is none
  Formula guard;
  Place guard_begin, guard_end;  // its first token and the brace that closes it; line 0 if there is none
  Place body;                    // the brace that opens the assignments
  std::vector<Update> updates;
  Place place;
};

// `init`: for all processes; `unsafe`, `invariant`: some pairwise different processes (states not to reach).
struct Block {
  std::string name;
  std::vector<std::string> slots;
  unsigned parameters = 0;
  Formula formula;
  Place place;
};

struct System {
  std::string file;
  std::string text;
  std::vector<Type> types;
  std::vector<Symbol> symbols;
  unsigned number_procs = 0;  // 0: any number
  unsigned concrete = 0;      // the greatest k of a #k in the text
  Block init;
  std::vector<Block> unsafe;
  std::vector<Block> invariants;
  std::vector<Block> candidates;  // like invariants, but only guessed: the search has to prove them or do without
  bool ordered = false;           // processes are compared by < or <=: #1 < #2 < …
  std::vector<Transition> transitions;

  bool has_weak() const {
    for (const Symbol& s : symbols)
      if (s.weak) return true;
    return false;
  }
};

}  // namespace heddle::cubicle
