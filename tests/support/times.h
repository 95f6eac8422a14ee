// Random comparisons, more of them on request: with HEDDLE_TIMES=10 a test has ten times as many programs, made from
// seeds of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace heddle::test {

inline unsigned times() {
  const char* wanted = std::getenv("HEDDLE_TIMES");
  return wanted != nullptr ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 1;
}

// Where a test usually begins with the seed `usual`.
inline unsigned first_seed(unsigned usual) { return times() > 1 ? usual + 1000000 : usual; }

}  // namespace heddle::test
