// SPDX-License-Identifier: Apache-2.0
#include "core/budget.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "core/process_memory.h"

namespace heddle::core {

std::uint64_t resident_bytes() { return process_memory("/proc/self/statm").resident; }

namespace {

// In the largest unit that shows it whole: 512 MiB, 1500 KiB.
std::string size_text(std::uint64_t size) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; unit < 4 && size % 1024 == 0; ++unit) size /= 1024;
  return fmt::format("{} {}", size, units[unit]);
}

}  // namespace

std::optional<Reason> Budget::over(std::uint64_t children) const {
  if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed))
    return Reason{Reason::Kind::Interrupted, "interrupted"};
  if (seconds && elapsed() >= *seconds)
    return Reason{Reason::Kind::TimeLimit, fmt::format("time limit reached after {:.2f} s", elapsed())};
  if (bytes && resident_bytes() + children >= *bytes)
    return Reason{Reason::Kind::MemoryLimit, fmt::format("memory limit of {} reached", size_text(*bytes))};
  return std::nullopt;
}

std::optional<Reason> Budget::spent(const Progress& p) {
  if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed))
    return Reason{Reason::Kind::Interrupted, "interrupted"};
  if (p.states >= max_states)
    return Reason{Reason::Kind::StateLimit,
                  fmt::format("limit of {} {} reached", max_states,
                              std::string_view(p.unit).substr(0, std::strlen(p.unit) - (max_states == 1)))};
  if (p.steps >= max_steps) return Reason{Reason::Kind::StepLimit, fmt::format("limit of {} steps reached", max_steps)};
  if (auto reason = over()) return reason;
  if (progress) {
    const auto ms = static_cast<std::int64_t>(elapsed() * 1000);
    auto last = last_report_ms_.load(std::memory_order_relaxed);
    if (ms - last >= 200 && last_report_ms_.compare_exchange_strong(last, ms)) {
      Progress named = p;
      named.subject = subject;
      progress(named);
    }
  }
  return std::nullopt;
}

}  // namespace heddle::core
