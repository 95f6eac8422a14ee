// The net below all polling: ends a run whose limits were reached while it does something that does not poll.
//
// A thread looks at the budget a hundred times a second. Once the time is over it waits for a grace of one second and
// a tenth of the limit, after an interrupt for two seconds, with memory until 64 MiB above the limit; then it calls
// the last resort, which reports what is known and ends the process. A second interrupt is not given any grace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "core/budget.h"

namespace heddle::core {

class Watchdog {
 public:
  // Must not return if it is called; it is called on the watchdog's own thread, at most once.
  using LastResort = std::function<void(const Reason&)>;

  // The budget's limits do not change while this lives. `interrupts` counts them; may be null.
  Watchdog(const Budget& budget, const std::atomic<int>* interrupts, LastResort last_resort);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch();
  std::optional<Reason> beyond_grace();

  const Budget& budget_;
  const std::atomic<int>* interrupts_;
  LastResort last_resort_;
  std::optional<double> interrupted_at_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace heddle::core
