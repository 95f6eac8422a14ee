// Which allocas stay within their thread.
//
// An address escapes when it is stored, returned, turned into a number, passed as a variadic argument or to unknown
// code, or passed as an argument that the callee lets escape. The answer for arguments is a greatest fixpoint over the
// whole program. What does not escape is kept in the local state and is invisible to all others; should such an address
// appear where it must not, the virtual machine stops with UNKNOWN.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/Module.h>

namespace heddle::lang::llvm_ir {

class Escape {
 public:
  explicit Escape(const llvm::Module&);
  bool escapes(const llvm::Value* address) const;

 private:
  llvm::DenseSet<const llvm::Argument*> captured_;
};

}  // namespace heddle::lang::llvm_ir
