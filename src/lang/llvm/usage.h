// How a linked program uses its library: what the library need not keep track of, and what a verdict takes for granted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::lang::llvm_ir {

// Constants of the runtime library (runtime/src/config.c) that follow from the calls in the program. `library` names
// the functions and variables that are not the program's own.
std::vector<std::pair<std::string, std::int64_t>> settings_by_usage(const llvm::Module&,
                                                                    const std::set<std::string>& library);

}  // namespace heddle::lang::llvm_ir
