// Double-checked locking: the instance is made once, and found without a lock from then on.
//
//   heddle check examples/singleton.cpp                     right under every model
//   heddle check examples/singleton.cpp -D ORDER=relaxed    the second thread may see an instance that is not made yet
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef ORDER
#define STORE std::memory_order::ORDER
#define LOAD std::memory_order::ORDER
#else
#define STORE std::memory_order_release
#define LOAD std::memory_order_acquire
#endif

class Settings {
 public:
  static Settings& instance() {
    Settings* found = instance_.load(LOAD);
    if (found == nullptr) {
      const std::lock_guard lock(mutex_);
      found = instance_.load(std::memory_order_relaxed);
      if (found == nullptr) {
        found = new Settings;
        instance_.store(found, STORE);
      }
    }
    return *found;
  }
  int size() const { return size_; }

 private:
  Settings() : size_(7) {}

  int size_;
  static inline std::atomic<Settings*> instance_{nullptr};
  static inline std::mutex mutex_;
};

int main() {
  std::thread other([] { assert(Settings::instance().size() == 7); });
  assert(Settings::instance().size() == 7);
  other.join();
}
