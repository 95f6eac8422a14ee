// A run of a program, twice: as Moves, which an engine makes and check/ replays, and as a Trace, which check/ makes
// from a replay and report/ shows. An engine never writes a Trace for people itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cost.h"
#include "core/execution_witness.h"
#include "core/source.h"

namespace heddle::core {

// One step of the product of program and memory model.
struct Move {
  enum class Kind : std::uint8_t {
    Step,  // thread `thread` takes its step number `choice`; a rendezvous has a partner, a property process an observer
    Flush  // entry number `choice` (0 = oldest) of thread's buffer is performed
  };
  static constexpr std::uint32_t none = 0xffffffff;
  Kind kind = Kind::Step;
  std::uint32_t thread = 0;
  std::uint32_t choice = 0;
  std::uint32_t partner = none;          // rendezvous: the receiving thread …
  std::uint32_t partner_choice = none;   // … and its step
  std::uint32_t observer_choice = none;  // step of the property process
  friend bool operator==(const Move&, const Move&) = default;
};

// What one step did, in the order in which it happened.
struct Effect {
  enum class Kind : std::uint8_t {
    ReadMemory,  // `location` was `value` in main memory (or, in a graph, read from the write at `from`)
    ReadBuffer,  // … in the thread's own buffer
    Deferred,    // the load was put off
    Performed,   // a deferred load was performed
    Buffered,    // the store was put into the buffer
    Flushed,     // the buffered store reached memory (it was made at `from`)
    Wrote,       // the store reached memory at once
    Dropped,     // a buffered store was replaced or thrown away
    Changed,     // a local variable or control state changed from `old` to `value`
    Output,      // the program printed `value`
    Note         // `value` says it in words
  };
  Kind kind = Kind::Note;
  std::string location;
  std::string value;
  std::string old;
  SourcePlace from;  // reads: where the value was stored; Flushed: where the store was made. No line: its initial
                     // value, or not known
  std::string by;    // reads: the thread that stored it
  // Accesses in a run of a machine: the bytes (of a modelling language, the cell), and the thread whose access it is, which
  // in a rendezvous may be the partner. No bytes: not an access of the program, but of its property process.
  Loc loc;
  Tid thread = 0;
  // Reads of an execution graph: the newest store before it that it does not see.
  struct Missed {
    std::string value, by;
    std::size_t step = 0;  // of the trace
  };
  std::optional<Missed> missed;
};

struct TraceStep {
  std::string thread;  // "P_0", "main", "worker (thread 2)"; for a rendezvous "S -> R"
  SourcePlace place;
  SourcePlace caller;  // of a step inside the runtime library: where the program called it; no line if unknown
  std::string action;  // "NCS -> wait", "store release", "flush", …
  std::vector<Effect> effects;
  Cost cost;
  Move move;
  std::vector<std::size_t> events;        // of the trace's execution, by number; none of a run of a machine
  std::vector<std::uint32_t> parameters;  // of an array-based system: the processes of transition `move.choice`
  bool quiet = false;  // before its thread's first step that another thread could notice: reports may fold it
};

// A call stack that a report shows beside the run: where memory was allocated, where it was freed.
struct NamedStack {
  std::string title;                // "allocated (4 bytes)", "freed by worker 1"
  std::vector<SourcePlace> frames;  // innermost first; frames of the library are marked
};

struct Trace {
  std::vector<TraceStep> steps;
  Cost cost;
  std::size_t loop_start = no_loop;  // the steps from here on repeat for ever (livelock, LTL)
  std::string closing;               // one sentence: what went wrong
  std::vector<NamedStack> stacks;    // what the failure is about
  std::string model;                 // the memory model it belongs to
  unsigned processes = 0;            // of an array-based system: those of the instance that it is a run of
  std::optional<ExecutionWitness>
      execution;  // of the graph engine: the steps are its events, in its order, and it is what is replayed
  static constexpr std::size_t no_loop = static_cast<std::size_t>(-1);
};

}  // namespace heddle::core
