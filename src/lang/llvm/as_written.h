// Changes to the code that clang makes of a source file, before any optimisation, that keep apart what the source does and
// what only the compiler does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Module;
}

namespace heddle::lang::llvm_ir {

// A destructor begins by storing the virtual table of its class, nearly always the one that is there. To the language
// this is no access: other threads may call virtual functions until the destructor's body has joined them. So it is
// stored only where it is another one, as ThreadSanitizer has it (__tsan_vptr_update).
void keep_virtual_tables(llvm::Module&);

// Keeps the optimiser from loads that the source does not have, and from removing new and delete. To LLVM a load that
// races has any value and is no error; to the language, and so under rc11, it is a data race. Functions are therefore
// marked as for ThreadSanitizer (mustSuppressSpeculation in LLVM's ValueTracking.cpp). And without its new a delete too
// many, or one too few, would be gone as well.
void keep_accesses(llvm::Module&);

}  // namespace heddle::lang::llvm_ir
