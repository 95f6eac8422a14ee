// Names of C++ as people write them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace heddle::vm {

// The name of a type from that of its std::type_info ("St13runtime_error"), of a function from its symbol. What is no such
// name stays as it is. The inline namespace of libc++ (std::__1) is left out.
std::string type_name_of(const std::string& mangled);
std::string function_name_of(const std::string& symbol);
// The same for a name that is readable already.
std::string without_inline_namespace(std::string name);

}  // namespace heddle::vm
