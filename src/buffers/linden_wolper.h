// Algorithms 1 to 3 of Linden and Wolper, "An Automata-Based Symbolic Approach for Verifying Programs on Relaxed Memory
// Models" (SPIN 2010): depth-first search over control locations, memory and one automaton of stores for each process,
// with sleep sets, inclusion and acceleration of cycles of one process.
//
// What differs from the text of the paper, and why:
//  - Loads: what may follow the store (m, d) that is read is any symbol that is no store to m.
//  - A commit is independent of another process's step only if that step does not load the cell, or every content of
//    that process's own buffer has a store to it; two commits to one cell are never independent.
//  - A transition that has been searched goes to sleep for its later siblings.
//  - A cycle is repeated from its own place only: L · {w₁, …, wₙ}* for the words of the cycles found at that very state of
//    the stack, without loops of the automaton from elsewhere; and only if its process commits nothing on the way.
//  - A fence waits for the own buffer (docs/models.md, tso); the paper's sync is `sync_all`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "buffers/saturate.h"

namespace heddle::buffers {

struct LindenWolperOptions {
  bool sleep_sets = true;
  bool keep = false;  // the stored states, and the language of each buffer, in the answer
};

struct LindenWolperAnswer {
  bool complete = false;
  std::optional<core::Reason> stopped;  // if not complete: why
  std::uint64_t stored = 0;             // states entered into the table
  std::uint64_t visited = 0;            // states looked at
  std::uint64_t depth = 0;              // of the deepest
  std::uint64_t errors = 0;             // stored states that are bad
  std::uint64_t cycles = 0;             // accelerated
  std::uint64_t transitions = 0;
  struct State {
    Memory memory;
    std::vector<std::uint32_t> control;  // by process
    std::vector<std::string> contents;   // by process: a regular expression
    std::vector<Dfa> languages;          // … and its automaton
  };
  std::vector<State> states;  // if they are kept
  std::vector<Store> stores;  // … what their symbols stand for, by half the symbol
};

// Why this search does not take the program, beside what refuse() says: one sentence.
std::optional<std::string> refuse_linden_wolper(const ir::Program&, const Question&);

// Requires that neither refuses.
LindenWolperAnswer linden_wolper(const ir::Program&, const Question&, const LindenWolperOptions&, core::Budget&);

}  // namespace heddle::buffers
