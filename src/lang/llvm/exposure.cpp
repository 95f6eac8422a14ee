// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/exposure.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
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
    const bool part = value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() <= 32;
    return is_unaligned_pointer(value->getType(), store->getAlign()) || (part && llvm::isa<llvm::LoadInst>(value));
  }
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&i)) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    return (length == nullptr || length->getZExtValue() >= 8) &&
           (copy->getDestAlign().valueOrOne().value() < 8 || copy->getSourceAlign().valueOrOne().value() < 8);
  }
  return false;
}

// Values that may be addresses as numbers.
class Addresses {
 public:
  Addresses(const llvm::Module& module, const std::set<std::string>& library) {
    for (const auto& f : module)
      if (!library.contains(f.getName().str()))
        for (const auto& i : llvm::instructions(f)) {
          if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) loads_.push_back(load);
          if (is_address(i)) add(&i);
          for (const auto& operand : i.operands())
            if (const auto* c = llvm::dyn_cast<llvm::ConstantExpr>(operand.get()); c != nullptr && is_address(*c))
              add(c);
        }
    while (!work_.empty())
      for (const auto& use : work_.pop_back_val()->uses()) follow(use);
  }
  bool contains(const llvm::Value* v) const { return seen_.contains(v); }

 private:
  static bool is_address(const llvm::Value& v) {
    return llvm::isa<llvm::PtrToIntOperator>(v) && v.getType()->isIntegerTy(64);
  }
  void add(const llvm::Value* v) {
    if (seen_.insert(v).second) work_.push_back(v);
  }
  // Variables are told apart; all other memory is one.
  static const llvm::Value* variable(const llvm::Value* address) {
    const auto* object = llvm::getUnderlyingObject(address);
    return llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(object) ? object : nullptr;
  }
  void follow(const llvm::Use& use) {
    const auto* user = use.getUser();
    const auto small = [](const llvm::Value* v) {
      const auto* c = llvm::dyn_cast<llvm::ConstantInt>(v);
      return c != nullptr && c->getValue().getActiveBits() <= 32;
    };
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (use.getOperandNo() == 0) written(store->getPointerOperand());
    } else if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(user)) {
      if (use.getOperandNo() == 1) written(rmw->getPointerOperand());
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
      const auto* callee = call->getCalledFunction();
      if (callee != nullptr && call->isArgOperand(&use) && call->getArgOperandNo(&use) < callee->arg_size())
        add(callee->getArg(call->getArgOperandNo(&use)));
    } else if (llvm::isa<llvm::ReturnInst>(user)) {
      for (const auto* caller : llvm::cast<llvm::Instruction>(user)->getFunction()->users())
        if (llvm::isa<llvm::CallBase>(caller)) add(caller);
    } else {
      switch (llvm::Operator::getOpcode(user)) {
        case llvm::Instruction::Sub:
          if (seen_.contains(user->getOperand(0)) && seen_.contains(user->getOperand(1))) return;
          break;
        case llvm::Instruction::And:
          if (small(user->getOperand(1))) return;
          break;
        case llvm::Instruction::Add:
        case llvm::Instruction::Or:
        case llvm::Instruction::Xor:
        case llvm::Instruction::Shl:
        case llvm::Instruction::LShr:
        case llvm::Instruction::PHI:
        case llvm::Instruction::Select:
        case llvm::Instruction::Freeze: break;
        default: return;
      }
      add(user);
    }
  }
  void written(const llvm::Value* address) {
    const auto* to = variable(address);
    if (!places_.insert(to).second) return;
    for (const auto* load : loads_)
      if (load->getType()->isIntegerTy(64) && variable(load->getPointerOperand()) == to) add(load);
  }

  llvm::SmallVector<const llvm::LoadInst*, 64> loads_;
  llvm::SmallVector<const llvm::Value*, 16> work_;
  llvm::SmallPtrSet<const llvm::Value*, 32> seen_, places_;
};

// Is there a pointer at this offset of a variable of this type? Unions hold what was stored last, of whatever type.
bool has_pointer_at(const llvm::DataLayout& layout, llvm::Type* type, std::uint64_t offset) {
  if (type->isPointerTy()) return offset < 8;
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t size = layout.getTypeAllocSize(array->getElementType());
    return size != 0 && offset / size < array->getNumElements() &&
           has_pointer_at(layout, array->getElementType(), offset % size);
  }
  auto* record = llvm::dyn_cast<llvm::StructType>(type);
  if (record == nullptr || (record->hasName() && record->getName().starts_with("union."))) return false;
  const auto* members = layout.getStructLayout(record);
  if (record->getNumElements() == 0 || offset >= members->getSizeInBytes()) return false;
  const unsigned k = members->getElementContainingOffset(offset);
  return has_pointer_at(layout, record->getElementType(k), offset - members->getElementOffset(k));
}

// A load of some bytes of a variable that is a pointer.
bool reads_part_of_pointer(const llvm::Instruction& i) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
  if (load == nullptr || !load->getType()->isIntegerTy() || load->getType()->getIntegerBitWidth() >= 64) return false;
  const auto& layout = i.getModule()->getDataLayout();
  llvm::APInt offset(64, 0);
  const auto* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base);
  const auto* local = llvm::dyn_cast<llvm::AllocaInst>(base);
  llvm::Type* type = global != nullptr  ? global->getValueType()
                     : local != nullptr ? local->getAllocatedType()
                                        : nullptr;
  return type != nullptr && !offset.isNegative() && has_pointer_at(layout, type, offset.getZExtValue());
}

}  // namespace

bool uses_parts_of_addresses(const llvm::Module& module, const std::set<std::string>& library) {
  const auto looks_at_bits = [&](const llvm::User* user) {
    if (const auto* i = llvm::dyn_cast<llvm::Instruction>(user);
        i != nullptr && library.contains(i->getFunction()->getName().str()))
      return false;
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user)) return !compare->isEquality();
    return llvm::isa<llvm::BinaryOperator>(user) || llvm::Operator::getOpcode(user) == llvm::Instruction::Trunc ||
           (llvm::isa<llvm::ConstantExpr>(user) && user->getType()->isIntegerTy());
  };
  for (const auto& f : module) {
    if (!library.contains(f.getName().str()) && llvm::any_of(llvm::instructions(f), reads_part_of_pointer)) return true;
    for (const auto* user : f.users())
      if (llvm::isa<llvm::PtrToIntOperator>(user) &&
          (user->getType()->getIntegerBitWidth() < 64 || llvm::any_of(user->users(), looks_at_bits)))
        return true;
  }
  return false;
}

bool compares_addresses(const llvm::Module& module, const std::set<std::string>& library) {
  const Addresses addresses(module, library);
  const auto compares = [&](const llvm::Instruction& i) {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&i);
    if (compare == nullptr || !compare->isEquality()) return false;
    const auto *a = compare->getOperand(0), *b = compare->getOperand(1);
    if (llvm::isa<llvm::ConstantInt>(a) || llvm::isa<llvm::ConstantInt>(b)) return false;
    const llvm::DILocation* at = i.getDebugLoc();
    return (addresses.contains(a) || addresses.contains(b)) &&
           (at == nullptr || !at->getFilename().contains("/c++/v1/"));
  };
  return llvm::any_of(module, [&](const llvm::Function& f) {
    return !library.contains(f.getName().str()) && llvm::any_of(llvm::instructions(f), compares);
  });
}

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
