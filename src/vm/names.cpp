// SPDX-License-Identifier: Apache-2.0
#include "vm/names.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace heddle::vm {
namespace {

// libc++ marks its functions by a tag for its version: push_back[abi:se190107].
std::string without_tags(std::string name) {
  for (std::size_t at = 0; (at = name.find("[abi:", at)) != std::string::npos;)
    name.erase(at, std::min(name.find(']', at), name.size() - 1) + 1 - at);
  return name;
}

std::string demangled(const std::string& name) {
  // That of the C++ library does not know the names of templates with constraints.
  const std::unique_ptr<char, void (*)(void*)> text(llvm::itaniumDemangle(name), std::free);
  return without_tags(without_inline_namespace(text == nullptr ? name : text.get()));
}

}  // namespace

std::string without_inline_namespace(std::string name) {
  constexpr std::string_view inner = "std::__1::";
  for (std::size_t at = 0; (at = name.find(inner, at)) != std::string::npos;) name.replace(at, inner.size(), "std::");
  return name;
}

std::string type_name_of(const std::string& mangled) { return mangled.empty() ? "unknown" : demangled(mangled); }

std::string function_name_of(const std::string& symbol) {
  return symbol.starts_with("_Z") ? demangled(symbol) : symbol;
}

}  // namespace heddle::vm
