// Violations as SARIF 2.1.0, the format in which code hosts and editors take the findings of analysers: one result per
// violated model, with the trace as its code flow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/json.h"

namespace heddle::report {

std::string sarif(const Run&);

}  // namespace heddle::report
