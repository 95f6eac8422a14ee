// Local variables behind a longjmp: what was changed since the call of setjmp and is not volatile has no value any more
// (C11, 7.13.2.1p3). Machine code may or may not have kept it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Function;
}

namespace heddle::lang::llvm_ir {

// Has the function's variables lose their values so, as far as they are scalars whose address is not taken. A variable
// that was changed and has its old value again keeps it. Requires debug information; without it nothing happens.
void forget_changed_locals(llvm::Function&);

}  // namespace heddle::lang::llvm_ir
