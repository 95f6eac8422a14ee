// Goals of `--reach`: a function or a line that must never be reached. Where one is, a thread fails with kind "reach".
//
// The call that fails is put into the linked IR: in front of the first instruction of the line in each block, or at the
// entry of the function. So every engine finds it as it finds any other failure, and it costs nothing where it is not
// met.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <optional>
#include <set>
#include <string>

#include "support/diagnostics.h"

namespace heddle::lang::llvm_ir {

// `goal`: "function:NAME" or "FILE:LINE", FILE being the end of a path. Functions in `library` are not the program's
// own. A goal without code is a mistake, reported with the nearest names or lines.
std::optional<support::Diagnostic> forbid(llvm::Module&, const std::set<std::string>& library, const std::string& goal);

}  // namespace heddle::lang::llvm_ir
