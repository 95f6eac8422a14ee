// SPDX-License-Identifier: Apache-2.0
#include "core/interrupt.h"

#include <csignal>

namespace heddle::core {

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

}  // namespace

const std::atomic<bool>* watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &interrupted;
}

void leave_interrupts() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<int>* interrupt_count() { return &interrupts; }

}  // namespace heddle::core
