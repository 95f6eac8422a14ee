// A lock of one byte for critical sections of some dozen instructions, of which there are many (one a partition), so
// that it is almost never contended. It yields after a while: its holder may have lost its core.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

namespace heddle::support {

class SpinLock {
 public:
  void lock() {
    for (unsigned spins = 0; taken_.exchange(true, std::memory_order_acquire); ++spins) {
      while (taken_.load(std::memory_order_relaxed)) {
        if (++spins % 64 == 0) std::this_thread::yield();
      }
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

// Holds the lock for its life if `needed`; with a single thread none is.
class SpinGuard {
 public:
  SpinGuard(SpinLock& lock, bool needed) : lock_(needed ? &lock : nullptr) {
    if (lock_ != nullptr) lock_->lock();
  }
  ~SpinGuard() {
    if (lock_ != nullptr) lock_->unlock();
  }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  SpinLock* lock_;
};

}  // namespace heddle::support
