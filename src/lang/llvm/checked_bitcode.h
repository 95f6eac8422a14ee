// IR of the user's own, which may be broken in ways that end LLVM: it aborts or worse on malformed metadata and corrupt
// bitcode instead of reporting them. So a child process reads and verifies the file first, and what the parent reads
// is the verified module as the child has written it down.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/budget.h"
#include "support/diagnostics.h"

namespace heddle::lang::llvm_ir {

// Valid bitcode of what the file (.ll or .bc) contains.
support::Result<std::string> checked_bitcode(const std::string& file, const core::Budget*);

}  // namespace heddle::lang::llvm_ir
