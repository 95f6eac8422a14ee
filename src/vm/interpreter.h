// Runs a thread over everything that no other thread can see, up to its next request.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "core/program.h"
#include "vm/arithmetic.h"
#include "vm/bytecode.h"
#include "vm/layout.h"
#include "vm/shadow.h"

namespace heddle::vm {

// The innermost frame of a local state, taken apart. Invalid once the state grows or shrinks.
template <class Word, class Byte>
struct FrameView {
  std::uint32_t at = 0;
  Word* regs = nullptr;
  std::conditional_t<std::is_const_v<Word>, const Mark, Mark>* marks = nullptr;
  const Function* function = nullptr;

  FrameView(const Module& module, Byte* local, std::uint32_t word) : at(word) {
    function = &module.functions[frame_at(local, word).function];
    regs = words(local) + word + frame_header_words;
    marks = marks_at(regs + function->registers);
  }
  Cell get(Operand o) const {
    if (o & constant_operand) return function->constants[o & 0x7fff];
    return {regs[o], marks[o]};
  }
};
using Frame = FrameView<std::uint64_t, std::byte>;
using ConstFrame = FrameView<const std::uint64_t, const std::byte>;

// Pushes a frame for `function` with no arguments set; gives its word.
std::uint32_t push_frame(const Module&, core::Local&, std::uint32_t function, std::uint32_t va_words);

void fail(core::Local&, Fault);

// The address that an instruction accesses must be a pointer: what is wrong with it otherwise.
Fault address_fault(const Module&, const Header&, const Cell&);
// And it must not be a constant's. Thread-local ones are known to their own thread only.
Fault write_fault(const Module&, const std::byte* local, const Cell&);
// Is the address of an atomic access not a multiple of its size, by its offset or by the alignment of its object?
bool misaligned(const Module&, const std::byte* local, const Insn&, const Cell& address);
// What the result of an operation on a and b adds to Header::names_matter.
std::uint8_t addresses_used(const Module&, const std::byte* local, const Outcome&, const Cell& a, const Cell& b);
// What to say of a thread whose way depends on this undefined cell.
Fault undefined_fault(const Cell&);
// What is wrong with giving this value away: to memory, to another thread.
Fault stored_fault(const Cell&);
// Does this store put a pointer where memory can hold only a number? Pointers lie at multiples of eight.
bool stored_as_number(const Cell& address, const Cell& value);

// `shadow` may be null.
void run(const Module&, core::Local&, LoadShadow* shadow, std::uint64_t max_jumps);

// The first stack object above the frame that a longjmp or an exception goes to, to be freed; null if there is none.
struct StackObject {
  std::uint32_t frame = 0;
  int reg = -1;  // -1: the newest of variable size
  std::uint64_t pointer = 0;
};
StackObject doomed_by_jump(const Module&, const std::byte* local, std::uint32_t target);

// Frames by their number from the bottom of the stack, the first being 1: how many there are, and the word of one (0 if
// there is none).
std::uint32_t frame_count(const std::byte* local);
std::uint32_t frame_number(const std::byte* local, std::uint64_t number);

// The Landing instruction of the invoke that the frame is carrying out; null if it is none.
const Insn* active_landing(const Module&, const std::byte* local, std::uint32_t frame);

// What FrameFact asks about the frame with this number; zero if there is none.
Cell frame_fact(const Module&, const std::byte* local, std::uint64_t number, FrameFact);

// Is a register under way in one of the frames above `target` (0: in any frame)? They must not go before it has come.
bool pending_above(const Module&, const std::byte* local, std::uint32_t target);

// The word that holds the newest stack object of variable size of a frame that has one.
std::uint32_t dynamic_word(const Module&, const std::byte* local, std::uint32_t frame);

}  // namespace heddle::vm
