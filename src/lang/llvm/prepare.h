// Changes to linked IR that make its translation simple, and none that changes what it does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <set>
#include <string>

#include "lang/llvm/load.h"

namespace heddle::lang::llvm_ir {

// Sets the runtime's constants, makes copies for byval arguments explicit, and drops what nothing refers to. `library`
// names what is not the program's own.
void prepare(llvm::Module&, const llvm::Function& entry, const std::set<std::string>& library, const Options&);

// What is left to do for one translation: where loads can be pending, promotes locals to registers; expands constants
// that have no fixed value.
void finish(llvm::Module&, const std::set<std::string>& library, bool pending_loads);

}  // namespace heddle::lang::llvm_ir
