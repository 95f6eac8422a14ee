// A function before its registers are allocated, and the assembler that makes bytecode of it.
//
// A draft has any number of virtual registers, each of which may be written in several places: allocas that are only
// read and written as a whole are virtual registers too, so no conversion to SSA is needed and nothing that the
// source leaves undefined gets lost. The assembler merges copies away, shares registers between values that are never
// live together, and has dead registers cleared before each place where a thread can rest: two local states with the
// same future must be the same bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vm/bytecode.h"

namespace heddle::vm {

using DraftOperand = std::uint32_t;  // a virtual register, or a constant with draft_constant set
inline constexpr DraftOperand draft_constant = 0x80000000;
inline constexpr DraftOperand no_operand = 0x7fffffff;

inline constexpr std::uint32_t no_block = 0xffffffff;

struct DraftInsn {
  Op op = Op::Nop;
  std::uint8_t width = 64;
  std::uint8_t sub = 0;
  DraftOperand dst = no_operand, a = no_operand, b = no_operand, c = no_operand;
  std::uint32_t imm = 0;             // J: the block to go to; calls: the function; Landing: the invoke's number
  std::uint32_t landing = no_block;  // calls: the block that an exception leads to, which begins with a Landing
  core::Site site = core::no_site;
  std::vector<DraftOperand> uses, defs;
};

struct Draft {
  std::string name;
  std::vector<std::vector<DraftInsn>> blocks;  // a block without a jump at its end goes on with the next one
  std::vector<Cell> constants;
  std::vector<SwitchTable> switches;  // targets are blocks
  std::vector<PrivateSlot> privates;  // only sizes matter; the assembler places them
  std::vector<DraftOperand> params;
  std::vector<DraftOperand> stack_regs;                                  // share their register with nothing
  std::vector<std::pair<DraftOperand, std::uint32_t>> loose_objects;     // as in Function
  std::vector<std::pair<std::uint32_t, std::uint32_t>> block_addresses;  // block -> index in Module::blocks
  std::uint32_t registers = 0;
  bool variadic = false;
  bool atomic = false;
  bool returns_twice = false;  // calls setjmp: every register keeps its value
};

// Puts a FenceSlot behind every access, and one before an access that is the first of its block or follows a call. Not in
// atomic sections.
void add_fence_slots(Draft&);

// Fills `out`, except for its name. Returns an empty string, or why the function cannot be expressed.
// `pending`: registers are not shared, so that a value under way never stands in the way of another.
std::string assemble(const Draft&, bool pending, std::uint32_t self, Module&, Function& out);

}  // namespace heddle::vm
