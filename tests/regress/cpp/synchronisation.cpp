// what    semaphores, latches, barriers, shared mutexes, shared pointers, std::scoped_lock of two mutexes
// why     they are libc++'s own code over atomics, waits and pthreads
// with    -D SEMAPHORE
// expect  rc11 holds
// with    -D LATCH
// expect  rc11 holds
// with    -D BARRIER
// expect  sc holds
// with    -D SHARED_MUTEX
// expect  sc holds
// with    -D SHARED_POINTER
// expect  rc11 holds
// with    -D TWO_MUTEXES
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <barrier>
#include <cassert>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

int data;

int main() {
#ifdef SEMAPHORE
  static std::binary_semaphore semaphore(0);
  std::thread other([] {
    data = 1;
    semaphore.release();
  });
  semaphore.acquire();
  assert(data == 1);
  other.join();
#endif
#ifdef LATCH
  static std::latch latch(1);
  std::thread other([] {
    data = 1;
    latch.count_down();
  });
  latch.wait();
  assert(data == 1);
  other.join();
#endif
#ifdef BARRIER
  static std::barrier barrier(2);
  static int both[2];
  std::thread other([] {
    both[0] = 1;
    barrier.arrive_and_wait();
    assert(both[1] == 1);
  });
  both[1] = 1;
  barrier.arrive_and_wait();
  assert(both[0] == 1);
  other.join();
#endif
#ifdef SHARED_MUTEX
  static std::shared_mutex mutex;
  std::thread writer([] {
    const std::unique_lock lock(mutex);
    data = 1;
    data = 2;
  });
  {
    const std::shared_lock lock(mutex);
    assert(data == 0 || data == 2);
  }
  writer.join();
#endif
#ifdef SHARED_POINTER
  auto pointer = std::make_shared<int>(5);
  std::thread other([pointer] { assert(*pointer == 5); });
  pointer.reset();
  other.join();
#endif
#ifdef TWO_MUTEXES
  static std::mutex a, b;
  std::thread other([] {
    const std::scoped_lock lock(b, a);
    ++data;
  });
  {
    const std::scoped_lock lock(a, b);
    ++data;
  }
  other.join();
  assert(data == 2);
#endif
}
