// The progress of a long run in one line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/budget.h"

namespace heddle::report {

// "tso, explicit: 1,204,331 states  803k states/s  depth 41  35.2 MB  about 12 s left", cut off before the last of
// `width` columns; 0: never cut off.
std::string progress_text(const core::Progress&, double seconds, std::uint64_t resident, std::size_t width = 0);

}  // namespace heddle::report
