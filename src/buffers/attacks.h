// Robustness against tso with unbounded buffers: is every run one of sequential consistency?
//
// After Bouajjani, Derevenetc and Meyer, "Checking and Enforcing Robustness against TSO" (ESOP 2013). If a program is
// not robust then there is a run in which one process alone, the attacker, delays stores: from its store st on it
// buffers everything, its last load ld reads memory, and from then on others (the helpers) make steps that happen after
// ld, up to an access to the cell of st, which is not in memory yet. With st before ld in program order that is a cycle
// of happens-before. The attacker reads the newest of its own delayed values of a cell, so that these values are all
// that there is to know of its buffer, whatever its length: the question is one of reachability under sc.
//
// Steps of other processes are taken without buffers. A locked instruction or atomic section is one step with all its
// accesses. Runs end where a step goes wrong (a failed assertion, a run-time error).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "core/reason.h"
#include "core/trace.h"
#include "ir/program.h"

namespace heddle::buffers {

struct AttackAnswer {
  std::optional<core::Reason> stopped;  // why it is not known
  std::vector<core::Move> run;          // a run under tso that is none of sc, all stores flushed; empty: robust
  std::uint64_t states = 0;
};

// Requires !refuse(program, question) for some question about tso, and one access in a step that is not locked.
AttackAnswer find_attack(const ir::Program&, core::Budget&);

}  // namespace heddle::buffers
