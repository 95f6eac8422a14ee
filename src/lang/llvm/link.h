// Reads and links the modules of a program: the user's files, the prelude, and what is needed of the runtime library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lang/llvm/load.h"

namespace heddle::lang::llvm_ir {

// Of functions whose llvm.lifetime markers are the blocks of the source.
inline constexpr const char* scopes_attribute = "heddle-scopes";

struct Linked {
  std::unique_ptr<llvm::Module> module;
  llvm::Function* entry = nullptr;
  std::string foreign;            // the target that IR was made for, if it is not ours
  std::set<std::string> library;  // functions and variables that come from the runtime library
};

support::Result<Linked> link(llvm::LLVMContext&, const std::vector<std::string>& files, const Options&);

// The function that everything starts with: constructors, then main and exit; or LLMC's convention, which has no main:
// llmc_init, all llmc_proc_* as threads, and llmc_fini when they have ended. Null if there is neither.
llvm::Function* make_entry(llvm::Module&);
// The constructors and destructors that the entry and exit() call: of all modules, so when all are linked. By priority;
// those of the library, whose names are given, go before the program's.
void make_constructors(llvm::Module&, const std::set<std::string>& library);

}  // namespace heddle::lang::llvm_ir
