// `relax`: a model with its memory model written into it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/budget.h"
#include "drive/languages.h"
#include "drive/task.h"
#include "ir/relax.h"
#include "support/diagnostics.h"

namespace heddle::drive {

using RelaxOptions = ir::RelaxOptions;

support::Result<std::string> relax(const Language&, const Task&, const RelaxOptions&, core::Budget&);

}  // namespace heddle::drive
