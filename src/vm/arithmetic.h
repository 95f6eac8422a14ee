// Operations on cells that are out of the fast path: operands with marks (pointers, undefined bits), 128-bit and
// floating-point arithmetic, bit counting. All are pure; what they find wrong they return.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vm/bytecode.h"
#include "vm/layout.h"

namespace heddle::vm {

struct Outcome {
  Cell cell;
  Fault fault = Fault::None;
  bool leaked = false;  // the result depends on the name of an object
  // Not 0: the result depends on the address chosen for the object of the operand that is a pointer, though not on its
  // name, unless that object's alignment is greater than this.
  std::uint32_t low_bits = 0;
};

inline Outcome plain(std::uint64_t bits, unsigned width) { return {{bits & mask_of(width), 0}, Fault::None, false}; }
inline Outcome undefined(unsigned width, Mark cause) {
  return {{0, static_cast<Mark>(undefined_of(width) | cause)}, Fault::None, false};
}

// Add … AShr and the comparisons, for any marks except pending.
Outcome binary(Op, unsigned width, Cell a, Cell b);
// Does a compare-exchange that finds `old` succeed? If `padding` is set, bits of memory that was never set are padding,
// unless there are no others; it says then whether it was that they are left out that made the values equal.
Outcome cas_equal(unsigned width, Cell old, Cell expected, bool& padding);

// Only the lower `needed` bits of the result are looked at.
Outcome trunc(unsigned to, Cell a, unsigned needed = 64);
Outcome sign_extend(unsigned from, unsigned to, Cell a);
Outcome zero_extend(unsigned from, unsigned to, Cell a);
Cell select(unsigned width, Cell condition, Cell a, Cell b);
Outcome pointer_add(Cell pointer, Cell offset);
// An index times the size of an element. Out of range it does not wrap: nothing may come back into an object that way.
std::uint64_t scaled(std::uint64_t index, std::uint64_t by);

// What the operation leaves in memory that held `old`; not Cas, not Arrive.
Outcome rmw_math(core::RmwOp, unsigned width, Cell old, Cell value);

Outcome int_math(IntMath, unsigned width, Cell a, Cell b, Cell c);
Outcome float_binary(Op, unsigned width, Cell a, Cell b);
Outcome float_compare(unsigned predicate, unsigned width, Cell a, Cell b);
Outcome float_cast(Op, unsigned from, unsigned to, Cell a);
Outcome float_math(FloatMath, unsigned width, Cell a, Cell b, Cell c);

// `in` holds pairs (low, high); gives the number of results (1 or 2) in `out`.
Fault wide_math(Wide, unsigned width, std::span<const Cell> in, std::span<Cell> out);
bool moves_words(Wide, unsigned width, std::span<const Cell> in);

}  // namespace heddle::vm
