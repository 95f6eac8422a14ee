// SPDX-License-Identifier: Apache-2.0
#include "core/budget.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace heddle::core {

std::uint64_t resident_bytes() {
  unsigned long long total = 0;
  unsigned long long resident = 0;
  std::FILE* f = std::fopen("/proc/self/statm", "r");
  if (f == nullptr) return 0;
  const int got = std::fscanf(f, "%llu %llu", &total, &resident);
  std::fclose(f);
  return got == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

namespace {

// In the largest unit that shows it whole: 512 MiB, 1500 KiB.
std::string size_text(std::uint64_t size) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; unit < 4 && size % 1024 == 0; ++unit) size /= 1024;
  return fmt::format("{} {}", size, units[unit]);
}

}  // namespace

std::optional<std::string> Budget::spent(const Progress& p) {
  if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) return "interrupted";
  if (p.states >= max_states)
    return fmt::format("limit of {} {} reached", max_states,
                       std::string_view(p.unit).substr(0, std::strlen(p.unit) - (max_states == 1)));
  const double now = elapsed();
  if (seconds && now >= *seconds) return fmt::format("time limit reached after {:.2f} s", now);
  if (bytes && resident_bytes() >= *bytes) return fmt::format("memory limit of {} reached", size_text(*bytes));
  if (progress) {
    const auto ms = static_cast<std::int64_t>(now * 1000);
    auto last = last_report_ms_.load(std::memory_order_relaxed);
    if (ms - last >= 200 && last_report_ms_.compare_exchange_strong(last, ms)) progress(p);
  }
  return std::nullopt;
}

}  // namespace heddle::core
