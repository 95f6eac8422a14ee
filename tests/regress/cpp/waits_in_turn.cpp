// what    a thread that waits for one atomic and then for another, while one thread stores to and notifies both
// why     graphs in which the library's sections do not act as one made a ring of the list of waiting threads, which the
//         notification followed without end
// expect  sc,tso,armv8,rc11 holds
// with    -D FORGOTTEN
// expect  sc,tso,armv8,rc11 violated kind deadlock
// with    -D EARLY
// expect  sc,tso holds
// expect  armv8,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>

#ifdef EARLY
constexpr auto order = std::memory_order_relaxed;
#else
constexpr auto order = std::memory_order_release;
#endif
std::atomic<int> first{0}, second{0}, data{0};

int main() {
  std::thread other([] {
    first.store(1, order);
    first.notify_one();
    data.store(1, std::memory_order_relaxed);
    second.store(1, order);
#ifndef FORGOTTEN
    second.notify_one();
#endif
  });
  first.wait(0, std::memory_order_acquire);
  second.wait(0, std::memory_order_acquire);
  assert(data.load(std::memory_order_relaxed) == 1);
  other.join();
}
