// How a thread's local state lies in its bytes: a header, the thread's own copies of thread-local variables, a stack
// of frames. It is worked on in place; there is nothing to pack or unpack.
//
// All is counted in words of eight bytes. A frame: two words of header, registers, their marks (four to a word), the
// private objects, and at the end, if there are any, the arguments behind the dots and the pointers to stack objects
// of variable size. A private object: a header word (its size), its words, their marks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/program.h"
#include "vm/cell.h"

namespace heddle::vm {

enum class Status : std::uint8_t { Running, Ending, Ended, Blocked, Idle, Failed };

enum class Fault : std::uint8_t {
  None,
  AtInstruction,  // the instruction at the place says what went wrong (an assertion, something unsupported)
  Null,
  Wild,
  OutOfBounds,
  Freed,
  ReadOnly,
  DoubleFree,
  InvalidFree,
  Misaligned,
  Overlap,
  Uninitialised,
  BadConversion,  // the program's way depends on an out-of-range conversion,
  NoResult,       // or on an operation that has no result for its operands
  DivideByZero,
  DivideOverflow,
  BadCall,
  BadSignature,
  EndlessSection,
  Endless,
  StackTooDeep,
  EscapedLocal,
  DeadLocal,
  DeadScope,
  PointerPart,
  Frozen,
  FarPointer,
  TooLarge,
  BadBlock,
  BadJump,
  UnbalancedAtomic,
  NestedAtomic,
  UnclosedAtomic
};

// How an object's address was used as a number: with its name, so that the number may be the pointer again, or only bits
// of it that the checker chose.
inline constexpr std::uint8_t names_used = 1, bits_used = 2;

struct Header {
  std::uint16_t tid;
  std::uint16_t point;  // the named point that the thread stands at, from 1 on; 0: none
  std::uint32_t top;    // word of the innermost frame
  Status status;
  Fault fault;
  std::uint8_t names_matter;  // an object's address was used as a number: names_used, bits_used
  std::uint8_t in_step;       // the atomic section has made a request already
  std::uint8_t atomic_depth;
  std::uint8_t section;  // an atomic section that the program itself began is open: such do not nest
  Mark thread_pointer_mark;
  std::uint64_t thread_pointer;
  std::uint64_t joined;  // a bit for each of the first 64 threads that this one has joined
};
static_assert(sizeof(Header) == 32);
inline constexpr std::uint32_t header_words = 4;

struct FrameHeader {
  std::uint32_t function;
  std::uint32_t pc;
  std::uint32_t previous;  // word of the frame below; 0: none
  std::uint16_t va_words;  // arguments behind the dots
  std::uint16_t dynamic;   // stack objects of variable size
};
static_assert(sizeof(FrameHeader) == 16);
inline constexpr std::uint32_t frame_header_words = 2;

inline constexpr std::uint32_t max_local_words = 0x100000;  // 8 MiB, as threads commonly have
// Slots are 16 bits wide: where loads can be pending, registers must lie within the first 64 Ki words.
inline constexpr std::uint32_t max_slot_words = 0xffff;

constexpr std::uint32_t mark_words(std::uint32_t cells) { return (cells + 3) / 4; }
constexpr std::uint32_t private_words(std::uint32_t size) {
  const std::uint32_t words = (size + 7) / 8;
  return 1 + words + mark_words(words);
}

inline Header& header(std::byte* local) { return *reinterpret_cast<Header*>(local); }
inline const Header& header(const std::byte* local) { return *reinterpret_cast<const Header*>(local); }
inline FrameHeader& frame_at(std::byte* local, std::uint32_t word) {
  return *reinterpret_cast<FrameHeader*>(local + std::size_t{word} * 8);
}
inline const FrameHeader& frame_at(const std::byte* local, std::uint32_t word) {
  return *reinterpret_cast<const FrameHeader*>(local + std::size_t{word} * 8);
}
inline std::uint64_t* words(std::byte* local) { return reinterpret_cast<std::uint64_t*>(local); }
inline const std::uint64_t* words(const std::byte* local) { return reinterpret_cast<const std::uint64_t*>(local); }
inline Mark* marks_at(std::uint64_t* word) { return reinterpret_cast<Mark*>(word); }
inline const Mark* marks_at(const std::uint64_t* word) { return reinterpret_cast<const Mark*>(word); }

}  // namespace heddle::vm
