// What a user can do where there is no answer, by the kind of the reason.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/reason.h"

namespace heddle::drive {

struct Circumstances {
  bool shares_time = false;     // several models share --timeout
  bool tried_states = false;    // the explicit engine was among those that tried
  bool machine_exists = false;  // it could have been
};

// Empty if there is nothing to say.
std::string advice(const core::Reason&, const Circumstances&);

}  // namespace heddle::drive
