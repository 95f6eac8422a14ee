// `heddle check` for C: one model by execution graphs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/checker.h"
#include "core/program.h"

namespace heddle::cli {

struct GraphProperties {
  bool deadlocks = true, leaks = true, races = false, liveness = false, robust = false;
  bool undefined_races = true;  // data races, under the models of the language only
};

core::Verdict check_graphs(const CheckRequest&, const std::string& model, const GraphProperties&, const core::Program&,
                           core::Budget&);

}  // namespace heddle::cli
