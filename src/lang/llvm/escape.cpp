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

// Does the access order others of its thread?
bool orders(const llvm::Instruction& access) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access))
    return llvm::isStrongerThanMonotonic(load->getOrdering());
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
  return store == nullptr || llvm::isStrongerThanMonotonic(store->getOrdering());
}

bool only_read_and_written(const llvm::AllocaInst& a) {
  for (const auto* user : a.users()) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load != nullptr && !orders(*load)) continue;
    if (const auto* s = llvm::dyn_cast<llvm::StoreInst>(user);
        s != nullptr && s->getPointerOperand() == &a && s->getValueOperand() != &a && !orders(*s))
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
        const Flow way = f.isDeclaration() ? Flow{!keeps_addresses(f.getName()), false} : flow(&arg);
        if (way.escapes) changed |= captured_.insert(&arg).second;
        if (way.returned) changed |= returned_.insert(&arg).second;
      }
  }
}

bool Escape::escapes(const llvm::Value* address) const {
  const Flow way = flow(address);
  return way.escapes || way.returned;
}

// False if the argument escapes; otherwise `derived` gets what carries it on.
bool Escape::passes(const llvm::CallBase& call, const llvm::Use& argument,
                    llvm::SmallVectorImpl<const llvm::Value*>& derived) const {
  if (call.isCallee(&argument)) return true;
  if (!call.isArgOperand(&argument)) return false;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::launder_invariant_group:
      case llvm::Intrinsic::strip_invariant_group:
      case llvm::Intrinsic::threadlocal_address: derived.push_back(&call); return true;
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
      case llvm::Intrinsic::invariant_end: return true;
      default: return false;
    }
  }
  const auto* callee = call.getCalledFunction();
  const auto index = call.getArgOperandNo(&argument);
  if (callee == nullptr || index >= callee->arg_size() || captured_.contains(callee->getArg(index))) return false;
  if (returned_.contains(callee->getArg(index))) derived.push_back(&call);
  return true;
}

Escape::Flow Escape::flow(const llvm::Value* address) const {
  Flow way;
  llvm::SmallVector<const llvm::Value*, 16> work{address};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  while (!work.empty() && !way.escapes) {
    const auto* v = work.pop_back_val();
    if (!seen.insert(v).second) continue;
    for (const auto& use : v->uses()) {
      const auto* user = use.getUser();
      if (llvm::isa<llvm::ICmpInst>(user)) continue;
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        way.escapes |= orders(*load);
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        way.escapes |= orders(*store);
        if (store->getValueOperand() != v) continue;
        // Into a variable that is only read and written as a whole (at -O0 every parameter is): its values go on.
        const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
        way.escapes |= variable == nullptr || variable == v || !only_read_and_written(*variable);
        if (way.escapes) break;
        for (const auto* reader : variable->users())
          if (llvm::isa<llvm::LoadInst>(reader)) work.push_back(reader);
      } else if (llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst, llvm::PHINode, llvm::SelectInst,
                           llvm::FreezeInst>(user)) {
        way.escapes |= user->getType()->isVectorTy();
        work.push_back(user);
      } else if (llvm::isa<llvm::ReturnInst>(user)) {
        way.returned = true;
      } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
        way.escapes |= !passes(*call, use, work);
      } else {
        way.escapes = true;
      }
    }
  }
  return way;
}

}  // namespace heddle::lang::llvm_ir
