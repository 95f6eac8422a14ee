// Numbers that the environment gives to tests: how much of something long is to be run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace heddle::tests {

inline unsigned given(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? static_cast<unsigned>(std::atoi(text)) : otherwise;
}

}  // namespace heddle::tests
