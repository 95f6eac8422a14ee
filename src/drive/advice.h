// What a user can do next: where there is no answer, by the kind of the reason, and where memory breaks a program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/reason.h"
#include "core/verdict.h"
#include "drive/languages.h"
#include "drive/subject.h"
#include "drive/task.h"

namespace heddle::drive {

struct Circumstances {
  bool shares_time = false;     // several models share --timeout
  bool tried_states = false;    // the explicit engine was among those that tried
  bool machine_exists = false;  // it could have been
};

// Empty if there is nothing to say.
std::string advice(const core::Reason&, const Circumstances&);

// For a program that is safe under sc and not under weaker models: the `repair` of the same question. Empty if it is not
// so, or if `repair` would refuse.
std::string repair_advice(const Language&, const Subject&, const Task&, const std::vector<core::Verdict>&);

}  // namespace heddle::drive
