// How many states a breadth-first search will have visited, told from the sizes of its levels.
//
// Over depth these sizes are bell-shaped for most programs (Pelánek, Typical structural properties of state spaces, SPIN
// 2004): the factor by which one level is larger than the one before falls from level to level, by much the same factor.
// Where it does not fall there is no forecast. It is rough, and decides only about time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace heddle::explore {

class LevelForecast {
 public:
  void add_level(std::uint64_t size);
  // Of all levels, those that were added included; nothing if there is no telling.
  std::optional<double> states() const;

 private:
  std::array<double, 5> last_{};  // sizes, the latest first; 0: no such level yet
  double sum_ = 0;
};

}  // namespace heddle::explore
