// How much memory a process occupies, as Linux says it in /proc/PID/statm.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace heddle::core {

struct ProcessMemory {
  std::uint64_t resident = 0;  // bytes
  std::uint64_t shared = 0;    // of these, with files and libraries
};

// Neither allocates nor uses stdio: the watchdog asks when memory may be short. Zeros where the system does not say.
ProcessMemory process_memory(const char* statm);

}  // namespace heddle::core
