// The engine of execution graphs: all executions of a program that a memory model allows, each once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/budget.h"
#include "core/program.h"
#include "core/verdict.h"
#include "graph/options.h"

namespace heddle::graph {

core::Verdict check(const core::Program&, const Options&, core::Budget&);

}  // namespace heddle::graph
