// SPDX-License-Identifier: Apache-2.0
#include "array/memory_model.h"

namespace heddle::array {

namespace {

constexpr MemoryModel table[] = {
    // name  W→R    W→W
    {"sc", true, true},
    {"tso", false, true},
    {"pso", false, false},
};

}  // namespace

std::span<const MemoryModel> memory_models() { return table; }

const MemoryModel* memory_model(std::string_view name) {
  for (const MemoryModel& m : table)
    if (name == m.name) return &m;
  return nullptr;
}

}  // namespace heddle::array
