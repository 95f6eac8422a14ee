// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/link.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>

#include "lang/llvm/as_written.h"
#include "lang/llvm/checked_bitcode.h"
#include "lang/llvm/compile.h"
#include "lang/llvm/exceptions.h"
#include "lang/llvm/needed.h"
#include "lang/llvm/prelude.h"

namespace heddle::lang::llvm_ir {
namespace {

namespace fs = std::filesystem;
using support::Diagnostic;

constexpr const char* target_triple = "x86_64-unknown-linux-musl";
constexpr const char* target_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

Diagnostic mistake(const std::string& file, const std::string& message) {
  Diagnostic d;
  d.file = file;
  d.message = message;
  return d;
}

Diagnostic from_parser(const llvm::SMDiagnostic& e, const std::string& file) {
  Diagnostic d;
  d.file = file;
  d.line = e.getLineNo() > 0 ? static_cast<unsigned>(e.getLineNo()) : 0;
  d.column = e.getColumnNo() >= 0 ? static_cast<unsigned>(e.getColumnNo() + 1) : 0;
  d.message = e.getMessage().str();
  d.source_line = e.getLineContents().str();
  return d;
}

enum class Origin { User, Library };

// IR made for another machine has other layouts. That of a 64-bit Arm agrees with x86-64 in all that C programs see,
// except for variadic arguments and long double. Empty if it can be checked.
std::string foreign(const llvm::Module& module) {
  const llvm::Triple triple(module.getTargetTriple());
  const bool arm = triple.getArch() == llvm::Triple::aarch64;
  if ((!module.getTargetTriple().empty() && triple.getArch() != llvm::Triple::x86_64 && !arm) ||
      (!module.getDataLayoutStr().empty() &&
       (module.getDataLayout().getPointerSize() != 8 || module.getDataLayout().isBigEndian())))
    return "is IR for another kind of machine than x86-64 or little-endian arm64: " + module.getTargetTriple();
  if (!arm) return {};
  for (const auto& f : module)
    for (const auto& i : llvm::instructions(f)) {
      const std::string where = " in the function " + f.getName().str() + ": compile it for x86-64";
      if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::vastart)
        return "is IR for arm64 that takes arguments behind the dots by that machine's rules" + where;
      if (i.getType()->isFP128Ty() ||
          std::any_of(i.op_begin(), i.op_end(), [](const auto& o) { return o->getType()->isFP128Ty(); }))
        return "is IR for arm64 with long double of 16 bytes" + where;
    }
  return {};
}

support::Result<std::unique_ptr<llvm::Module>> read(llvm::LLVMContext& context, const std::string& file,
                                                    const Options& options, Origin origin) {
  const auto ext = fs::path(file).extension().string();
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  if (origin == Origin::Library) {
    auto opened = llvm::MemoryBuffer::getFile(file);
    if (!opened) return mistake(file, "cannot be read: " + opened.getError().message());
    buffer = std::move(*opened);
  } else if (ext == ".ll" || ext == ".bc") {
    auto checked = checked_bitcode(file, options.budget);
    if (!checked) return checked.error();
    buffer = llvm::MemoryBuffer::getMemBufferCopy(*checked, file);
  } else {
    auto bitcode = compile(file, options);
    if (!bitcode) return bitcode.error();
    buffer = llvm::MemoryBuffer::getMemBufferCopy(*bitcode, file);
  }
  llvm::SMDiagnostic error;
  // clang made the library's modules: bodies of functions are read when the linker takes them, and not verified.
  if (origin == Origin::Library) {
    auto module = llvm::getLazyIRModule(std::move(buffer), error, context, true);
    if (!module) return from_parser(error, file);
    return module;
  }
  // LLVM verifies what it reads as a whole.
  auto module = llvm::parseIR(*buffer, error, context);
  if (!module) return from_parser(error, file);
  if (ext != ".ll" && ext != ".bc" && marks_scopes(options)) {
    keep_virtual_tables(*module);
    for (auto& f : *module) f.addFnAttr(scopes_attribute);
  }
  if (const auto why = foreign(*module); !why.empty()) return mistake(file, why);
  return module;
}

// Which module of the library defines a symbol. The C++ library is looked at when a symbol of C++ is wanted.
class Index {
 public:
  explicit Index(const std::string& folder) : folder_(folder) {
    if (!folder.empty()) read(folder_);
  }
  // The file of the module; empty if there is none.
  std::string find(const std::string& symbol) {
    auto it = modules_.find(symbol);
    if (it == modules_.end() && !cxx_ && !folder_.empty() &&
        (symbol.starts_with("_Z") || symbol.starts_with("__cxa_") || symbol.starts_with("__gxx_"))) {
      cxx_ = true;
      read(folder_ / "cxx");
      it = modules_.find(symbol);
    }
    if (it == modules_.end()) return {};
    const auto& [folder, module] = it->second;
    return (*folder / (module.ends_with(".bc") ? module.str() : module.str() + ".bc")).string();
  }

 private:
  // A line for each symbol: its name and that of the module.
  void read(const fs::path& folder) {
    auto opened = llvm::MemoryBuffer::getFile((folder / "symbols.txt").string());
    if (!opened) return;
    texts_.push_back(std::move(*opened));
    folders_.push_back(folder);
    for (llvm::StringRef rest = texts_.back()->getBuffer(); !rest.empty();) {
      const auto [line, others] = rest.split('\n');
      const auto [symbol, module] = line.split(' ');
      rest = others;
      if (!symbol.empty()) modules_.try_emplace(symbol, &folders_.back(), module);
    }
  }

  fs::path folder_;
  bool cxx_ = false;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> texts_;
  std::deque<fs::path> folders_;  // stay in place
  llvm::StringMap<std::pair<const fs::path*, llvm::StringRef>> modules_;
};

// Existing definitions take precedence over the library's: a program may have its own memcpy.
void yield_to(llvm::Module& library, const llvm::Module& program) {
  auto taken = [&](const llvm::GlobalValue& g) {
    const auto* other = program.getNamedValue(g.getName());
    return !g.isDeclaration() && !g.hasLocalLinkage() && !g.hasAppendingLinkage() && other != nullptr &&
           !other->isDeclaration();
  };
  for (auto& f : library)
    if (taken(f)) {
      f.deleteBody();
      f.setComdat(nullptr);
    }
  for (auto& g : library.globals())
    if (taken(g)) {
      g.setInitializer(nullptr);
      g.setLinkage(llvm::GlobalValue::ExternalLinkage);
      g.setComdat(nullptr);
    }
}

// Reported where the program calls it, not inside the library.
bool is_machines_own(const std::string& name) { return name == "__assert_fail"; }

}  // namespace

support::Result<Linked> link(llvm::LLVMContext& context, const std::vector<std::string>& files,
                             const Options& options) {
  Linked result;
  result.module = std::make_unique<llvm::Module>(files.empty() ? "program" : files[0], context);
  result.module->setTargetTriple(target_triple);
  std::string trouble;
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo* info, void* text) {
        if (info->getSeverity() != llvm::DS_Error) return;
        llvm::raw_string_ostream out(*static_cast<std::string*>(text));
        llvm::DiagnosticPrinterRawOStream printer(out);
        info->print(printer);
      },
      &trouble);
  llvm::Linker linker(*result.module);
  for (const auto& file : files) {
    auto module = read(context, file, options, Origin::User);
    if (!module) return module.error();
    if (llvm::Triple((*module)->getTargetTriple()).getArch() == llvm::Triple::aarch64) {
      result.foreign = (*module)->getTargetTriple();
      (*module)->setDataLayout(target_layout);
    }
    if (result.module->getDataLayoutStr().empty()) result.module->setDataLayout((*module)->getDataLayoutStr());
    (*module)->setTargetTriple(target_triple);
    (*module)->setDataLayout(result.module->getDataLayoutStr());
    if (linker.linkInModule(std::move(*module))) return mistake(file, "cannot be linked: " + trouble);
  }
  if (result.module->getDataLayoutStr().empty()) result.module->setDataLayout(target_layout);
  result.entry = make_entry(*result.module);
  if (result.entry == nullptr)
    return mistake(files.empty() ? "" : files[0], "the program has neither main nor llmc_proc_* functions");

  const auto defined = [&] {
    std::set<std::string> names;
    for (const auto& f : *result.module)
      if (!f.isDeclaration()) names.insert(f.getName().str());
    for (const auto& g : result.module->globals())
      if (!g.isDeclaration()) names.insert(g.getName().str());
    return names;
  };
  const std::set<std::string> own = defined();
  llvm::SMDiagnostic error;
  auto basis = llvm::parseAssemblyString(prelude, error, context);
  if (!basis) return from_parser(error, "prelude");
  basis->setTargetTriple(target_triple);
  basis->setDataLayout(result.module->getDataLayoutStr());
  yield_to(*basis, *result.module);
  if (linker.linkInModule(std::move(basis))) return mistake("prelude", "cannot be linked: " + trouble);

  Index index(options.runtime);
  Needed needed(*result.module);
  std::vector<std::string> modules;
  for (std::set<std::string> files_so_far;;) {
    const std::size_t before = modules.size();
    for (const auto& name : needed.missing()) {
      const std::string file = index.find(name);
      if (file.empty() || is_machines_own(name) || !files_so_far.insert(file).second) continue;
      auto module = read(context, file, options, Origin::Library);
      if (!module) return module.error();
      (*module)->setTargetTriple(target_triple);
      (*module)->setDataLayout(result.module->getDataLayoutStr());
      needed.add(std::move(*module));
      modules.push_back(file);
    }
    if (!needed.trouble().empty()) return mistake("the library", "cannot be read: " + needed.trouble());
    if (modules.size() == before) break;
  }
  auto parts = needed.take();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (linker.linkInModule(std::move(parts[i]))) return mistake(modules[i], "cannot be linked: " + trouble);
  lower_resume(*result.module);
  result.library = defined();
  for (const auto& name : own) result.library.erase(name);
  make_constructors(*result.module, result.library);
  return result;
}

}  // namespace heddle::lang::llvm_ir
