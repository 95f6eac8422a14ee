// memcpy, memmove, memset and __heddle_output as IR: what the machine needs of a C library to stand by itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heddle::lang::llvm_ir {

extern const char* const prelude;

}  // namespace heddle::lang::llvm_ir
