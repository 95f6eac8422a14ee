// What a read-modify-write writes. One definition for machines, graphs and programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/program.h"

namespace heddle::core {

constexpr std::uint64_t size_mask(std::uint32_t size) {
  return size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1;
}

// A pointer whose offset is undefined, if only in part, is no value: nobody could rename its object.
constexpr void settle_pointer(Value& v, std::uint32_t size) {
  if (size < 8 || v.undefined == 0) return;
  v.pointer = false;
  v.undefined |= 0xffffffff00000000;
  v.bits &= ~v.undefined;
}

// Compare-exchange compares bits: two pointers are equal iff object and offset are. Bits that were never set in one of
// the values do not count: C++20 says so of padding, and to other programs their use is an error.
constexpr bool cas_succeeds(const Value& old, const Value& expected, std::uint32_t size) {
  const std::uint64_t compared = size_mask(size) & ~(old.undefined | expected.undefined);
  return ((old.bits ^ expected.bits) & compared) == 0;
}

// May a request that waits go on if it reads this? Bits without a value end the wait, too: the thread is then told so.
constexpr bool wait_over(const Request& q, const Value& read) {
  const std::uint64_t awaited = q.awaited & size_mask(q.loc.size);
  return ((read.bits ^ q.expected.bits) & awaited) == 0 || (read.undefined & awaited) != 0;
}

// The operand of RmwOp::Arrive: thread number `index` < 64 comes to a barrier for `limit` threads. The cell has a bit for
// every thread that waits there. One that is not the last adds its own; the last one finds limit - 1 of them and leaves
// none.
constexpr std::uint64_t arrival(std::uint64_t index, std::uint64_t limit) { return (limit << 6) | index; }

// Is the value that `op` writes computed from the one that it reads?
constexpr bool uses_old_value(RmwOp op) { return op != RmwOp::Xchg && op != RmwOp::Cas; }

// The value that `op` leaves in a cell of `size` bytes that held `old`. Requires op != Cas.
Value rmw_result(RmwOp op, const Value& old, const Value& operand, std::uint32_t size);

}  // namespace heddle::core
