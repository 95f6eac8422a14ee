// Places of a program whose memory orders can be changed: atomic accesses, fences, and the slots where a fence may be put
// (Options::fence_slots of the front end). A change acts on the bytecode in place: one translation serves all candidates
// of a synthesis, and local states mean the same under each.
//
// A place is a position of the source: all instructions of one kind that come from it (copies by inlining, instances of
// a template, the parts of a macro) are changed together, as an edit of the source would change them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "core/program.h"
#include "vm/vm_program.h"

namespace heddle::vm {

struct OrderPlace {
  enum class Kind : std::uint8_t {
    Load,
    Store,
    Rmw,      // also the success order of a compare-exchange
    Failure,  // the failure order of a compare-exchange
    Fence,
    Slot  // where there is no fence yet
  };
  Kind kind = Kind::Load;
  bool before = false;    // Slot: stands before the access at `source`, else behind it
  core::Kind access{};    // Slot: of the access that it stands by
  bool atomic = true;     // Slot: that access is
  bool compares = false;  // Rmw: of a compare-exchange
  core::SourcePlace source;
  core::SourcePlace next;  // Slot behind an access: the next access of its block; no line if there is none
  // Slot: accesses and calls that come directly before it (`before`) or behind it on some path, loops not gone round.
  std::vector<core::SourcePlace> around;
  core::Order own = core::Order::Plain;  // as the program has it, the weakest if there are several; Plain: no fence, or
                                         // a plain access
  core::Order most = core::Order::Plain;  // … the strongest
  struct At {
    std::uint32_t function = 0, pc = 0;
    Insn insn;  // as the program has it
  };
  std::vector<At> at;

  // What makes two places of different translations the same.
  auto key() const { return std::tuple(source.file, source.line, source.column, kind, before); }
};

// Of the program's own functions, in the order of the source. `plain`: plain loads and stores too.
std::vector<OrderPlace> order_places(const VmProgram&, bool plain);

// Does the program have orders without a position in the source (IR that was compiled without -g)?
bool has_orders_without_place(const VmProgram&);

// Gives all instructions of the place this order; Plain takes a fence away. `at_least`: not below the one that an
// instruction has in the program itself.
void set_order(VmProgram&, const OrderPlace&, core::Order, bool at_least);

}  // namespace heddle::vm
