// Is a run of a machine with store buffers also one of sequential consistency? It is if and only if program order,
// reads-from, coherence and from-reads together have no cycle (Shasha and Snir, TOPLAS 1988).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/trace.h"
#include "ir/program.h"

namespace heddle::check {

// A cycle of the run that the trace tells, in words: the statements on it. Nothing: the run is one of sc, or a store of
// it has not reached memory. A step is one event with all its accesses, an atomic section too. Requires a trace of
// check::Replay.
std::optional<std::string> cycle_of(const ir::Program&, const core::Trace&);

}  // namespace heddle::check
