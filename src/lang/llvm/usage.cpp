// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/usage.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

namespace heddle::lang::llvm_ir {
namespace {

// Does the program take a thread's result: a call whose second argument is not null, or any other use of the function?
bool results_read(const llvm::Module& module, const std::set<std::string>& library) {
  for (const char* name : {"pthread_join", "thrd_join"}) {
    const auto* join = module.getFunction(name);
    if (join == nullptr) continue;
    for (const auto& use : join->uses()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (call != nullptr && library.contains(call->getFunction()->getName().str())) continue;
      if (call == nullptr || !call->isCallee(&use) || call->arg_size() < 2 ||
          !llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(1)))
        return true;
    }
  }
  return false;
}

// May a function whose address is taken (a thread's, a handler's) come to join a thread?
bool joins_elsewhere(const llvm::Module& module) {
  llvm::SmallVector<const llvm::Function*, 16> work;
  llvm::SmallPtrSet<const llvm::Function*, 32> seen;
  for (const auto& f : module)
    if (f.hasAddressTaken() && seen.insert(&f).second) work.push_back(&f);
  while (!work.empty()) {
    const auto* f = work.pop_back_val();
    if (f->getName() == "pthread_join") return true;
    for (const auto& i : llvm::instructions(*f))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
        if (const auto* callee = call->getCalledFunction(); callee != nullptr && seen.insert(callee).second)
          work.push_back(callee);
  }
  return false;
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> settings_by_usage(const llvm::Module& module,
                                                                    const std::set<std::string>& library) {
  return {{"__heddle_results_read", results_read(module, library)},
          {"__heddle_joins_elsewhere", joins_elsewhere(module)}};
}

}  // namespace heddle::lang::llvm_ir
