// SPDX-License-Identifier: Apache-2.0
#include "core/watchdog.h"

#include <chrono>

namespace heddle::core {

namespace {

constexpr double interrupt_grace = 2;
constexpr std::uint64_t memory_grace = std::uint64_t{64} << 20;
constexpr double time_grace(double seconds) { return 1 + seconds / 10; }

}  // namespace

Watchdog::Watchdog(const Budget& budget, const std::atomic<int>* interrupts, LastResort last_resort)
    : budget_(budget), interrupts_(interrupts), last_resort_(std::move(last_resort)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::optional<Reason> Watchdog::beyond_grace() {
  const double now = budget_.elapsed();
  if (interrupts_ != nullptr) {
    const int count = interrupts_->load(std::memory_order_relaxed);
    if (count > 0 && !interrupted_at_) interrupted_at_ = now;
    if (count > 1 || (interrupted_at_ && now > *interrupted_at_ + interrupt_grace))
      return Reason{Reason::Kind::Interrupted, "interrupted"};
  }
  const bool late =
      budget_.seconds && now > *budget_.seconds + time_grace(*budget_.seconds) + budget_.overtime_allowed();
  const bool large = budget_.bytes && resident_bytes() >= *budget_.bytes + memory_grace;
  return late || large ? budget_.over() : std::nullopt;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::milliseconds(10), [this] { return done_; }))
    if (const auto reason = beyond_grace()) {
      last_resort_(*reason);
      return;
    }
}

}  // namespace heddle::core
