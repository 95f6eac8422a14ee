// A lock of one byte for critical sections of some dozen instructions, of which there are many (one per partition), so
// that it is almost never contended. It yields after a while: its holder may have lost its core.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

namespace heddle::support {

// For loops that wait for another thread.
class Patience {
 public:
  void wait() {
    if (++waits_ % 64 == 0) std::this_thread::yield();
#if defined(__x86_64__)
    else __builtin_ia32_pause();
#endif
  }

 private:
  unsigned waits_ = 0;
};

class SpinLock {
 public:
  void lock() {
    Patience patience;
    while (taken_.exchange(true, std::memory_order_acquire)) {
      while (taken_.load(std::memory_order_relaxed)) patience.wait();
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
