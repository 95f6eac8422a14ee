// Which allocas stay within their thread.
//
// An address escapes when it is stored, turned into a number, passed as a variadic argument or to unknown code, passed as
// an argument that the callee lets escape, or returned by the function whose own it is. An argument that is returned (as
// most references of C++ are: std::move, operator*) goes on in the caller. The answers for arguments are a greatest
// fixpoint over the whole program. What does not escape is kept in the local state and is invisible to all others; should
// such an address appear where it must not, the virtual machine stops with UNKNOWN.
//
// Nor does a variable stay within its thread that is accessed by read-modify-writes or by accesses with an order: these
// act on more than their location (a locked instruction is a fence), and a weak one makes a choice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace heddle::lang::llvm_ir {

class Escape {
 public:
  explicit Escape(const llvm::Module&);
  bool escapes(const llvm::Value* address) const;

 private:
  struct Flow {
    bool escapes = false, returned = false;
  };
  Flow flow(const llvm::Value* address) const;
  bool passes(const llvm::CallBase&, const llvm::Use& argument,
              llvm::SmallVectorImpl<const llvm::Value*>& derived) const;

  llvm::DenseSet<const llvm::Argument*> captured_, returned_;
};

}  // namespace heddle::lang::llvm_ir
