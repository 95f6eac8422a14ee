// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>

#include "report/text.h"

namespace heddle::cli {

namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> interrupts{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler writes them");

// The first asks the engines to end, the second asks the watchdog, the third ends the process as if nobody listened.
extern "C" void on_interrupt(int number) {
  interrupted.store(true, std::memory_order_relaxed);
  if (interrupts.fetch_add(1, std::memory_order_relaxed) == 1) std::signal(number, SIG_DFL);
}

// Columns of the terminal on standard error; 0 if it does not say.
std::size_t terminal_width() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string rate(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.2f}M", per_second / 1e6);
  if (per_second >= 1e4) return fmt::format("{:.0f}k", per_second / 1e3);
  return report::grouped(static_cast<std::uint64_t>(std::llround(per_second)));
}

// An estimate has no more than two digits that mean anything.
std::string about(double number) {
  if (number >= 1e15) return fmt::format("{:.0e}", number);
  double unit = 1;
  while (number / unit >= 100) unit *= 10;
  return report::grouped(static_cast<std::uint64_t>(std::llround(number / unit) * std::llround(unit)));
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
  text += report::grouped(progress.states);
  if (progress.estimated_total >= 0) text += " of about " + about(progress.estimated_total);
  text += fmt::format(" {}", progress.unit);
  if (seconds > 0.5)
    text += fmt::format("  {} {}/s", rate(static_cast<double>(progress.states) / seconds), progress.unit);
  if (progress.depth > 0) text += fmt::format("  depth {}", report::grouped(progress.depth));
  const std::uint64_t bytes = std::max(progress.bytes, resident);
  if (bytes > 0) text += "  " + report::size_text(bytes);
  if (progress.estimated_rest >= 0) text += fmt::format("  about {} left", duration(progress.estimated_rest));
  // A line that reaches the last column wraps, and what has wrapped cannot be taken back.
  if (width > 0 && text.size() >= width) text.resize(width - 1);
  return text;
}

ProgressLine::ProgressLine(core::Budget& budget, bool wanted) : budget_(budget) {
  if (!wanted || isatty(STDERR_FILENO) == 0) return;
  budget_.progress = [this](const core::Progress& progress) {
    const std::string text = progress_text(progress, budget_.elapsed(), core::resident_bytes(), terminal_width());
    const std::lock_guard lock(mutex_);
    fmt::print(stderr, "\r\x1b[K{}", text);
    std::fflush(stderr);
    shown_ = true;
  };
}

ProgressLine::~ProgressLine() {
  budget_.progress = nullptr;
  clear();
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

const std::atomic<bool>* watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &interrupted;
}

const std::atomic<int>* interrupt_count() { return &interrupts; }

}  // namespace heddle::cli
