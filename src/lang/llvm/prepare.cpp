// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/prepare.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include "lang/llvm/jumps.h"
#include "lang/llvm/places.h"
#include "lang/llvm/scope.h"
#include "lang/llvm/usage.h"

namespace heddle::lang::llvm_ir {
namespace {

void set_constants(llvm::Module& module, const std::vector<std::pair<std::string, std::int64_t>>& settings) {
  for (const auto& [name, value] : settings)
    if (auto* g = module.getNamedGlobal(name); g != nullptr && g->getValueType()->isIntegerTy()) {
      g->setInitializer(llvm::ConstantInt::get(g->getValueType(), static_cast<std::uint64_t>(value), true));
      g->setConstant(true);
      g->setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
}

// The operations of std::atomic are functions of headers. They become part of their callers: an access is then the
// program's own, at the line that it stands on.
bool mark_atomic_headers(llvm::Module& module, const Options& options) {
  bool any = false;
  for (auto& f : module) {
    if (f.isDeclaration()) continue;
    const std::string name = cxx_header_of(f.getSubprogram(), options);
    if (!name.starts_with("__atomic/") && name != "atomic") continue;
    if (name == "__atomic/atomic_sync.h") continue;  // waits, which loop
    f.removeFnAttr(llvm::Attribute::NoInline);
    f.removeFnAttr(llvm::Attribute::OptimizeNone);
    f.addFnAttr(llvm::Attribute::AlwaysInline);
    any = true;
  }
  return any;
}

// Variables of the library that no linked code writes need not be shared memory: reading them is no access.
void freeze_unwritten(llvm::Module& module, const std::set<std::string>& library) {
  for (auto& g : module.globals()) {
    if (g.isDeclaration() || g.isConstant() || g.isThreadLocal() || !library.contains(g.getName().str())) continue;
    if (llvm::all_of(g.users(), [](const llvm::User* u) { return llvm::isa<llvm::LoadInst>(u); })) g.setConstant(true);
  }
}

// The caller's copy of a byval argument lives as long as the caller does. Where the parameter's address may be kept, the
// function makes one of its own, which ends with its call.
void own_captured_byval(llvm::Function& f) {
  for (auto& parameter : f.args()) {
    if (!parameter.hasByValAttr() ||
        !llvm::PointerMayBeCaptured(&parameter, /*ReturnCaptures=*/true, /*StoreCaptures=*/true))
      continue;
    auto& first = f.getEntryBlock();
    llvm::IRBuilder<> b(&first, first.begin());
    const auto align = std::max(parameter.getParamAlign().valueOrOne(), llvm::Align(8));
    auto* copy = b.CreateAlloca(parameter.getParamByValType(), nullptr, parameter.getName());
    copy->setAlignment(align);
    parameter.replaceAllUsesWith(copy);
    b.SetInsertPoint(&first, first.getFirstNonPHIOrDbgOrAlloca());
    if (auto* where = f.getSubprogram(); where != nullptr)
      b.SetCurrentDebugLocation(llvm::DILocation::get(f.getContext(), where->getScopeLine(), 0, where));
    b.CreateMemCpy(copy, align, &parameter, align, parameter.getPassPointeeByValueCopySize(f.getDataLayout()));
  }
}

// A byval argument is a copy that the caller makes. The bytes of a variadic one lie in the argument block itself.
void copy_byval(llvm::Module& module) {
  const auto& layout = module.getDataLayout();
  std::vector<llvm::CallBase*> calls;
  for (auto& f : module)
    for (auto& i : llvm::instructions(f))
      if (auto* c = llvm::dyn_cast<llvm::CallBase>(&i))
        for (unsigned k = 0; k < c->arg_size(); ++k)
          if (c->isByValArgument(k)) {
            calls.push_back(c);
            break;
          }
  for (auto* c : calls) {
    llvm::IRBuilder<> b(c);
    std::vector<llvm::Value*> args;
    const auto fixed = c->getFunctionType()->getNumParams();
    bool changed_count = false;
    for (unsigned k = 0; k < c->arg_size(); ++k) {
      auto* arg = c->getArgOperand(k);
      if (!c->isByValArgument(k)) {
        args.push_back(arg);
        continue;
      }
      auto* type = c->getParamByValType(k);
      const auto size = layout.getTypeAllocSize(type).getFixedValue();
      const auto align = c->getParamAlign(k).valueOrOne();
      if (k >= fixed) {
        // A variadic argument aligned to more than a word is aligned relative to the start of the area.
        while (8 * (args.size() - fixed) % align.value() != 0) args.push_back(b.getInt64(0));
        for (std::uint64_t at = 0; at < size; at += 8) {
          const auto bytes = std::min<std::uint64_t>(8, size - at);
          llvm::Value* word = nullptr;
          if (bytes == 8) {
            word = b.CreateAlignedLoad(b.getInt64Ty(), b.CreateConstGEP1_64(b.getInt8Ty(), arg, at), llvm::Align(8));
          } else {
            word = b.getInt64(0);
            for (std::uint64_t j = 0; j < bytes; ++j) {
              auto* byte =
                  b.CreateAlignedLoad(b.getInt8Ty(), b.CreateConstGEP1_64(b.getInt8Ty(), arg, at + j), llvm::Align(1));
              word = b.CreateOr(word, b.CreateShl(b.CreateZExt(byte, b.getInt64Ty()), 8 * j));
            }
          }
          args.push_back(word);
          changed_count = true;
        }
        continue;
      }
      auto& first = c->getFunction()->getEntryBlock();
      llvm::IRBuilder<> top(&first, first.begin());
      auto* copy = top.CreateAlloca(type);
      copy->setAlignment(std::max(align, llvm::Align(8)));
      b.CreateMemCpy(copy, llvm::MaybeAlign(align), arg, llvm::MaybeAlign(align), size);
      args.push_back(copy);
    }
    if (!changed_count) {
      for (unsigned k = 0; k < c->arg_size(); ++k) {
        c->setArgOperand(k, args[k]);
        c->removeParamAttr(k, llvm::Attribute::ByVal);
      }
      continue;
    }
    llvm::CallBase* fresh = nullptr;
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(c))
      fresh = b.CreateInvoke(c->getFunctionType(), c->getCalledOperand(), invoke->getNormalDest(),
                             invoke->getUnwindDest(), args);
    else fresh = b.CreateCall(c->getFunctionType(), c->getCalledOperand(), args);
    fresh->setCallingConv(c->getCallingConv());
    fresh->setDebugLoc(c->getDebugLoc());
    c->replaceAllUsesWith(fresh);
    c->eraseFromParent();
  }
  for (auto& f : module) {
    if (!f.isDeclaration()) own_captured_byval(f);
    for (unsigned k = 0; k < f.arg_size(); ++k) f.removeParamAttr(k, llvm::Attribute::ByVal);
  }
}

}  // namespace

void prepare(llvm::Module& module, const llvm::Function& entry, const std::set<std::string>& library,
             const Options& options) {
  set_constants(module, options.settings);
  for (auto& f : module)
    if (!library.contains(f.getName().str())) forget_changed_locals(f);
  copy_byval(module);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (mark_atomic_headers(module, options)) passes.addPass(llvm::AlwaysInlinerPass(false));
  const std::string keep = entry.getName().str();
  // The translator itself calls these.
  passes.addPass(llvm::InternalizePass([keep](const llvm::GlobalValue& g) {
    return g.getName() == keep || g.getName() == "__heddle_copy" || g.getName() == "__heddle_move" ||
           g.getName() == "__heddle_fill";
  }));
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, modules);
  freeze_unwritten(module, library);
}

void finish(llvm::Module& module, const std::set<std::string>& library, bool pending_loads) {
  if (pending_loads) promote_locals(module);
  set_constants(module, settings_by_usage(module, library));

  // Addresses that are not constants in our sense get instructions of their own.
  llvm::SmallVector<llvm::Constant*, 8> special;
  for (auto& g : module.globals())
    if (g.isThreadLocal() || (g.isDeclaration() && !g.hasExternalWeakLinkage())) special.push_back(&g);
  if (!special.empty()) llvm::convertUsersOfConstantsToInstructions(special);
}

}  // namespace heddle::lang::llvm_ir
