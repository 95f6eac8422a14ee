// A queue of bounded length from one thread to another, without locks (Lamport: "Specifying concurrent program modules", TOPLAS 1983).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>

template <class T, unsigned Places>
class Channel {
 public:
  // Waits while the queue is full.
  void send(T message) {
    const unsigned end = end_.load(std::memory_order_relaxed), next = (end + 1) % (Places + 1);
    while (begin_.load(std::memory_order_acquire) == next) {}
    places_[end] = message;
    end_.store(next, std::memory_order_release);
  }
  // Waits while it is empty.
  T receive() {
    const unsigned begin = begin_.load(std::memory_order_relaxed);
    while (end_.load(std::memory_order_acquire) == begin) {}
    T message = places_[begin];
    places_[begin] = T();
    begin_.store((begin + 1) % (Places + 1), std::memory_order_release);
    return message;
  }

 private:
  std::array<T, Places + 1> places_{};
  std::atomic<unsigned> begin_{0}, end_{0};
};
