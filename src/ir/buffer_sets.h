// A proof by buffer languages: symbolic states (memory, and for each process an automaton of what its buffer may hold
// and where it then is) that contain the initial state, are closed under every step, and hold nothing bad. buffers/
// makes it, check/ believes it only after its own look.
//
// An automaton reads the stores of a buffer, oldest first, and then one local state; it accepts behind that.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"
#include "support/diagnostics.h"

namespace heddle::ir {

// The order in which a process's stores reach memory.
enum class StoreOrder : std::uint8_t {
  Program,  // that of the program (tso)
  Location  // that of the program for each location alone (pso)
};

struct BufferSets {
  struct Arc {
    bool local = false;        // reads a local state, else a store
    std::uint32_t cell = 0;    // of a store
    std::int32_t value = 0;    // of a store; of a local state: its number among its process's
    std::uint32_t target = 0;  // of a store: a state of the automaton; behind a local state it accepts
  };
  using Automaton = std::vector<std::vector<Arc>>;  // by state; 0 is initial
  struct State {
    std::vector<std::int32_t> memory;     // by shared cell
    std::vector<std::uint32_t> automata;  // by process: numbers into BufferSets::automata
  };

  StoreOrder order = StoreOrder::Program;
  // By process: its local states, each the words that belong to the process, control state first.
  std::vector<std::vector<std::vector<std::int32_t>>> locals;
  std::vector<Automaton> automata;
  std::vector<State> states;
};

// The text of a certificate, and back. The text names the program that it is about.
std::string certificate_text(const Program&, const BufferSets&);
bool is_certificate(std::string_view text);  // by its first line
support::Result<BufferSets> parse_certificate(const Program&, std::string_view text, const std::string& file);

}  // namespace heddle::ir
