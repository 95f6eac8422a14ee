// what    locks with deadlines and shared locks that are given up by who does not hold them, or destroyed while held; a
//         semaphore that is released beyond its greatest value
// why     all of this is undefined, as with a std::mutex, and libc++'s own code takes it for a way to use them: it was SAFE
// with
// expect  sc,rc11 holds
// with    -D FREE=timed
// expect  sc,rc11 violated kind misuse
// with    -D FREE=recursive
// expect  sc,rc11 violated kind hardening
// with    -D FREE=shared
// expect  sc,rc11 violated kind misuse
// with    -D FREE=readers
// expect  sc,rc11 violated kind misuse
// with    -D OTHERS=timed
// expect  sc,rc11 violated kind misuse
// with    -D OTHERS=recursive
// expect  sc,rc11 violated kind hardening
// with    -D OTHERS=shared
// expect  sc,rc11 violated kind misuse
// with    -D DESTROYED=timed
// expect  sc,rc11 violated kind misuse
// with    -D DESTROYED=recursive
// expect  sc,rc11 violated kind misuse
// with    -D DESTROYED=shared
// expect  sc,rc11 violated kind misuse
// with    -D DESTROYED=readers
// expect  sc,rc11 violated kind misuse
// with    -D BEYOND
// expect  sc,rc11 violated kind hardening
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <chrono>
#include <mutex>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <thread>

struct Readers : std::shared_mutex {
  void lock() { lock_shared(); }
  void unlock() { unlock_shared(); }
};

struct Locks {
  std::optional<std::timed_mutex> timed{std::in_place};
  std::optional<std::recursive_timed_mutex> recursive{std::in_place};
  std::optional<std::shared_mutex> shared{std::in_place};
  std::optional<Readers> readers{std::in_place};
} locks;

int main() {
#if defined FREE
  locks.FREE->unlock();
#elif defined OTHERS
  locks.OTHERS->lock();
  std::thread([] { locks.OTHERS->unlock(); }).join();
#elif defined DESTROYED
  locks.DESTROYED->lock();
  locks.DESTROYED.reset();
#elif defined BEYOND
  std::binary_semaphore semaphore(1);
  semaphore.release();
#else
  int rounds = 0, writes = 0;
  std::thread other([&] {
    if (locks.recursive->try_lock_for(std::chrono::seconds(1))) {
      locks.recursive->lock();
      ++rounds;
      locks.recursive->unlock();
      locks.recursive->unlock();
    }
    const std::lock_guard held(*locks.shared);
    ++writes;
  });
  {
    const std::lock_guard held(*locks.recursive);
    ++rounds;
  }
  {
    const std::shared_lock held(*locks.shared);
    assert(writes <= 1);
  }
  other.join();
  assert(rounds >= 1);
  if (locks.timed->try_lock()) locks.timed->unlock();
  std::binary_semaphore semaphore(0);
  semaphore.release();
  semaphore.acquire();
#endif
}
