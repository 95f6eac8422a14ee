// The control-flow graph of a proctype, with the states that SPIN gives it (without its merging of statements): one
// state before each statement, one for all options of a choice, none for `goto` and `break` unless an option begins
// with them or they have a label that a condition P@label names or that begins with `end`, `accept` or `progress`. Code
// that is not reachable is left out.
//
// Inside `atomic` and `d_step` a statement that can neither block nor branch is joined to the one before it: nobody
// could see the state between them. A d_step is a single edge also where statements in it may block (one_step.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lang/promela/syntax.h"

namespace heddle::promela {

struct FlowEdge {
  std::uint32_t from = 0, to = 0;
  std::vector<const Statement*> statements;  // the first may block, in a d_step others too; a jump has none
  std::vector<const Statement*> unless;      // not executable if one of these is: `else`, and d_step's order
  std::vector<const Statement*> blocked;     // not none: an error of a d_step, where none of these can be executed
  Token first, last;                         // the text
  bool locked = false;                       // inside atomic or d_step
  bool holds = false;                        // … and stays there
  bool end = false;                          // the process ends

  bool fails() const { return !blocked.empty(); }
};

struct FlowState {
  std::vector<std::string> labels;
  Token token;
};

struct Flow {
  std::vector<FlowState> states;  // 0 is where the process begins
  std::vector<FlowEdge> edges;
  std::uint32_t final = 0;  // behind the last statement
  std::map<std::string, std::uint32_t> labels;
  std::set<std::string> passed;         // labels of jumps without a state: where they lead is in `labels`
  std::vector<bool> on_cycles() const;  // by edge
};

// Throws Mistake. The flow points into the proctype's statements.
Flow flow_of(const Model&, const Proctype&);

}  // namespace heddle::promela
