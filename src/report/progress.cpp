// SPDX-License-Identifier: Apache-2.0
#include "report/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text.h"

namespace heddle::report {

namespace {

std::string rate(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.2f}M", per_second / 1e6);
  if (per_second >= 1e4) return fmt::format("{:.0f}k", per_second / 1e3);
  return grouped(static_cast<std::uint64_t>(std::llround(per_second)));
}

// An estimate has no more than two digits that mean anything.
std::string about(double number) {
  if (number >= 1e15) return fmt::format("{:.0e}", number);
  double unit = 1;
  while (number / unit >= 100) unit *= 10;
  return grouped(static_cast<std::uint64_t>(std::llround(number / unit) * std::llround(unit)));
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * 3600) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.0f} h", seconds / 3600);
  return seconds < 1e10 ? fmt::format("{} days", about(seconds / 86400)) : "centuries";
}

}  // namespace

std::string progress_text(const core::Progress& progress, double seconds, std::uint64_t resident, std::size_t width) {
  std::string text;
  if (!progress.subject.empty()) text = fmt::format("{}: ", progress.subject);
  text += grouped(progress.states);
  if (progress.estimated_total >= 0) text += " of about " + about(progress.estimated_total);
  text += fmt::format(" {}", progress.unit);
  if (seconds > 0.5)
    text += fmt::format("  {} {}/s", rate(static_cast<double>(progress.states) / seconds), progress.unit);
  if (progress.depth > 0) text += fmt::format("  depth {}", grouped(progress.depth));
  const std::uint64_t bytes = std::max(progress.bytes, resident);
  if (bytes > 0) text += "  " + size_text(bytes);
  if (progress.estimated_rest >= 0) text += fmt::format("  about {} left", duration(progress.estimated_rest));
  // A line that reaches the last column wraps, and what has wrapped cannot be taken back.
  if (width > 0 && text.size() >= width) text.resize(width - 1);
  return text;
}

}  // namespace heddle::report
