// What `heddle repair` asks of a language: print the smallest repair for each model of the request, write the repaired
// program of the last one to `output` if that is not empty, and return the exit code (0: safe or repaired, 1: no
// repair helps, 3: unknown).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/checker.h"

namespace heddle::cli {

using Repairer = support::Result<int> (*)(const CheckRequest&, const std::string& output, core::Budget&);

}  // namespace heddle::cli
