// Runs of array-based systems, replayed on naive instances.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "check/cubicle_explore.h"
#include "check/replayed.h"
#include "core/finding.h"
#include "lang/cubicle/syntax.h"

namespace heddle::check {

// An exact run is followed move by move. Of another one the transitions alone are known: looks for an instance, a
// numbering of its processes and places of the flushes that make it a run. Some runs need processes that take no step:
// a variable that holds none of the processes which do (T <> p && T <> q) must hold another one.
// `stop` is polled now and then and ends the attempt.
Replayed replay(const cubicle::System&, std::string_view model, const core::ParameterisedRun&,
                const std::function<bool()>& stop = {});

}  // namespace heddle::check
