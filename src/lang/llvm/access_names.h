// What an access is called in the source, as far as debug information tells: "n->next", "q.slots[i].value".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <string>

namespace heddle::lang::llvm_ir {

// The name of what lies at an address; empty if unknown.
std::string access_name(const llvm::Value& address, const llvm::DataLayout&);

}  // namespace heddle::lang::llvm_ir
