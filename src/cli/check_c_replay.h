// `heddle check --replay` for C: saved runs of machines, and saved execution graphs, on the program as it is now.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "cli/checker.h"
#include "core/program.h"

namespace heddle::cli {

// Gives the program for a model; with loads that can be put off if the model needs that.
using ProgramFor = std::function<support::Result<const core::Program*>(bool puts_off)>;

support::Result<std::vector<core::Verdict>> replay_c(const CheckRequest&, const ProgramFor&);

}  // namespace heddle::cli
