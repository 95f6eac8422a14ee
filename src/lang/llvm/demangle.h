// The names of C++ functions and variables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace heddle::lang::llvm_ir {

// What a symbol of C++ names, as people write it; any other symbol stays as it is.
std::string demangled(const std::string& symbol);

}  // namespace heddle::lang::llvm_ir
