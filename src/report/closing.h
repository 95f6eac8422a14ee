// One sentence for people: what, in a trace, would not have happened if memory were sequentially consistent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/trace.h"

namespace heddle::report {

// The last reordering that mattered: a store that reached memory before an older one, or a read of a value that an
// older store, still in another thread's buffer, was to replace. Empty if the trace has none.
std::string closing_sentence(const core::Trace&);

// What went wrong, in words: the reordering that mattered, or, if there was none, the violation.
std::string closing_words(const core::Trace&, const std::string& violation);

}  // namespace heddle::report
