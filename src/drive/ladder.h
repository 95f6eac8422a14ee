// `check`: one verdict per model, in order, by the engines that can.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/budget.h"
#include "drive/languages.h"
#include "drive/task.h"
#include "support/diagnostics.h"

namespace heddle::drive {

// Refuses what it cannot do before it runs anything: by a Diagnostic if the user's input or options are at fault, by a
// verdict Unknown that names the obstacle if the program met it on the way. Replays a report or checks a certificate
// instead, if the task says so. Requires a language with a loader.
support::Result<std::vector<core::Verdict>> check(const Language&, const Task&, core::Budget&);

// For the models of the task that have no verdict, since a limit ended the run before.
void add_unknowns(std::vector<core::Verdict>&, const Task&, const core::Reason&);

}  // namespace heddle::drive
