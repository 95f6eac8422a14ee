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
using Settings = std::vector<std::pair<std::string, std::int64_t>>;
Settings settings_by_usage(const llvm::Module&, const std::set<std::string>& library);

// Clauses that can follow "assumes that", for what the program's own code refers to and what the settings rule out.
std::vector<std::string> assumptions_of(const llvm::Module&, const std::set<std::string>& library, const Settings&);

// "nondet 0:3" if the range that the settings give leaves out values of a type that the program chooses from.
std::vector<std::string> bounds_of(const llvm::Module&, const std::set<std::string>& library, const Settings&);

}  // namespace heddle::lang::llvm_ir
