// A ring for one producer and one consumer, as a class: no lock.
//
//   heddle check examples/spsc_ring.cpp                     right under every model
//   heddle check examples/spsc_ring.cpp -D PUBLISH=relaxed  right on x86, wrong where stores are reordered
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

#ifndef PUBLISH
#define PUBLISH release
#endif

template <class T, std::size_t Places>
class Ring {
 public:
  bool try_put(T item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == Places) return false;
    items_[tail % Places] = item;
    tail_.store(tail + 1, std::memory_order::PUBLISH);
    return true;
  }

  bool try_take(T& item) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    item = items_[head % Places];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  std::array<T, Places> items_{};
  std::atomic<std::size_t> head_{0}, tail_{0};  // how many were taken, how many were put in
};

int main() {
  static Ring<int, 2> ring;
  std::thread producer([] {
    for (int i = 1; i <= 2; ++i)
      while (!ring.try_put(i)) {
      }
  });
  for (int i = 1; i <= 2; ++i) {
    int item = 0;
    while (!ring.try_take(item)) {
    }
    assert(item == i);
  }
  producer.join();
}
