// Infinite runs (explore/ltl.h) as a row of the table of engines: temporal formulas and automata about modelling
// languages and C programs, and property processes. Everything else that is asked for, run-time errors among it, is
// looked for first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "check/replayed.h"
#include "drive/engine.h"

namespace heddle::drive {

std::optional<core::Reason> ltl_refuses(const Subject&, const models::Model&, const Task&);
core::Finding run_ltl(const Subject&, const models::Model&, const Task&, core::Budget&);

// The same question where any violating run will do (repair/): lassos first, since one is mostly found long before all
// states are known.
core::Finding find_any_violation(const Subject&, const models::Model&, const Task&, core::Budget&);

// Requires a claim core::Ltl.
check::Replayed replay_ltl(const Subject&, const models::Model&, const core::Claim&, const core::MoveRun&,
                           unsigned buffer_bound);

// The word of a violation that is none of the program: a condition over its states has no value in one of them.
inline constexpr std::string_view no_value_word = "no-value";

// Requires threads and a claim core::PropositionError.
check::Replayed replay_no_value(const Subject&, const models::Model&, const core::Claim&, const core::MoveRun&,
                                unsigned buffer_bound);

}  // namespace heddle::drive
