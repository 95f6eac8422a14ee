// Programs whose threads answer requests (C) for the engine of buffer languages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "drive/engine.h"
#include "ir/buffer_sets.h"
#include "support/diagnostics.h"

namespace heddle::drive {

// Require subject.threads(), prepared for the model, and that it is one with buffers of this order.
std::optional<core::Reason> buffers_refuses_threads(const Subject&, const Task&);
core::Finding run_buffers_threads(const Subject&, const models::Model&, ir::StoreOrder, const Task&, core::Budget&);

// `--check-certificate` for such a program. Prepares the subject.
support::Result<std::vector<core::Verdict>> recheck_threads(Subject&, const Task&, const std::string& text,
                                                            core::Budget&);

}  // namespace heddle::drive
