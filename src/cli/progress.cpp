// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "report/progress.h"

namespace heddle::cli {

namespace {

// Columns of the terminal on standard error; 0 if it does not say.
std::size_t terminal_width() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

ProgressLine::ProgressLine(core::Budget& budget, bool wanted) : budget_(budget) {
  if (!wanted || isatty(STDERR_FILENO) == 0) return;
  budget_.progress = [this](const core::Progress& progress) {
    const std::string text =
        report::progress_text(progress, budget_.elapsed(), core::resident_bytes(), terminal_width());
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

}  // namespace heddle::cli
