// SPDX-License-Identifier: Apache-2.0
#include "memory/models.h"

namespace heddle::memory {
namespace {

constexpr Model table[] = {
    {"sc", sc, "sequential consistency: one memory, no buffers"},
    {"tso", tso, "x86: one first-in-first-out store buffer a thread"},
    {"pso", pso, "store buffers whose entries to different locations may overtake each other"},
    {"sb1", sb1, "one-place store buffers, one a thread and location"},
    {"lmo", lmo, "LLMC's limited relaxed order: loads and stores wait in one buffer"},
    {"nsw", nsw, "as lmo, but no store before an older load (non-speculative writes)"},
};

}  // namespace

std::span<const Model> models() { return table; }

const Machine* find_machine(std::string_view name) {
  for (const Model& m : table)
    if (m.name == name) return &m.machine();
  return nullptr;
}

}  // namespace heddle::memory
