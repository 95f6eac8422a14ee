// Re-executes a program along an execution graph and asks the model's axioms whether the graph is an execution of it.
// Shares nothing with graph/: values are recomputed, relations are built again from the witness, dependencies are
// tracked by running the threads anew.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/execution_witness.h"
#include "core/program.h"
#include "core/trace.h"

namespace heddle::check {

struct GraphClaim {
  std::string kind;               // of the violation
  core::Tid thread = 0xffffffff;  // the one that failed; others: the graph itself is what is claimed
};

struct GraphReplay {
  bool confirmed = false;
  std::string why;
  std::string violation;    // what is claimed, in words of the user's own program
  core::SourcePlace place;  // where, in the user's own files
  core::Trace trace;        // with the execution as it is told
};

// What is confirmed is told in an order in which it happens (check/linearise.h); of an execution without a claim only
// `confirmed` and `why` are filled in.
GraphReplay replay_graph(const core::Program&, const core::ExecutionWitness&, const GraphClaim&);

}  // namespace heddle::check
