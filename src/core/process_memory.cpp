// SPDX-License-Identifier: Apache-2.0
#include "core/process_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace heddle::core {

ProcessMemory process_memory(const char* statm) {
  const int file = ::open(statm, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[128];
  const ssize_t got = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (got <= 0) return {};
  text[got] = '\0';
  char* at = nullptr;
  std::strtoull(text, &at, 10);  // the first number is the size of the address space
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  ProcessMemory memory;
  memory.resident = std::strtoull(at, &at, 10) * page;
  memory.shared = std::strtoull(at, &at, 10) * page;
  return memory;
}

}  // namespace heddle::core
