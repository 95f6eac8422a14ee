// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"

namespace heddle::tests {

std::string source_dir() { return HEDDLE_SOURCE_DIR; }
std::string binary_dir() { return HEDDLE_BINARY_DIR; }

}  // namespace heddle::tests
