// How every language reads the user's files: with a limit on the size, and within the limits of time and memory and
// the interrupt key even where nothing comes (a FIFO) or no end comes (/dev/zero).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/budget.h"
#include "support/diagnostics.h"

namespace heddle::core {

inline constexpr std::size_t largest_input = std::size_t{64} << 20;  // what people write
inline constexpr std::size_t largest_report = std::size_t{2} << 30;  // what Heddle itself has written

// The bytes of a file, or why there are none. `budget` may be null.
support::Result<std::string> read_input(const std::string& file, const Budget* budget,
                                        std::size_t largest = largest_input);

// A file that can be read again and has an end: no FIFO, no device.
bool is_plain_file(const std::string& file);

// Why a file may not be read; empty if it may. Never waits and never opens it.
std::string unreadable(const std::string& file);

// A diagnostic about a limit that ended the work on a file.
support::Diagnostic stopped_at(const std::string& file, std::string reason);

}  // namespace heddle::core
