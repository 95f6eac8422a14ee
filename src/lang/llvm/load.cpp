// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/load.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/ErrorHandling.h>

#include "lang/llvm/link.h"
#include "lang/llvm/prepare.h"
#include "lang/llvm/reach.h"
#include "lang/llvm/translate.h"
#include "lang/llvm/usage.h"
#include "vm/vm_program.h"

namespace heddle::lang::llvm_ir {
namespace {

support::Result<vm::Module> translate(const std::vector<std::string>& files, const Options& options) {
  llvm::LLVMContext context;
  auto linked = link(context, files, options);
  if (!linked) return linked.error();
  for (const std::string& goal : options.reach)
    if (auto wrong = forbid(*linked->module, linked->library, goal)) {
      wrong->file = files.front();
      return *wrong;
    }
  prepare(*linked->module, *linked->entry, linked->library, options);
  vm::Module out;
  if (auto wrong = ModuleTranslator(*linked->module, options, linked->library, out).run(*linked->entry)) return *wrong;
  out.assumptions = assumptions_of(*linked->module, linked->library);
  if (!linked->foreign.empty())
    out.assumptions.push_back("code made for " + linked->foreign + " means the same on x86-64, as which it is checked");
  out.bounds = bounds_of(*linked->module, linked->library, options.settings);
  return out;
}

void (*fatal_handler)(const char*) = nullptr;

}  // namespace

void on_fatal_error(void (*handler)(const char* what)) {
  fatal_handler = handler;
  const auto call = [](void*, const char* reason, bool) { fatal_handler(reason); };
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(call);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(call);
}

support::Result<std::unique_ptr<core::Program>> load(const std::vector<std::string>& files, const Options& options) {
  auto module = translate(files, options);
  if (!module) return module.error();
  return std::unique_ptr<core::Program>(
      std::make_unique<vm::VmProgram>(std::move(*module), vm::VmOptions{options.max_jumps}));
}

support::Result<std::string> disassemble(const std::vector<std::string>& files, const Options& options,
                                         const std::string& function) {
  auto module = translate(files, options);
  if (!module) return module.error();
  std::string text;
  for (const auto& f : module->functions)
    if (f.defined && (function.empty() || f.name == function)) text += vm::dump(*module, f);
  return text;
}

}  // namespace heddle::lang::llvm_ir
