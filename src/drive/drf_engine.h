// The theorem on data-race freedom as a row of the table of engines: explicit states of sc answer for weaker models.
//
// If under sc every two conflicting accesses of different threads are ordered by happens-before, or both seq_cst, then
// the program has no executions beyond those of sc (for C11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, theorem 4;
// for machines: Adve and Hill, ISCA 1990; a model has the trait models::Model::drf_sc). So one search under sc that
// finds neither a violation nor such a race proves the program safe, with buffers of any length, however many
// executions it has: programs that lock what they share. Happens-before is that of the weaker models: a mutex gives its
// orders, no more, so that a program that looks at locks is not taken for race-free. Accesses in atomic sections are
// seq_cst, and a section is one event under every model (docs/models.md). Whatever the search finds says nothing here:
// violations are for engines that can show them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drive/engine.h"

namespace heddle::drive {

std::optional<core::Reason> drf_refuses(const Subject&, const models::Model&, const Task&);
// Has the program no weak atomics of its own, which hardly ever fail to race? Requires a prepared subject.
bool drf_applies(const Subject&, const models::Model&);
core::Finding run_drf(const Subject&, const models::Model&, const Task&, core::Budget&);

}  // namespace heddle::drive
