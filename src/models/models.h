// The memory models, one row each: what a user can name, with its machine, its axioms, or both.
//
// What engines may rely on are traits: of a machine those of memory::Machine::traits(), of axioms the members of
// axioms::Model (mapping of C11's orders, language level, acyclic po ∪ rf). Names are never compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "axioms/models.h"
#include "memory/machine.h"

namespace heddle::models {

struct Model {
  std::string_view name;
  std::string_view contains;  // models whose behaviours it includes, by commas: the order is partial
  std::string_view summary;
  const memory::Machine* machine = nullptr;
  const axioms::Model* axioms = nullptr;
  // Machine and axioms allow the same outcomes. Where they do not, the machine is what the model is defined by, and
  // the axioms do not speak for it unless they are asked for.
  bool equivalent = true;
  // The theorem on data-race freedom: a program whose races under sc are all between seq_cst accesses (of the same
  // bytes) has the executions of sc and no others.
  bool drf_sc = false;
  // A stronger order of an access and a fence more only take executions away: `repair` relies on it, and refuses a
  // model without it (tests/agree/monotone_test.cpp).
  bool monotone = true;

  // Loads may be performed late or out of order: a program must track its dependencies or pending loads.
  bool needs_dependencies() const { return axioms != nullptr ? axioms->needs_deps : machine->defers_loads(); }
};

std::span<const Model> all();
const Model* find(std::string_view name);  // null if there is none

// The machine of a model; null if there is no such model, or it has none.
const memory::Machine* machine(std::string_view name);

}  // namespace heddle::models
