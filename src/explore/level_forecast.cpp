// SPDX-License-Identifier: Apache-2.0
#include "explore/level_forecast.h"

#include <algorithm>
#include <cmath>

namespace heddle::explore {

void LevelForecast::add_level(std::uint64_t size) {
  std::shift_right(last_.begin(), last_.end(), 1);
  last_[0] = static_cast<double>(size);
  sum_ += last_[0];
}

std::optional<double> LevelForecast::states() const {
  constexpr double most = 1e12;
  if (last_[4] == 0) return std::nullopt;
  // Logarithms of factors per level, two levels apart, so that levels of odd and even depth count alike.
  const double before = std::log(last_[2] / last_[4]) / 2, now = std::log(last_[0] / last_[2]) / 2;
  const double falls = (before - now) / 2;
  if (falls <= 0) return std::nullopt;
  double total = sum_, size = last_[0];
  for (double factor = now - 1.5 * falls; size >= 1 && total < most; factor -= falls) total += size *= std::exp(factor);
  return std::min(total, most);
}

}  // namespace heddle::explore
