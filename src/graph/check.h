// The engine of execution graphs: all executions of a program that a memory model allows, each once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "core/budget.h"
#include "core/finding.h"
#include "core/program.h"
#include "graph/options.h"

namespace heddle::graph {

// Why this cannot be asked of it at all.
std::optional<core::Reason> refuses(const core::Program&, const Options&);

// Requires nothing; what is refused is a finding too. A violation comes with the execution that shows it.
core::Finding check(const core::Program&, const Options&, core::Budget&);

// Is this assumption of a finding one about the search and not about the world? Another engine may decide without it.
bool is_own_assumption(std::string_view clause);

}  // namespace heddle::graph
