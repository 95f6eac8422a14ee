// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/as_written.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <vector>

namespace heddle::lang::llvm_ir {
namespace {

// By its mangled name (Itanium C++ ABI, 5.1.4.3): deleting, of a complete object, of a base. A class may be local (_ZZ).
bool is_destructor(llvm::StringRef name) {
  return (name.starts_with("_ZN") || name.starts_with("_ZZ")) &&
         (name.ends_with("D0Ev") || name.ends_with("D1Ev") || name.ends_with("D2Ev"));
}

// The second parameter of a destructor, if there is one, is its table of virtual tables (2.6.2), kept in a variable.
bool is_table_of_tables(const llvm::Value* v) {
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(v)) return argument->getArgNo() == 1;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(v);
  const auto* local = load != nullptr ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()) : nullptr;
  return local != nullptr && llvm::any_of(local->users(), [](const llvm::User* user) {
           const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
           const auto* argument = store != nullptr ? llvm::dyn_cast<llvm::Argument>(store->getValueOperand()) : nullptr;
           return argument != nullptr && argument->getArgNo() == 1;
         });
}

bool stores_virtual_table(const llvm::StoreInst& store) {
  const auto* value = store.getValueOperand()->stripInBoundsConstantOffsets();
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
    return is_table_of_tables(load->getPointerOperand()->stripInBoundsConstantOffsets());
  const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(value);
  return table != nullptr && table->getName().starts_with("_ZTV");
}

}  // namespace

void keep_virtual_tables(llvm::Module& module) {
  std::vector<llvm::StoreInst*> stores;
  for (llvm::Function& f : module)
    if (is_destructor(f.getName()))
      for (llvm::Instruction& i : llvm::instructions(f))
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i); store != nullptr && stores_virtual_table(*store))
          stores.push_back(store);
  for (llvm::StoreInst* store : stores) {
    llvm::IRBuilder<> builder(store);
    llvm::Value* table = store->getValueOperand();
    llvm::Value* found = builder.CreateLoad(table->getType(), store->getPointerOperand());
    store->moveBefore(llvm::SplitBlockAndInsertIfThen(builder.CreateICmpNE(found, table), store, false));
  }
}

void keep_accesses(llvm::Module& module) {
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    f.addFnAttr(llvm::Attribute::SanitizeThread);
    for (llvm::Instruction& i : llvm::instructions(f))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) call->removeFnAttr(llvm::Attribute::Builtin);
  }
}

}  // namespace heddle::lang::llvm_ir
