// Conditions over memory and the local states of all processes: everything stands in one flat array.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::buffers {

// A Port of ir/eval.h that only reads.
struct View {
  static constexpr bool direct = true;
  std::vector<std::int32_t>& array;
  std::int32_t* words() { return array.data(); }
  std::int32_t load(std::uint32_t cell) const { return array[cell]; }
  static bool store(std::uint32_t, std::int32_t, bool) { return false; }
  void set(std::uint32_t, std::int32_t) {}
};

}  // namespace heddle::buffers
