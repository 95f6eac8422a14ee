// `heddle check` for C: one model by execution graphs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/checker.h"
#include "core/program.h"

namespace heddle::cli {

struct GraphProperties {
  bool deadlocks = true, leaks = true, races = false, liveness = false, robust = false;
};

core::Verdict check_graphs(const CheckRequest&, const std::string& model, const GraphProperties&, const core::Program&,
                           core::Budget&);

}  // namespace heddle::cli
