// `--replay`: the traces of a saved report, as every language takes them up again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/verdict.h"
#include "support/diagnostics.h"

namespace heddle::cli {

// The verdicts of the report that have a trace; a report without any is a mistake.
support::Result<std::vector<core::Verdict>> saved_traces(const std::string& file);

// The trace does not lead where the report says, on the sources as they are now.
support::Diagnostic diverges(const std::string& file, const core::Verdict& saved, const std::string& why);

}  // namespace heddle::cli
