// Places in the source text of a checked program, by number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace heddle::core {

// A place of the source that a request, a step or a failure comes from: an index that the program gives a meaning.
// Numbers are stable: the same program text gives the same numbers in every run.
using Site = std::uint32_t;
inline constexpr Site no_site = 0xffffffff;

struct SourcePlace {
  std::string file;      // empty if unknown
  unsigned line = 0;     // from 1; 0 if unknown
  unsigned column = 0;   // from 1; 0 if unknown
  std::string function;  // or process; may be empty
  std::string text;      // the statement as the user wrote it, one line; may be empty
  bool library = false;  // in the runtime library: not where people look for their mistakes
};

}  // namespace heddle::core
