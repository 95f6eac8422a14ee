// SPDX-License-Identifier: Apache-2.0
#include "cli/models.h"

namespace heddle::cli {

namespace {

const ModelRow table[] = {
    {"sc", "both", "", "sequential consistency: one memory, no buffers"},
    {"tso", "both", "sc", "x86: each thread's stores wait in a first-in first-out buffer"},
    {"pso", "both", "sc,tso", "SPARC PSO: stores to different locations may leave the buffer in any order"},
    {"sb1", "machine", "sc", "one buffer place a thread and location; a second store replaces the first"},
    {"lmo", "machine", "sc", "limited relaxed order (LLMC): loads and stores wait in one buffer, any order"},
    {"nsw", "both", "sc", "as lmo, but no store passes an older load"},
    {"rmo", "axioms", "sc", "SPARC RMO: only dependencies, fences and coherence keep order"},
    {"ra", "axioms", "sc", "every access is release or acquire"},
    {"rc11", "axioms", "sc", "C11 and C++11, repaired: no cycle of program order and reads-from"},
    {"rc20", "axioms", "sc,rc11", "rc11 with the release sequences of C++20: through read-modify-writes only"},
    {"armv8", "axioms", "sc,armv8.1", "ARMv8.0, multi-copy atomic; read-modify-writes of C by LL/SC"},
    {"armv8.1", "axioms", "sc", "ARMv8.1: the same, with atomic instructions (LSE)"},
    {"riscv", "axioms", "sc", "RISC-V RVWMO"},
    {"power", "axioms", "sc", "IBM POWER, not multi-copy atomic"},
};

}  // namespace

std::span<const ModelRow> models() { return table; }

const ModelRow* find_model(std::string_view name) {
  for (const ModelRow& row : table)
    if (name == row.name) return &row;
  return nullptr;
}

}  // namespace heddle::cli
