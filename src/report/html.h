// One self-contained page with the verdicts and all traces: no script, no link, nothing to load.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/json.h"

namespace heddle::report {

std::string html(const Run&);

}  // namespace heddle::report
