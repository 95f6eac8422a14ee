// Re-executes a program along an execution graph and asks the model's axioms whether the graph is an execution of it.
// Shares nothing with graph/: values are recomputed, relations are built again from the witness, dependencies are
// tracked by running the threads anew.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "check/replayed.h"
#include "core/execution_witness.h"
#include "core/program.h"

namespace heddle::check {

// What is confirmed is told in an order in which it happens (check/linearise.h), with the execution as it is told. Without
// a claim only the execution is judged, and only `confirmed` and `why` are filled in.
Replayed replay_graph(const core::Program&, const core::ExecutionWitness&, const std::optional<core::Claim>&);

// The same without the story: only `confirmed` and `why` are filled in.
Replayed confirm_graph(const core::Program&, const core::ExecutionWitness&, const core::Claim&);

// The execution as this program has it, if it is one of the program but for memory orders and fences: with the orders
// that the program asks for, and with the fences that it has beyond those of the witness. Whether a model allows it,
// confirm_graph() says.
std::optional<core::ExecutionWitness> restated(const core::Program&, const core::ExecutionWitness&);

}  // namespace heddle::check
