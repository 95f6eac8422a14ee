// what    std::atomic::wait and notify; a notification that is forgotten is a deadlock
// why     libc++ sleeps for two seconds and looks again, which hides the mistake
// expect  tso,armv8,rc11 holds
// with    -D FORGOTTEN
// expect  sc,rc11 violated kind deadlock
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready;
int data;

int main() {
  std::thread other([] {
    data = 42;
    ready.store(1, std::memory_order_release);
#ifndef FORGOTTEN
    ready.notify_one();
#endif
  });
  ready.wait(0, std::memory_order_acquire);
  assert(data == 42);
  other.join();
}
