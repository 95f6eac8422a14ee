// Precompiled headers of the C++ library: most of the time that a small C++ program takes is clang reading headers.
//
// A program that begins by including one of the heavy headers (<thread>, <iostream>, …) is compiled with that header
// read beforehand. The meaning is the same. The headers of the library may be included in any order, once or more often
// ([using.headers]), so the heavy one may go first, if nothing in front of it could change what it says. Allowed in
// front of it are comments, other headers of the library, and macros (also those of -D) whose names occur in the code
// of none of the files that the header consists of. Otherwise, and where options are passed to clang that we do not
// know, there is no precompiled header.
//
// They are made at the first use, into RUNTIME/cxx/precompiled, one for each header and set of options, and the ones
// that were not used for the longest time are removed when there are too many. clang itself rejects those that do not
// fit its version or the files that they were made from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/llvm/load.h"

namespace heddle::lang::llvm_ir {

// How a source file begins: includes with angle brackets, and macros that are defined between them. Ends where anything
// else stands that is no comment.
struct Preamble {
  std::vector<std::string> headers;
  std::vector<std::string> macros;
};
Preamble preamble_of(std::string_view source);

// The text of a header without comments and literals: a macro does not change their words (the N of "array of N
// elements"). All of the text where this lexer is too simple: raw literals, those and comments that a backslash carries
// on to the next line.
std::string code_of(std::string_view text);

// What to give to -include-pch for this source; empty: nothing. `flags` is clang and all options that matter for
// headers, but for -D and -I.
std::string precompiled_header(const std::vector<std::string>& flags, std::string_view source, const Options&);

// Removes one that clang did not take.
void remove_precompiled(const std::string& file);

}  // namespace heddle::lang::llvm_ir
