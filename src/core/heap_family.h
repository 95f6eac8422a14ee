// How an object of the heap was allocated: malloc, or one of C++'s operators new. What was allocated by one is not to be freed
// by another's counterpart.
//
// The families are kinds of storage (AllocKind) above the enumerated ones; to memory models they are all Heap.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/program.h"

namespace heddle::core {

// The numbers are those of runtime/include/heddle_vm.h.
enum class HeapFamily : std::uint8_t {
  Malloc = 0,
  New = 1,
  NewArray = 2,
  AlignedNew = 3,
  AlignedNewArray = 4,
  Exception = 5
};

inline constexpr std::uint8_t first_family_kind = 8;  // the kind of storage of HeapFamily::New

constexpr bool is_heap(AllocKind kind) {
  return kind == AllocKind::Heap || static_cast<std::uint8_t>(kind) >= first_family_kind;
}

constexpr HeapFamily family_of(AllocKind kind) {
  const auto number = static_cast<std::uint8_t>(kind);
  return number < first_family_kind ? HeapFamily::Malloc : static_cast<HeapFamily>(number - first_family_kind + 1);
}

// An exception that is being thrown is held by the unwinder, whoever else has forgotten it: it cannot leak, and what it
// points to cannot either.
constexpr bool is_kept(AllocKind kind) { return family_of(kind) == HeapFamily::Exception; }
constexpr bool can_leak(AllocKind kind) { return is_heap(kind) && !is_kept(kind); }

// The answer to a request that asks for the size of an object (Request::asks_size).
constexpr Value object_facts(std::uint32_t size, AllocKind kind) {
  return Value(std::uint64_t{static_cast<std::uint8_t>(family_of(kind))} << 32 | size);
}

}  // namespace heddle::core
