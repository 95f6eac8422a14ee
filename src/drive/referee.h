// From a finding to a verdict: the one way to the referee, for all languages and engines. What an engine has found is
// believed only as far as check/ replays it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "check/replayed.h"
#include "core/finding.h"
#include "drive/subject.h"
#include "drive/task.h"
#include "models/models.h"

namespace heddle::drive {

// Requires Threads::prepare() for the model.
check::Replayed replay(const Subject&, const models::Model&, const core::Found&, unsigned buffer_bound);

core::Verdict judge(const Subject&, const models::Model&, std::string_view engine, const Task&, core::Finding);

// What the program's text adds to a verdict: what is taken for granted of the world outside, and the bounds of what it is
// given (--nondet). Added after the engines have answered, since none of them lifts these bounds.
void add_conditions(const core::Program&, core::Verdict&);

// Into a verdict: that this violation has been replayed.
void accept(core::Verdict&, check::Replayed);

}  // namespace heddle::drive
