// SPDX-License-Identifier: Apache-2.0
#include "models/models.h"

#include <array>

#include "memory/models.h"

namespace heddle::models {

std::span<const Model> all() {
  using axioms::find_model;
  static const std::array<Model, 14> table{{
      {"sc", "", "sequential consistency: one memory, no buffers", &memory::sc(), find_model("sc")},
      {"tso", "sc", "x86: each thread's stores wait in a first-in first-out buffer", &memory::tso(), find_model("tso"),
       true, true},
      {"pso", "sc,tso", "SPARC PSO: stores to different locations may leave the buffer in any order", &memory::pso(),
       find_model("pso"), true, true},
      {"sb1", "sc", "one buffer place per thread and location; a second store replaces the first", &memory::sb1()},
      {"lmo", "sc", "limited relaxed order (LLMC): loads and stores wait in one buffer, any order", &memory::lmo()},
      {"nsw", "sc", "as lmo, but no store passes an older load", &memory::nsw(), find_model("nsw"), false},
      {"rmo", "sc", "SPARC RMO: only dependencies, fences and coherence keep order", nullptr, find_model("rmo")},
      {"ra", "sc", "every access is release or acquire", nullptr, find_model("ra")},
      {"rc11", "sc", "C11 and C++11, repaired: no cycle of program order and reads-from", nullptr, find_model("rc11"),
       true, true},
      {"rc20", "sc,rc11", "rc11 with the release sequences of C++20: through read-modify-writes only", nullptr,
       find_model("rc20")},
      {"armv8", "sc,armv8.1", "ARMv8.0, multi-copy atomic; read-modify-writes of C by LL/SC", nullptr,
       find_model("armv8"), true, true},
      {"armv8.1", "sc", "ARMv8.1: the same, with atomic instructions (LSE)", nullptr, find_model("armv8.1"), true,
       true},
      {"riscv", "sc", "RISC-V RVWMO", nullptr, find_model("riscv"), true, true},
      {"power", "sc", "IBM POWER, not multi-copy atomic", nullptr, find_model("power"), true, true},
  }};
  return table;
}

const Model* find(std::string_view name) {
  for (const Model& row : all())
    if (row.name == name) return &row;
  return nullptr;
}

const memory::Machine* machine(std::string_view name) {
  const Model* row = find(name);
  return row != nullptr ? row->machine : nullptr;
}

}  // namespace heddle::models
