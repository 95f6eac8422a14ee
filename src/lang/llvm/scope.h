// Locals and the blocks of the source that they belong to, as llvm.lifetime markers say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class AllocaInst;
class Instruction;
class Module;
}  // namespace llvm

namespace heddle::lang::llvm_ir {

// Whether some path leads from the end of the local's life to a use of its address, and not through a new beginning.
// Addresses are followed through computations, not through memory: a local that escapes may be used otherwise, too.
bool used_after_its_end(const llvm::AllocaInst&);

// Whether the local's life may begin again while its address, as it was before, is in a variable or a register that
// several values reach: in a loop, a pointer to the local of an earlier round.
bool kept_until_it_begins_again(const llvm::AllocaInst&);

// Whether the instruction, an unreachable one, stands behind a call of exit() or one like it. Such a call leaves the
// frames of its callers as they are: what their pointers lead to is no leak.
bool behind_exit(const llvm::Instruction&);

// Locals as registers, for the models that defer loads: there a load into a local would be stored at once, an operation
// that waits for its value, and most relaxations would vanish (docs/models.md). What LLVM's mem2reg does, but for
// locals that are used after their end: those stay in memory, where the access is found to be an error, and so do those
// of functions that call setjmp. Paths on which a local has no value keep one that is undefined. Pointers are read once
// more behind calls of exit(), by code that is never run: that keeps them alive until then.
void promote_locals(llvm::Module&);

}  // namespace heddle::lang::llvm_ir
