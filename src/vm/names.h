// Names of C++ as people write them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace heddle::vm {

// The name of a type from that of its std::type_info ("St13runtime_error"). What is no such name stays as it is.
std::string type_name_of(const std::string& mangled);
// Leaves out the inline namespace of libc++ (std::__1) and the tag of its functions (push_back[abi:se190107]).
std::string without_versions(std::string name);

}  // namespace heddle::vm
