// SPDX-License-Identifier: Apache-2.0
#include "axioms/models.h"

#include <array>

#include "axioms/model_list.h"

namespace heddle::axioms {
namespace {

constexpr LocalOrders orders_of_rmo{rmo_local<1>, rmo_local<4>, rmo_local<16>, rmo_local<64>};
constexpr LocalOrders orders_of_armv8{armv8_local<1>, armv8_local<4>, armv8_local<16>, armv8_local<64>};
constexpr LocalOrders orders_of_riscv{riscv_local<1>, riscv_local<4>, riscv_local<16>, riscv_local<64>};
constexpr LocalOrders orders_of_power{power_local<1>, power_local<4>, power_local<16>, power_local<64>};
constexpr LocalOrders fences_of_power{power_fenced<1>, power_fenced<4>, power_fenced<16>, power_fenced<64>};
constexpr LocalOrders full_fences_of_power{power_strong<1>, power_strong<4>, power_strong<16>, power_strong<64>};

// name, summary, axioms for 64 / 256 / 1024 / 4096 events, needs dependencies, po ∪ rf acyclic, what C is compiled to,
// a model of the language, all accesses release or acquire, release sequences by thread, weak compare-exchanges may
// fail, global order, order within threads, atomic instructions as one, order by fences, by full fences, writes
// overtake addresses
constexpr std::array<Model, 12> table{{
    {"sc", "sequential consistency", sc<1>, sc<4>, sc<16>, sc<64>, false, true, Hardware::None, false, false, false,
     false, GlobalOrder::Program},
    {"tso", "x86: a read may overtake earlier writes", tso<1>, tso<4>, tso<16>, tso<64>, false, true, Hardware::None,
     false, false, false, false, GlobalOrder::Tso},
    {"pso", "SPARC PSO: reads and writes may overtake earlier writes", pso<1>, pso<4>, pso<16>, pso<64>, false, true,
     Hardware::None, false, false, false, false, GlobalOrder::Pso},
    {"nsw", "non-speculative writes: only earlier reads hold writes back", nsw<1>, nsw<4>, nsw<16>, nsw<64>, true, true,
     Hardware::None, false, false, false, false, GlobalOrder::Nsw},
    {"rmo",
     "SPARC RMO: only dependencies and fences order",
     rmo<1>,
     rmo<4>,
     rmo<16>,
     rmo<64>,
     true,
     false,
     Hardware::None,
     false,
     false,
     false,
     false,
     GlobalOrder::None,
     orders_of_rmo,
     false,
     {},
     {},
     true},
    {"ra", "release/acquire: rc11 with every access release or acquire", ra<1>, ra<4>, ra<16>, ra<64>, false, true,
     Hardware::None, true, true, true, true},
    {"rc11", "C and C++: the repaired C11 model", rc11<1>, rc11<4>, rc11<16>, rc11<64>, false, true, Hardware::None,
     true, false, true, true},
    {"rc20", "rc11 with the release sequences of C++20", rc20<1>, rc20<4>, rc20<16>, rc20<64>, false, true,
     Hardware::None, true, false, false, true},
    {"armv8", "ARMv8.0: other-multi-copy-atomic, dependencies, acquire/release, LL/SC", armv8<1>, armv8<4>, armv8<16>,
     armv8<64>, true, false, Hardware::Arm, false, false, false, true, GlobalOrder::None, orders_of_armv8},
    {"armv8.1", "ARMv8.1: the same with atomic instructions (LSE)", armv8<1>, armv8<4>, armv8<16>, armv8<64>, true,
     false, Hardware::ArmLse, false, false, false, false, GlobalOrder::None, orders_of_armv8},
    {"riscv", "RISC-V RVWMO", riscv<1>, riscv<4>, riscv<16>, riscv<64>, true, false, Hardware::RiscV, false, false,
     false, true, GlobalOrder::None, orders_of_riscv, true},
    {"power", "IBM POWER: not multi-copy-atomic", power<1>, power<4>, power<16>, power<64>, true, false,
     Hardware::Power, false, false, false, true, GlobalOrder::None, orders_of_power, false, fences_of_power,
     full_fences_of_power},
}};

}  // namespace

std::span<const Model> models() { return table; }

const Model* find_model(std::string_view name) {
  for (const Model& m : table)
    if (m.name == name) return &m;
  return nullptr;
}

const Model& sequential_consistency() {
  static_assert(table.front().global_order == GlobalOrder::Program);
  return table.front();
}

}  // namespace heddle::axioms
