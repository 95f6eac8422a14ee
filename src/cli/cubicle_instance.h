// One finite instance of an array-based system under one machine of memory/, by the explicit engine; and saved runs of
// either engine replayed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/checker.h"
#include "core/budget.h"
#include "core/verdict.h"
#include "lang/cubicle/syntax.h"
#include "support/diagnostics.h"

namespace heddle::cli {

struct CubicleInstanceOptions {
  unsigned processes = 2;
  unsigned buffer = 5;  // transitions with stores that a buffer holds
  unsigned workers = 1;
};

// A Diagnostic where the system has no such instance (lang/cubicle/instance.h).
support::Result<core::Verdict> decide_instance(const cubicle::System&, const std::string& model,
                                               const CubicleInstanceOptions&, core::Budget&);

// The runs of a saved report (--replay), step by step on the naive machine; unsafe if they end as the report says.
support::Result<std::vector<core::Verdict>> replay_cubicle(const cubicle::System&, const CheckRequest&);

}  // namespace heddle::cli
