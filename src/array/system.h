// An array-based system made ready for pre-images: guards and case conditions as disjunctions of conjunctions, weak
// reads told from ordinary cells.
//
// In a template, slots of the source stand where processes will; `Instance` says which process each slot is. A weak
// read of a transition is Atom::read(symbol, …, new_node, actor slot).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "array/atom.h"
#include "lang/cubicle/syntax.h"
#include "support/diagnostics.h"

namespace heddle::array {

using Slot = cubicle::Slot;

// Which process stands for a slot.
using Instance = std::array<Process, 32>;

struct BoundSlot {
  Slot slot = cubicle::no_slot;
  std::vector<Slot> excluded;
};

using Conjunct = std::vector<Constraint>;

// For all processes but the excluded: one of the cases.
struct Universal {
  BoundSlot bound;
  std::vector<Conjunct> cases;
};

struct Case {
  Conjunct constraints;
  std::vector<BoundSlot> exists;
  std::vector<Universal> universals;
  bool fence = false;
};

struct UpdateCase {
  enum class Kind : std::uint8_t { Value, Any, Keep };
  Conjunct condition;
  Kind kind = Kind::Value;
  Sum value;
};

struct Update {
  unsigned symbol = 0;
  std::array<Slot, 2> args{cubicle::no_slot, cubicle::no_slot};
  std::array<bool, 2> bound{false, false};
  std::vector<UpdateCase> cases;  // exactly one of them applies
};

struct Transition {
  std::string name;
  unsigned parameters = 0;
  Slot actor = cubicle::no_slot;
  std::vector<Case> guards;
  std::vector<Update> plain;
  std::vector<Update> weak;
  bool reads_weak = false;
  bool writes_weak = false;
  bool locked() const { return reads_weak && writes_weak; }
};

// Cells that one pure write may set at once; used where writes may overtake each other (preimage.h).
struct WritePattern {
  struct Cell {
    unsigned symbol = 0;
    std::array<Slot, 2> args{cubicle::no_slot, cubicle::no_slot};
    std::optional<Sum> value;  // if it depends on no state
  };
  unsigned parameters = 0;
  Slot actor = 0;
  std::vector<Cell> cells;
  Conjunct constants;  // what its guard says about constants, which holds at any time
};

struct Bad {
  std::string name;
  unsigned parameters = 0;
  std::vector<Case> cases;
};

struct System {
  const cubicle::System* source = nullptr;  // must outlive this
  std::vector<Transition> transitions;
  unsigned init_parameters = 0;
  std::vector<Case> init;
  std::vector<Bad> unsafe, invariants, candidates;
  std::vector<WritePattern> patterns;   // of pure writes that touch a cell which more than one process may write
  bool universal_guards = false;        // some guard is over-approximated
  bool writes_everywhere = false;       // some transition writes weak cells of all processes …
  bool pure_writes_everywhere = false;  // … and reads none: preimage.h has no promises for these

  unsigned named() const { return source->concrete; }
  unsigned limit() const { return source->number_procs != 0 ? source->number_procs : max_processes; }
  const cubicle::Type& type(unsigned symbol) const { return source->types[source->symbols[symbol].type]; }
};

// A diagnostic without a place in the text names what lies beyond the engine (formulas that explode, for example).
support::Result<System> compile(const cubicle::System&);

// Puts processes for slots.
Atom instantiate(Atom, const Instance&);
Constraint instantiate(const Constraint&, const Instance&);
Sum instantiate(const Sum&, const Instance&);

}  // namespace heddle::array
