// Exception tables: what a code generator would write for landing pads (Itanium C++ ABI, exception handling tables), as
// constants of the module that libc++abi's own personality function reads.
//
// Places in a function are numbers of its invokes, from 1 on; 0 stands for every other place. A table has
//   no landing-pad base (the function's begin), types as absolute pointers at multiples of eight;
//   a row for place 0 without a landing pad, and one for each invoke, whose landing pad is its own number;
//   chains of actions in the order of the clauses: positive a type, negative a list of types, 0 a cleanup, at the end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace heddle::lang::llvm_ir {

class ExceptionTables {
 public:
  // Adds the tables to the module, and replaces llvm.eh.typeid.for by the numbers that types have in them.
  explicit ExceptionTables(llvm::Module&);

  // Null if the function has no invoke.
  const llvm::GlobalVariable* table(const llvm::Function& f) const { return tables_.lookup(&f); }
  unsigned number(const llvm::InvokeInst& i) const { return numbers_.lookup(&i); }

 private:
  void write(llvm::Function&);

  llvm::DenseMap<const llvm::Function*, const llvm::GlobalVariable*> tables_;
  llvm::DenseMap<const llvm::InvokeInst*, unsigned> numbers_;
};

// Turns `resume` into a call of the unwinder.
inline constexpr const char* resume_function = "_Unwind_Resume";
void lower_resume(llvm::Module&);

// Whether the landing pad only ends the program, as that of a noexcept function does.
bool only_terminates(const llvm::LandingPadInst&);

}  // namespace heddle::lang::llvm_ir
