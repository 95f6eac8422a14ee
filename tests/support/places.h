// Where the checkout and its build folder are. Functions rather than macros: a path on the command line of every test
// would keep the compiler cache from serving other checkouts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace heddle::tests {

std::string source_dir();
std::string binary_dir();

}  // namespace heddle::tests
