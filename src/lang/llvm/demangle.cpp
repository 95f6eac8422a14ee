// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/demangle.h"

#include <llvm/Demangle/Demangle.h>

#include <cstdlib>
#include <memory>

#include "vm/names.h"

namespace heddle::lang::llvm_ir {

// Not by the C++ library, which does not know templates with constraints.
std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  const std::unique_ptr<char, void (*)(void*)> text(llvm::itaniumDemangle(symbol), std::free);
  return text == nullptr ? symbol : vm::without_versions(text.get());
}

}  // namespace heddle::lang::llvm_ir
