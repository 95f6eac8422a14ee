// Files of source places, from debug information.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>

#include <string>

#include "lang/llvm/load.h"

namespace heddle::lang::llvm_ir {

// With its folder: clang splits the name of a file below the current folder.
inline std::string file_of(const llvm::DIScope& scope) {
  std::string file = scope.getFilename().str();
  if (!file.empty() && file[0] != '/' && !scope.getDirectory().empty()) file = scope.getDirectory().str() + "/" + file;
  return file;
}

// The name of a header of the C++ library ("__atomic/atomic.h"); empty if the place is in none.
inline std::string cxx_header_of(const llvm::DIScope* scope, const Options& options) {
  if (scope == nullptr || options.runtime.empty()) return {};
  const std::string file = file_of(*scope), headers = cxx_headers(options);
  return file.starts_with(headers) ? file.substr(headers.size()) : std::string();
}

}  // namespace heddle::lang::llvm_ir
