// SPDX-License-Identifier: Apache-2.0
#include "axioms/models.h"

#include <array>

#include "axioms/model_list.h"

namespace heddle::axioms {
namespace {

// name, summary, axioms for 64 / 256 / 1024 events, needs dependencies, po ∪ rf acyclic, what C is compiled to
constexpr std::array<Model, 10> table{{
    {"sc", "sequential consistency", sc<1>, sc<4>, sc<16>, false, true, ""},
    {"tso", "x86: a read may overtake earlier writes", tso<1>, tso<4>, tso<16>, false, true, "x86"},
    {"pso", "SPARC PSO: reads and writes may overtake earlier writes", pso<1>, pso<4>, pso<16>, false, true, "sparc"},
    {"nsw", "non-speculative writes: only earlier reads hold writes back", nsw<1>, nsw<4>, nsw<16>, true, true,
     "sparc"},
    {"rmo", "SPARC RMO: only dependencies and fences order", rmo<1>, rmo<4>, rmo<16>, true, false, "sparc"},
    {"ra", "release/acquire: rc11 with every access release or acquire", ra<1>, ra<4>, ra<16>, false, true, ""},
    {"rc11", "C and C++: the repaired C11 model", rc11<1>, rc11<4>, rc11<16>, false, true, ""},
    {"armv8", "ARMv8-A: other-multi-copy-atomic, dependencies, acquire/release", armv8<1>, armv8<4>, armv8<16>, true,
     false, "armv8"},
    {"riscv", "RISC-V RVWMO", riscv<1>, riscv<4>, riscv<16>, true, false, "riscv"},
    {"power", "IBM POWER: not multi-copy-atomic", power<1>, power<4>, power<16>, true, false, "power"},
}};

}  // namespace

std::span<const Model> models() { return table; }

const Model* find_model(std::string_view name) {
  for (const Model& m : table)
    if (m.name == name) return &m;
  return nullptr;
}

}  // namespace heddle::axioms
