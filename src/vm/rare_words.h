// Words that a cell has no room for, by number: what is seldom met must not make every local state larger.
//
// A value that is undefined in some bits of a byte needs two words (value and mask), a pointer whose offset does not
// fit 32 bits needs one; the cell holds their numbers (vm/cell.h). Equal words have equal numbers within a process, so
// equal cells are still equal bytes. May be called from several threads at once; nothing is ever removed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace heddle::vm {

std::uint32_t rare_number(std::uint64_t word);
std::uint64_t rare_word(std::uint32_t number);  // requires a number that rare_number returned

}  // namespace heddle::vm
