// Runs clang; its first error becomes a diagnostic.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lang/llvm/load.h"

namespace heddle::lang::llvm_ir {

// Compiles one C or C++ file to bitcode and gives the bytes.
support::Result<std::string> compile(const std::string& file, const Options&);

// Whether the code has lifetime markers that no optimisation has moved or used.
inline bool marks_scopes(const Options& options) { return options.optimise == "0"; }

}  // namespace heddle::lang::llvm_ir
