// One self-contained page with the verdicts, all traces, and pictures of executions: no script, no link, nothing to
// load.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/json.h"

namespace heddle::report {

// `drawings` is SVG, or empty.
std::string html(const Run&, const std::string& drawings = {});

}  // namespace heddle::report
