// Reachability under tso and pso with unbounded store buffers, by saturation of buffer languages (after Linden and
// Wolper, SPIN 2010, whose automata these are).
//
// A symbolic state is a memory and, for each process, a language of buffer contents that end in a local state; it stands
// for their product. Every language is closed under what its process does while memory stands still (buffers/process.h).
// Steps are commits and locked instructions. Visited states are an antichain under inclusion. A new state that contains
// an ancestor with the same memory lies on a cycle of memories that can be gone round for ever: each process that
// committed nothing on it is closed under going round (acceleration). Everything found is reachable; nothing is left
// out. The search need not end: the budget ends it.
//
// Under pso a commit takes the oldest store to its cell, wherever it stands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "buffers/process.h"
#include "core/budget.h"
#include "core/reason.h"
#include "core/trace.h"
#include "ir/buffer_sets.h"
#include "ir/program.h"

namespace heddle::buffers {

struct Question {
  struct Goal {
    std::uint32_t proposition = 0;
    bool forbidden_when = true;
  };
  ir::StoreOrder order = ir::StoreOrder::Program;
  std::vector<Goal> goals;
  bool errors = true;  // assertions and run-time errors
  bool deadlocks = false;
  // Not 0: contents are over-approximated by what windows of so many stores show (buffers/approximate.h). The search
  // ends, what it proves holds, and what it reaches may be unreachable: it answers Holds or Unknown.
  unsigned window = 0;
};

struct Answer {
  enum class Kind : std::uint8_t { Holds, Violated, Unknown } kind = Kind::Unknown;
  std::optional<core::Reason> stopped;  // Unknown: why
  // Violated: what can be reached. A shortest run is found by an explicit search, with buffers as long as it takes.
  std::optional<Failure> failure;
  std::optional<std::uint32_t> goal;  // of Question::goals
  bool deadlock = false;
  // A run to it, not a shortest one, along the path of symbolic states; empty if none was found in that way.
  std::vector<core::Move> run;
  // What each process that it is about may have buffered when it is reached, as a regular expression.
  struct Contents {
    std::uint32_t process = 0, control = 0;
    std::string expression;
  };
  std::vector<Contents> contents;
  // Holds: the states that prove it.
  ir::BufferSets proof;
  unsigned window = 0;  // … with this window; 0: exact
  std::uint64_t stored = 0, expanded = 0, kept = 0, accelerated = 0, automata = 0, largest = 0;
};

// Why this program is outside of what the engine can do, if so: one sentence, with the place.
std::optional<std::string> refuse(const ir::Program&, const Question&);

// Requires !refuse(program, question).
Answer saturate(const ir::Program&, const Question&, core::Budget&);

// Exact search first; where it stays open for long, over-approximations with larger and larger windows; then exact search
// with what is left of the budget. Requires the same, and question.window == 0.
Answer decide(const ir::Program&, const Question&, core::Budget&);

}  // namespace heddle::buffers
