// The interrupt key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace heddle::core {

// From the first call on, an interrupt (Ctrl-C) or SIGTERM sets the flag that this returns; a third one ends the
// process in the usual way.
const std::atomic<bool>* watch_interrupts();

// From here on an interrupt or SIGTERM ends the process in the usual way: nothing is left that could end earlier.
void leave_interrupts();

// How many have come. The second asks for an end at once (core/watchdog.h).
const std::atomic<int>* interrupt_count();

}  // namespace heddle::core
