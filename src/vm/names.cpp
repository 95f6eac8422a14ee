// SPDX-License-Identifier: Apache-2.0
#include "vm/names.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace heddle::vm {

std::string without_versions(std::string name) {
  constexpr std::string_view inner = "std::__1::";
  for (std::size_t at = 0; (at = name.find(inner, at)) != std::string::npos;) name.replace(at, inner.size(), "std::");
  for (std::size_t at = 0; (at = name.find("[abi:", at)) != std::string::npos;)
    name.erase(at, std::min(name.find(']', at), name.size() - 1) + 1 - at);
  return name;
}

std::string type_name_of(const std::string& mangled) {
  if (mangled.empty()) return "unknown";
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return without_versions(status == 0 ? text.get() : mangled);
}

}  // namespace heddle::vm
