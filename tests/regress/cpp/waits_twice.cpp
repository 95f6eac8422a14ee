// what    a thread that waits by std::atomic::wait, is woken, and waits again by a semaphore or a latch
// why     who had woken it still wrote to what it prepared for the second wait: a data race in the library, a false alarm
// expect  armv8,rc11 holds
// with    -D LATCH
// expect  armv8,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <latch>
#include <semaphore>
#include <thread>

int main() {
  std::atomic<int> flag{0};
#ifdef LATCH
  std::latch both(2);
#else
  std::counting_semaphore<2> tokens(0);
#endif
  std::thread other([&] {
    flag.store(1, std::memory_order_release);
    flag.notify_one();
#ifdef LATCH
    both.count_down();
#else
    tokens.release();
#endif
  });
  flag.wait(0, std::memory_order_acquire);
#ifdef LATCH
  both.arrive_and_wait();
#else
  tokens.acquire();
#endif
  other.join();
}
