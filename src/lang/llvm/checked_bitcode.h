// Validation of IR files given by the user. LLVM aborts, or worse, on malformed metadata and corrupt bitcode instead of
// reporting them; so a child process reads and verifies the file first, and the parent reads the verified module that
// the child has written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/budget.h"
#include "support/diagnostics.h"

namespace heddle::lang::llvm_ir {

// Valid bitcode of what the file (.ll or .bc) contains.
support::Result<std::string> checked_bitcode(const std::string& file, const core::Budget*);

}  // namespace heddle::lang::llvm_ir
