// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/scope.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "lang/llvm/link.h"

namespace heddle::lang::llvm_ir {
namespace {

bool is_marker(const llvm::Instruction& i, llvm::Intrinsic::ID marker) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return call != nullptr && call->getIntrinsicID() == marker;
}

// Instructions that use the local's address or one that was computed from it.
struct Uses {
  std::set<const llvm::Instruction*> accesses, begins, ends;

  explicit Uses(const llvm::AllocaInst& local) {
    std::set<const llvm::Value*> seen;
    for (std::vector<const llvm::Value*> waiting{&local}; !waiting.empty();) {
      const llvm::Value* address = waiting.back();
      waiting.pop_back();
      for (const auto* user : address->users()) {
        const auto* i = llvm::dyn_cast<llvm::Instruction>(user);
        if (i == nullptr) continue;
        if (is_marker(*i, llvm::Intrinsic::lifetime_start)) begins.insert(i);
        else if (is_marker(*i, llvm::Intrinsic::lifetime_end)) ends.insert(i);
        else if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst>(i)) {
          if (seen.insert(i).second) waiting.push_back(i);
        } else if (!llvm::isa<llvm::ICmpInst>(i)) {
          accesses.insert(i);
        }
      }
    }
  }
};

void keep_pointers_until_exit(llvm::Function& f) {
  std::vector<llvm::Instruction*> exits;
  for (auto& block : f)
    if (auto* last = block.getTerminator(); llvm::isa<llvm::UnreachableInst>(last) && behind_exit(*last))
      exits.push_back(last);
  for (auto* exit : exits)
    for (auto& i : f.getEntryBlock())
      if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&i);
          local != nullptr && local->getAllocatedType()->isPointerTy() && llvm::isAllocaPromotable(local)) {
        llvm::IRBuilder<> b(exit);
        b.CreateFreeze(b.CreateLoad(local->getAllocatedType(), local));
      }
}

// Promotion folds phi(undef, v) to v and drops lifetime markers, so that an uninitialised local would have the value of
// another path or of an earlier round. An undefined value behind an opaque operation, stored where a life begins, stays.
void undefine(llvm::AllocaInst& local, std::vector<llvm::Instruction*>& values) {
  const Uses uses(local);
  std::vector<llvm::Instruction*> places{local.getNextNode()};
  for (const auto* begin : uses.begins) places.push_back(const_cast<llvm::Instruction*>(begin)->getNextNode());
  for (auto* place : places) {
    llvm::IRBuilder<> b(place);
    auto* none = llvm::UndefValue::get(local.getAllocatedType());
    values.push_back(b.CreateUnaryIntrinsic(llvm::Intrinsic::ssa_copy, none));
    b.CreateStore(values.back(), &local);
  }
}

// Not in callers of setjmp: after a longjmp a local has the value that was stored last, on whatever path.
void promote_locals(llvm::Function& f) {
  if (f.callsFunctionThatReturnsTwice()) return;
  keep_pointers_until_exit(f);
  llvm::DominatorTree dominators(f);
  const bool scopes = f.hasFnAttribute(scopes_attribute);
  for (;;) {  // promoting a pointer may leave what it pointed to without any other use
    std::vector<llvm::AllocaInst*> locals;
    for (auto& i : f.getEntryBlock())
      if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&i);
          local != nullptr && llvm::isAllocaPromotable(local) && !(scopes && used_after_its_end(*local)))
        locals.push_back(local);
    if (locals.empty()) return;
    std::vector<llvm::Instruction*> undefined;
    for (auto* local : locals) undefine(*local, undefined);
    llvm::PromoteMemToReg(locals, dominators);
    for (auto* value : undefined)
      if (value->use_empty()) value->eraseFromParent();
  }
}

}  // namespace

bool behind_exit(const llvm::Instruction& unreachable) {
  const auto may_exit = [](const llvm::Instruction* before) {
    const auto* call = llvm::dyn_cast_or_null<llvm::CallBase>(before);
    const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || !call->doesNotReturn() || callee->isIntrinsic()) return false;
    // Failures are shown before leaks, and what is thrown leaves the frame.
    const llvm::StringRef name = callee->getName();
    constexpr std::array others = {"abort", "__assert_fail", "longjmp", "_longjmp", "siglongjmp", "__heddle_longjmp"};
    return !name.starts_with("__cxa_") && !name.starts_with("_Unwind_") && !name.starts_with("__clang_") &&
           std::ranges::none_of(others, [&](const char* other) { return name == other; });
  };
  if (const auto* before = unreachable.getPrevNonDebugInstruction()) return may_exit(before);
  return llvm::any_of(llvm::predecessors(unreachable.getParent()), [&](const llvm::BasicBlock* block) {
    const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block->getTerminator());
    return invoke != nullptr && invoke->getNormalDest() == unreachable.getParent() && may_exit(invoke);
  });
}

bool used_after_its_end(const llvm::AllocaInst& local) {
  const Uses uses(local);
  std::vector<const llvm::Instruction*> waiting;
  for (const auto* end : uses.ends) waiting.push_back(end->getNextNode());
  std::set<const llvm::BasicBlock*> entered;
  while (!waiting.empty()) {
    const llvm::Instruction* i = waiting.back();
    waiting.pop_back();
    for (; i != nullptr && !uses.begins.contains(i); i = i->getNextNode()) {
      if (uses.accesses.contains(i)) return true;
      if (!i->isTerminator()) continue;
      for (unsigned k = 0; k < i->getNumSuccessors(); ++k)
        if (entered.insert(i->getSuccessor(k)).second) waiting.push_back(&i->getSuccessor(k)->front());
    }
  }
  return false;
}

bool kept_until_it_begins_again(const llvm::AllocaInst& local) {
  std::vector<const llvm::Instruction*> waiting;
  bool kept = false;
  for (std::vector<const llvm::Value*> addresses{&local}; !addresses.empty();) {
    const llvm::Value* address = addresses.back();
    addresses.pop_back();
    for (const auto* user : address->users()) {
      if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(user)) addresses.push_back(user);
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      kept |=
          llvm::isa<llvm::PHINode, llvm::SelectInst>(user) || (store != nullptr && store->getValueOperand() == address);
      const auto* i = llvm::dyn_cast<llvm::Instruction>(user);
      if (i != nullptr && is_marker(*i, llvm::Intrinsic::lifetime_start)) waiting.push_back(i);
    }
  }
  if (!kept) return false;
  const std::set<const llvm::Instruction*> begins(waiting.begin(), waiting.end());
  std::set<const llvm::BasicBlock*> entered;
  while (!waiting.empty()) {
    const auto* last = waiting.back()->getParent()->getTerminator();
    waiting.pop_back();
    for (unsigned k = 0; k < last->getNumSuccessors(); ++k) {
      const llvm::BasicBlock* next = last->getSuccessor(k);
      if (!entered.insert(next).second) continue;
      if (llvm::any_of(*next, [&](const llvm::Instruction& i) { return begins.contains(&i); })) return true;
      waiting.push_back(&next->front());
    }
  }
  return false;
}

void promote_locals(llvm::Module& module) {
  for (auto& f : module)
    if (!f.isDeclaration()) promote_locals(f);
}

}  // namespace heddle::lang::llvm_ir
