// Locals and the blocks of the source that they belong to, as llvm.lifetime markers say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class AllocaInst;
class Module;
}  // namespace llvm

namespace heddle::lang::llvm_ir {

// Whether some path leads from the end of the local's life to a use of its address, and not through a new beginning.
// Addresses are followed through computations, not through memory: a local that escapes may be used otherwise, too.
bool used_after_its_end(const llvm::AllocaInst&);

// Locals as registers, for the models that put loads off: there a load into a local would be stored at once, an
// operation that waits for its value, and most relaxations would vanish (docs/models.md). What LLVM's mem2reg does,
// but for locals that are used after their end: those stay in memory, where the access is found to be an error.
void promote_locals(llvm::Module&);

}  // namespace heddle::lang::llvm_ir
