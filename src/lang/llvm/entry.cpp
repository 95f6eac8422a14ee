// Where a program starts.
// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "lang/llvm/link.h"

namespace heddle::lang::llvm_ir {
namespace {

constexpr const char* constructors_name = "__heddle_constructors";

struct Constructor {
  std::uint64_t priority;
  llvm::Constant* function;
};

// llvm.global_ctors or llvm.global_dtors, in order of priority, and the library's first.
std::vector<Constructor> special_functions(llvm::Module& module, const char* name,
                                           const std::set<std::string>& library) {
  std::vector<Constructor> result;
  const auto* list = module.getNamedGlobal(name);
  if (list == nullptr || !list->hasInitializer()) return result;
  const auto* array = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
  if (array == nullptr) return result;
  for (const auto& element : array->operands()) {
    const auto* entry = llvm::dyn_cast<llvm::ConstantStruct>(element);
    if (entry == nullptr) continue;
    auto* f = llvm::cast<llvm::Constant>(entry->getOperand(1)->stripPointerCastsAndAliases());
    if (!f->isNullValue()) result.push_back({llvm::cast<llvm::ConstantInt>(entry->getOperand(0))->getZExtValue(), f});
  }
  const auto rank = [&](const Constructor& c) {
    return std::pair(c.priority, !library.contains(c.function->getName().str()));
  };
  std::ranges::stable_sort(result, {}, rank);
  return result;
}

bool is_process(const llvm::Function& f) { return f.getName().starts_with("llmc_proc") && !f.isDeclaration(); }

// Arguments that the convention does not give are zero. The call of what is no function says so when it is reached.
void call_plain(llvm::IRBuilder<>& b, llvm::Constant& callee) {
  llvm::SmallVector<llvm::Value*, 2> args;
  auto* type = llvm::FunctionType::get(b.getVoidTy(), false);
  if (const auto* f = llvm::dyn_cast<llvm::Function>(&callee)) type = f->getFunctionType();
  for (auto* parameter : type->params()) args.push_back(llvm::Constant::getNullValue(parameter));
  b.CreateCall(type, &callee, args);
}

}  // namespace

llvm::Function* make_entry(llvm::Module& module) {
  auto& context = module.getContext();
  auto* main = module.getFunction("main");
  if (main != nullptr && main->isDeclaration()) main = nullptr;
  const bool processes = std::any_of(module.begin(), module.end(), is_process);
  if (main == nullptr && !processes) return nullptr;

  auto* void_type = llvm::Type::getVoidTy(context);
  auto* int_type = llvm::Type::getInt32Ty(context);
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* entry = llvm::Function::Create(llvm::FunctionType::get(void_type, false), llvm::Function::ExternalLinkage,
                                       "__heddle_entry", module);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", entry));
  b.CreateCall(module.getOrInsertFunction(constructors_name, llvm::FunctionType::get(void_type, false)));
  llvm::Value* status = b.getInt32(0);
  if (main != nullptr) {
    llvm::SmallVector<llvm::Value*, 3> args;
    auto* strings = llvm::ConstantDataArray::getString(context, "program");
    auto* name = new llvm::GlobalVariable(module, strings->getType(), false, llvm::GlobalValue::PrivateLinkage, strings,
                                          "argv[0]");
    auto* array_type = llvm::ArrayType::get(pointer, 2);
    auto* array = llvm::ConstantArray::get(array_type, {name, llvm::ConstantPointerNull::get(pointer)});
    auto* argv = new llvm::GlobalVariable(module, array_type, false, llvm::GlobalValue::PrivateLinkage, array, "argv");
    auto* empty_type = llvm::ArrayType::get(pointer, 1);
    auto* environment = new llvm::GlobalVariable(module, empty_type, false, llvm::GlobalValue::PrivateLinkage,
                                                 llvm::ConstantAggregateZero::get(empty_type), "envp");
    for (const auto& a : main->args()) {
      if (a.getType()->isIntegerTy()) args.push_back(llvm::ConstantInt::get(a.getType(), 1));
      else args.push_back(a.getArgNo() == 1 ? static_cast<llvm::Value*>(argv) : environment);
    }
    auto* result = b.CreateCall(main, args);
    if (result->getType()->isIntegerTy(32)) status = result;
  } else {
    auto init = module.getFunction("llmc_init");
    if (init != nullptr && !init->isDeclaration()) call_plain(b, *init);
    auto spawn =
        module.getOrInsertFunction("__heddle_spawn", llvm::FunctionType::get(int_type, {pointer, pointer}, false));
    auto join = module.getOrInsertFunction("__heddle_join", llvm::FunctionType::get(void_type, {int_type}, false));
    llvm::SmallVector<llvm::Value*, 4> threads;
    llvm::SmallVector<llvm::Function*, 4> starts;
    for (auto& f : module)
      if (is_process(f)) starts.push_back(&f);
    std::sort(starts.begin(), starts.end(), [](const auto* x, const auto* y) { return x->getName() < y->getName(); });
    // All begin together: no process runs before the last one exists.
    auto begin = module.getOrInsertFunction("__heddle_atomic_begin", llvm::FunctionType::get(void_type, false));
    auto end = module.getOrInsertFunction("__heddle_atomic_end", llvm::FunctionType::get(void_type, false));
    b.CreateCall(begin);
    for (auto* f : starts) threads.push_back(b.CreateCall(spawn, {f, llvm::ConstantPointerNull::get(pointer)}));
    b.CreateCall(end);
    for (auto* t : threads) b.CreateCall(join, {t});
    auto fini = module.getFunction("llmc_fini");
    if (fini != nullptr && !fini->isDeclaration()) call_plain(b, *fini);
  }
  auto exit = module.getOrInsertFunction("exit", llvm::FunctionType::get(void_type, {int_type}, false));
  b.CreateCall(exit, {status});
  b.CreateUnreachable();
  return entry;
}

void make_constructors(llvm::Module& module, const std::set<std::string>& library) {
  auto& context = module.getContext();
  const auto define = [&](const char* name, const std::vector<Constructor>& list) {
    auto callee = module.getOrInsertFunction(name, llvm::FunctionType::get(llvm::Type::getVoidTy(context), false));
    auto* run = llvm::cast<llvm::Function>(callee.getCallee());
    run->setLinkage(llvm::GlobalValue::ExternalLinkage);
    run->setSubprogram(nullptr);  // that of a declaration in the library has no compile unit, which a definition needs
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", run));
    for (const auto& c : list) call_plain(b, *c.function);
    b.CreateRetVoid();
  };
  define(constructors_name, special_functions(module, "llvm.global_ctors", library));
  auto destructors = special_functions(module, "llvm.global_dtors", library);
  if (destructors.empty()) return;
  std::reverse(destructors.begin(), destructors.end());
  define("__heddle_dtors", destructors);  // exit() of the runtime library calls them through this name
}

}  // namespace heddle::lang::llvm_ir
