// `--replay`: the traces of a saved report, as every language takes them up again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/checker.h"
#include "core/verdict.h"
#include "support/diagnostics.h"

namespace heddle::cli {

// The verdicts of the report (--replay) that have a trace, of the models that were named (--model) if some were; to
// have none is a mistake.
support::Result<std::vector<core::Verdict>> saved_traces(const CheckRequest&);

// The trace does not lead where the report says, on the sources as they are now.
support::Diagnostic diverges(const std::string& file, const core::Verdict& saved, const std::string& why);

}  // namespace heddle::cli
