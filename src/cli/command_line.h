// Declares the rows of the option table on a CLI11 sub-command, so that `check` and the commands built on it (repair,
// relax, simulate) read the same options in the same way.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/request.h"
#include "core/budget.h"
#include "drive/languages.h"
#include "support/diagnostics.h"

namespace CLI {
class App;
}

namespace heddle::cli {

// Declares `files` and all options whose long names are listed (all of them if the list is empty). The request
// is filled when the command line has been parsed.
std::shared_ptr<CheckRequest> declare_request(CLI::App&, const std::vector<std::string>& only = {});

// Declares --timeout and --memory alone, for a command without programs.
std::shared_ptr<CheckRequest> declare_limits(CLI::App&);

// Finds the language, replaces default and ladder by their models, and refuses what no run could honour: files of
// different languages, models, engines or options that the language does not have, files that cannot be read.
support::Result<const drive::Language*> settle(CheckRequest&);

// For options that name something: why an empty value is none. Mostly it is a variable that a script has not set, and an
// option without effect would be a question that was not asked.
std::string not_empty(const std::string& text);

// Renders a mistake on standard error; the exit code for it.
int input_error(const support::Diagnostic&);

// The limits of the request as a budget that also watches the interrupt key.
void limit(core::Budget&, const CheckRequest&);

}  // namespace heddle::cli
