// Runs clang, and gives back its own words where it fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lang/llvm/load.h"

namespace heddle::lang::llvm_ir {

// Compiles one C file to bitcode and gives the bytes.
support::Result<std::string> compile(const std::string& file, const Options&);

}  // namespace heddle::lang::llvm_ir
