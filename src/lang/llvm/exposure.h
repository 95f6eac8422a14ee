// Numbers that are addresses. A thread that makes a number of a pointer (packs it with a counter, copies it byte by byte)
// knows that it did; this says whether it may meet such numbers that it has not made.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Module.h>

#include <set>
#include <string>

namespace heddle::lang::llvm_ir {

// Whether the program's own code (all but `library`) has several threads and code that may make numbers of pointers in
// memory: conversions whose result is calculated with, pointers at addresses that are no multiple of eight, copies of
// single bytes. Followed through values, not through memory.
bool shares_numbers_of_pointers(const llvm::Module&, const std::set<std::string>& library);

// Whether the program's own code calculates with the address of a function or orders it, where it names the function (once
// stored, that is a number like any other), or reads less than the eight bytes of a variable that is a pointer. What the
// machine sees itself is not meant: numbers that it makes of pointers to objects.
bool uses_parts_of_addresses(const llvm::Module&, const std::set<std::string>& library);

// Whether the program's own code compares a number that may have been made of a pointer with another number that is no
// constant, for equality. Followed through values, calls, variables and, as a whole, all other memory; not through
// differences, masks of small numbers and remainders, which are no addresses.
bool compares_addresses(const llvm::Module&, const std::set<std::string>& library);

}  // namespace heddle::lang::llvm_ir
