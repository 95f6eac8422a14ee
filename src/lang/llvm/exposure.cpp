// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/exposure.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace heddle::lang::llvm_ir {
namespace {

// Does the use leave the object's name out, or keep the number a pointer (vm/arithmetic.cpp)?
bool keeps_names(const llvm::User& user) {
  const auto small = [](const llvm::Value* v) {
    const auto* c = llvm::dyn_cast<llvm::ConstantInt>(v);
    return c != nullptr && c->getValue().getActiveBits() <= 32;
  };
  switch (llvm::Operator::getOpcode(&user)) {
    case llvm::Instruction::ICmp:
    case llvm::Instruction::IntToPtr: return true;
    case llvm::Instruction::Trunc: return user.getType()->getIntegerBitWidth() <= 32;
    case llvm::Instruction::And: return small(user.getOperand(1));
    case llvm::Instruction::URem:
      return small(user.getOperand(1)) && llvm::cast<llvm::ConstantInt>(user.getOperand(1))->getValue().isPowerOf2();
    case llvm::Instruction::Sub:
      return llvm::isa<llvm::PtrToIntOperator>(user.getOperand(0)) &&
             llvm::isa<llvm::PtrToIntOperator>(user.getOperand(1));
    default: return false;
  }
}

bool exposes(const llvm::PtrToIntOperator& number) {
  return number.getType()->getIntegerBitWidth() > 32 &&
         llvm::any_of(number.users(), [](const llvm::User* user) { return !keeps_names(*user); });
}

bool is_unaligned_pointer(const llvm::Type* type, llvm::Align align) {
  return type->isPointerTy() && align.value() < 8;
}

bool exposes(const llvm::Instruction& i) {
  for (const auto& operand : i.operands())
    if (const auto* number = llvm::dyn_cast<llvm::PtrToIntOperator>(operand.get());
        number != nullptr && exposes(*number))
      return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
    return is_unaligned_pointer(load->getType(), load->getAlign());
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
    const auto* value = store->getValueOperand();
    const bool part = value->getType()->isIntegerTy(8) || value->getType()->isIntegerTy(16);
    return is_unaligned_pointer(value->getType(), store->getAlign()) || (part && llvm::isa<llvm::LoadInst>(value));
  }
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&i)) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    return (length == nullptr || length->getZExtValue() >= 8) &&
           (copy->getDestAlign().valueOrOne().value() < 8 || copy->getSourceAlign().valueOrOne().value() < 8);
  }
  return false;
}

}  // namespace

bool shares_numbers_of_pointers(const llvm::Module& module, const std::set<std::string>& library) {
  if (module.getFunction("__heddle_spawn") == nullptr) return false;
  for (const auto& g : module.globals())
    for (const auto* user : g.users())
      if (llvm::isa<llvm::ConstantExpr>(user) && llvm::isa<llvm::PtrToIntOperator>(user)) return true;
  for (const auto& f : module)
    if (!library.contains(f.getName().str()) &&
        llvm::any_of(llvm::instructions(f), [](const llvm::Instruction& i) { return exposes(i); }))
      return true;
  return false;
}

}  // namespace heddle::lang::llvm_ir
