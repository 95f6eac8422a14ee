// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/load.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "core/child.h"
#include "core/input.h"
#include "lang/llvm/exceptions.h"
#include "lang/llvm/exposure.h"
#include "lang/llvm/link.h"
#include "lang/llvm/prepare.h"
#include "lang/llvm/reach.h"
#include "lang/llvm/translate.h"
#include "lang/llvm/usage.h"
#include "vm/vm_program.h"

namespace heddle::lang::llvm_ir {

// The program's linked IR, from which translations are made.
struct Ir {
  llvm::LLVMContext context;
  Linked linked;
  std::optional<ExceptionTables> exceptions;
  bool promoted = false;  // locals are registers: of no use for a translation without pending loads
};

namespace {

support::Result<std::unique_ptr<Ir>> read(const std::vector<std::string>& files, const Options& options) {
  auto ir = std::make_unique<Ir>();
  auto linked = link(ir->context, files, options);
  if (!linked) return linked.error();
  ir->linked = std::move(*linked);
  for (const std::string& goal : options.reach)
    if (auto wrong = forbid(*ir->linked.module, ir->linked.library, goal)) {
      wrong->file = files.front();
      return *wrong;
    }
  prepare(*ir->linked.module, *ir->linked.entry, ir->linked.library, options);
  ir->exceptions.emplace(*ir->linked.module);
  return ir;
}

support::Result<vm::Module> translate(Ir& ir, const Options& options) {
  const Linked& linked = ir.linked;
  const llvm::Module& module = *linked.module;
  finish(*linked.module, linked.library, options.pending_loads);
  ir.promoted = options.pending_loads;
  vm::Module out;
  if (auto wrong = ModuleTranslator(module, options, linked.library, *ir.exceptions, out).run(*linked.entry))
    return *wrong;
  out.assumptions = assumptions_of(module, linked.library, options.settings);
  if (!linked.foreign.empty())
    out.assumptions.push_back("code made for " + linked.foreign + " means the same on x86-64, as which it is checked");
  out.bounds = bounds_of(module, linked.library, options.settings);
  out.numbers_of_pointers |= shares_numbers_of_pointers(module, linked.library);
  out.addresses_in_constants |= uses_parts_of_addresses(module, linked.library);
  return out;
}

support::Result<vm::Module> translate(const std::vector<std::string>& files, const Options& options) {
  const auto ir = read(files, options);
  if (!ir) return ir.error();
  return translate(**ir, options);
}

// Debug information may pass LLVM's verifier and still be malformed: its accessors abort then. So IR of the user's own
// is translated in a child process first; what the child survives, the parent does too. Mistakes that are found on the
// way are left to the parent.
std::optional<support::Diagnostic> ends_the_process(const std::vector<std::string>& files, const Options& options) {
  const auto own_ir = [](const std::string& file) { return file.ends_with(".ll") || file.ends_with(".bc"); };
  const auto first = std::ranges::find_if(files, own_ir);
  // What can be read only once must be left to the parent.
  if (first == files.end() || !std::ranges::all_of(files, core::is_plain_file)) return std::nullopt;
  core::ChildLimits limits;
  limits.budget = options.budget;
  const core::ChildEnd end = core::run_copy(
      [&](int) {
        const auto stop = [](void*, const char*, bool) { ::_exit(1); };
        llvm::remove_fatal_error_handler();
        llvm::install_fatal_error_handler(stop);
        llvm::remove_bad_alloc_error_handler();
        llvm::install_bad_alloc_error_handler(stop);
        (void)translate(files, options);
        return 0;
      },
      limits);
  if (end.good()) return std::nullopt;
  if (!end.stopped.empty()) return core::stopped_at(*first, "its translation " + core::end_text(end));
  return support::Diagnostic{*first, 0, 0, "is broken: LLVM " + core::end_text(end) + " while it was translated",
                             {},     {}};
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

Reader::Reader(std::vector<std::string> files, Options options)
    : files_(std::move(files)), options_(std::move(options)) {}
Reader::~Reader() = default;

support::Result<std::unique_ptr<vm::VmProgram>> Reader::translation(bool pending_loads) {
  options_.pending_loads = pending_loads;
  if (auto broken = ends_the_process(files_, options_)) return *broken;
  if (!ir_ || (ir_->promoted && !pending_loads)) {
    auto ir = read(files_, options_);
    if (!ir) return ir.error();
    ir_ = std::move(*ir);
  }
  auto module = translate(*ir_, options_);
  if (!module) return module.error();
  return std::make_unique<vm::VmProgram>(std::move(*module), vm::VmOptions{options_.max_jumps});
}

support::Result<std::unique_ptr<core::Program>> load(const std::vector<std::string>& files, const Options& options) {
  auto program = Reader(files, options).translation(options.pending_loads);
  if (!program) return program.error();
  return std::unique_ptr<core::Program>(std::move(*program));
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
