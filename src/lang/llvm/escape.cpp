// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/escape.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::lang::llvm_ir {
namespace {

// Functions of the machine that use an address only while they run.
bool keeps_addresses(llvm::StringRef name) {
  return name == "__heddle_setjmp" || name == "__heddle_longjmp" || name == "__heddle_object_size" ||
         name == "__heddle_object_facts" || name == "__heddle_before" || name == "__heddle_disjoint" ||
         name == "__heddle_fail" || name == "__heddle_fail_exception";
}

bool only_read_and_written(const llvm::AllocaInst& a) {
  for (const auto* user : a.users()) {
    if (llvm::isa<llvm::LoadInst>(user)) continue;
    if (const auto* s = llvm::dyn_cast<llvm::StoreInst>(user);
        s != nullptr && s->getPointerOperand() == &a && s->getValueOperand() != &a)
      continue;
    if (const auto* i = llvm::dyn_cast<llvm::IntrinsicInst>(user); i != nullptr && i->isLifetimeStartOrEnd()) continue;
    return false;
  }
  return true;
}

}  // namespace

Escape::Escape(const llvm::Module& module) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& f : module)
      for (const auto& arg : f.args()) {
        if (!arg.getType()->isPointerTy() || captured_.contains(&arg)) continue;
        // Attributes are not trusted: the compiler knows what the C library promises, not what this one does (it may
        // keep an address in a variable of its own while it runs).
        if (f.isDeclaration() ? !keeps_addresses(f.getName()) : escapes(&arg)) {
          captured_.insert(&arg);
          changed = true;
        }
      }
  }
}

bool Escape::escapes(const llvm::Value* address) const {
  llvm::SmallVector<const llvm::Value*, 16> work{address};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  while (!work.empty()) {
    const auto* v = work.pop_back_val();
    if (!seen.insert(v).second) continue;
    for (const auto& use : v->uses()) {
      const auto* user = use.getUser();
      if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user)) continue;
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() != v) continue;
        // Into a variable that is only read and written as a whole (at -O0 every parameter is): its values go on.
        const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
        if (variable == nullptr || variable == v || !only_read_and_written(*variable)) return true;
        for (const auto* reader : variable->users())
          if (llvm::isa<llvm::LoadInst>(reader)) work.push_back(reader);
      } else if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(user)) {
        if (rmw->getValOperand() == v) return true;
      } else if (const auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(user)) {
        // A weak one may fail spuriously: a nondeterministic choice, which must be a visible request.
        if (cas->isWeak() || cas->getCompareOperand() == v || cas->getNewValOperand() == v) return true;
      } else if (llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst, llvm::PHINode, llvm::SelectInst,
                           llvm::FreezeInst>(user)) {
        if (user->getType()->isVectorTy()) return true;
        work.push_back(user);
      } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
        if (call->isCallee(&use)) continue;
        if (!call->isArgOperand(&use)) return true;
        if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) {
          switch (intrinsic->getIntrinsicID()) {
            case llvm::Intrinsic::launder_invariant_group:
            case llvm::Intrinsic::strip_invariant_group:
            case llvm::Intrinsic::threadlocal_address: work.push_back(user); continue;
            case llvm::Intrinsic::memcpy:
            case llvm::Intrinsic::memmove:
            case llvm::Intrinsic::memset:
            case llvm::Intrinsic::memcpy_inline:
            case llvm::Intrinsic::memset_inline:
            case llvm::Intrinsic::lifetime_start:
            case llvm::Intrinsic::lifetime_end:
            case llvm::Intrinsic::vastart:
            case llvm::Intrinsic::vaend:
            case llvm::Intrinsic::vacopy:
            case llvm::Intrinsic::objectsize:
            case llvm::Intrinsic::prefetch:
            case llvm::Intrinsic::assume:
            case llvm::Intrinsic::invariant_start:
            case llvm::Intrinsic::invariant_end: continue;
            default: return true;
          }
        }
        const auto* callee = call->getCalledFunction();
        const auto index = call->getArgOperandNo(&use);
        if (callee == nullptr || index >= callee->arg_size() || captured_.contains(callee->getArg(index))) return true;
      } else {
        return true;
      }
    }
  }
  return false;
}

}  // namespace heddle::lang::llvm_ir
