// The report files that the options --json, --sarif, --html, --dot and --svg ask for, and where files may be written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/request.h"
#include "core/budget.h"
#include "report/drawing.h"
#include "report/json.h"

namespace heddle::cli {

// Whether some report goes to standard output ("-").
bool writes_standard_output(const CheckRequest&);

// Each file that is written needs a place of its own, that of no file that is read, and where it can be written: asked
// before a long run, not after it. Empty names are left out.
std::optional<support::Diagnostic> refuse_places(const std::vector<std::string>& inputs,
                                                 const std::vector<std::string>& outputs);

// The same for all files that a check reads and writes.
std::optional<support::Diagnostic> refuse_reports(const CheckRequest&);

// Writes all that were asked for; the mistake if a file cannot be written. The budget: see write_file().
std::optional<support::Diagnostic> write_reports(const CheckRequest&, const report::Run&,
                                                 const std::vector<report::Drawing>&, const core::Budget&);

}  // namespace heddle::cli
