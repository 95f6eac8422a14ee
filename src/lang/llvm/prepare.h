// Changes to linked IR that make its translation simple, and none that changes what it does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include "lang/llvm/load.h"

namespace heddle::lang::llvm_ir {

// Sets the runtime's constants, makes copies for byval arguments explicit, expands constants that have no fixed value,
// drops what nothing refers to, and, where loads can be pending, promotes locals to registers.
void prepare(llvm::Module&, const llvm::Function& entry, const Options&);

}  // namespace heddle::lang::llvm_ir
