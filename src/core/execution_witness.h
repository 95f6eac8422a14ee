// One execution of a program as a graph, in a form that any folder understands: which event reads from which, in which
// order the writes of a location come. Engines make it; check/ re-executes the program along it; report/ draws it.
//
// Events stand in an order in which the program can be re-run where there is one (each read after the write it reads
// from, a thread's events in program order, a spawn before the thread's first event); under models that allow cycles
// in po ∪ rf a read may come before its write.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"

namespace heddle::core {

struct WitnessEvent {
  enum class Kind : std::uint8_t { Read, Write, Fence, Choose, Alloc, Free, Spawn, Join, Refused };
  static constexpr std::int32_t initial = -1;  // the location's initial write
  static constexpr std::int32_t nothing = -2;
  Kind kind = Kind::Fence;
  Tid thread = 0;
  std::uint32_t index = 0;  // in program order, from 0
  Loc loc;                  // Read, Write
  Value value;              // read, written, chosen; pointer allocated or freed; thread spawned or joined
  Order order = Order::Plain;
  Tag tag = 0;
  bool rmw = false;       // half of a read-modify-write; a failed compare-exchange is such a read alone
  bool spurious = false;  // a weak compare-exchange that failed for no reason
  bool waits = false;     // a read after which its thread waits for another value
  // An access of bytes that others cut: as many events, one after the other, each with the bytes of one piece.
  std::uint8_t piece = 0, pieces = 1;
  std::int32_t rf = nothing;       // Read: number of the write in `events`, or initial
  std::int32_t co_prev = nothing;  // Write: the write before it in coherence order
  Fault fault = Fault::None;       // Refused
  Site site = no_site;
  LoadSet addr, data, ctrl;  // on earlier reads of the thread, by number; only where the model looks at them
};

struct ExecutionWitness {
  std::string model;
  std::vector<WitnessEvent> events;
  // What a thread was created with, by number: entry and argument. Threads count up from 0.
  struct Thread {
    std::uint32_t entry = 0;
    Value arg;
    std::int32_t spawn = -1;
  };
  std::vector<Thread> threads;
  Tid failed = 0xffffffff;  // the thread that went wrong, if one did
};

}  // namespace heddle::core
