// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/jumps.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

namespace heddle::lang::llvm_ir {
namespace {

struct Local {
  llvm::AllocaInst* memory = nullptr;
  const llvm::DILocalVariable* variable = nullptr;
};

bool is_volatile(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_volatile_type) return true;
    if (derived->getTag() != llvm::dwarf::DW_TAG_const_type && derived->getTag() != llvm::dwarf::DW_TAG_typedef) break;
    type = derived->getBaseType();
  }
  return false;
}

const llvm::DILocalVariable* variable_in(llvm::AllocaInst& memory) {
  for (const auto* d : llvm::findDVRDeclares(&memory)) return d->getVariable();
  for (const auto* d : llvm::findDbgDeclares(&memory)) return d->getVariable();
  return nullptr;
}

bool is_scalar(const llvm::Type& type) {
  return type.isPointerTy() || type.isFloatTy() || type.isDoubleTy() ||
         (type.isIntegerTy() && type.getIntegerBitWidth() <= 64);
}

std::vector<Local> locals_of(llvm::Function& f) {
  std::vector<Local> locals;
  for (auto& i : f.getEntryBlock())
    if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&i);
        memory != nullptr && is_scalar(*memory->getAllocatedType()) && llvm::isAllocaPromotable(memory))
      if (const auto* variable = variable_in(*memory); variable != nullptr && !is_volatile(variable->getType()))
        locals.push_back({memory, variable});
  return locals;
}

// Is the call in the block of the variable, behind its declaration?
bool in_scope(const Local& local, const llvm::CallBase& call) {
  const auto& place = call.getDebugLoc();
  if (!place || place->getInlinedAt() != nullptr || place.getLine() < local.variable->getLine()) return false;
  const llvm::DILocalScope* scope = llvm::cast<llvm::DILocalScope>(place.getScope());
  while (scope != local.variable->getScope()) {
    const auto* block = llvm::dyn_cast<llvm::DILexicalBlockBase>(scope);
    if (block == nullptr) return false;
    scope = block->getScope();
  }
  return true;
}

// As a number of the same bits: no two equal values compare as different.
llvm::Value* bits(llvm::IRBuilder<>& b, llvm::Value* v) {
  auto* type = v->getType();
  return type->isFloatingPointTy() ? b.CreateBitCast(v, type->isFloatTy() ? b.getInt32Ty() : b.getInt64Ty()) : v;
}

void forget_behind(llvm::CallBase& call, const std::vector<Local>& locals) {
  auto& entry = call.getFunction()->getEntryBlock();
  for (const Local& local : locals) {
    if (!in_scope(local, call)) continue;
    auto* type = local.memory->getAllocatedType();
    auto* then = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
    llvm::IRBuilder<> before(&call);
    before.CreateStore(before.CreateLoad(type, local.memory), then);
    llvm::IRBuilder<> b(call.getNextNode());
    b.SetCurrentDebugLocation(call.getDebugLoc());
    auto* now = b.CreateLoad(type, local.memory);
    auto* changed = b.CreateICmpNE(bits(b, now), bits(b, b.CreateLoad(type, then)));
    // Behind an opaque operation: of a choice between a value and undef the builder would make the value.
    auto* none = b.CreateUnaryIntrinsic(llvm::Intrinsic::ssa_copy, llvm::UndefValue::get(type));
    auto* left = b.CreateSelect(changed, none, now);
    b.CreateStore(b.CreateSelect(b.CreateIsNull(&call), now, left), local.memory);
  }
}

}  // namespace

void forget_changed_locals(llvm::Function& f) {
  if (f.isDeclaration() || f.getSubprogram() == nullptr || !f.callsFunctionThatReturnsTwice()) return;
  const std::vector<Local> locals = locals_of(f);
  std::vector<llvm::CallBase*> calls;
  for (auto& i : llvm::instructions(f))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
        call != nullptr && call->hasFnAttr(llvm::Attribute::ReturnsTwice) && call->getType()->isIntegerTy())
      calls.push_back(call);
  for (auto* call : calls) forget_behind(*call, locals);
}

}  // namespace heddle::lang::llvm_ir
