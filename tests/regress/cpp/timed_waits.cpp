// what    waits with a deadline of condition variables, timed mutexes and futures may time out, and sleep_until returns
// why     libc++ reads from the clock whether a wait has timed out; the clock stands still, so none did, and what a
//         program does then was never run
// expect  sc,tso,armv8,rc11 holds
// with    -D CONDITION
// expect  sc,rc11 violated kind assertion at condition
// with    -D LOCK
// expect  sc,rc11 violated kind assertion at lock
// with    -D SHARED
// expect  sc violated kind assertion at shared
// with    -D FUTURE
// expect  sc violated kind assertion at future
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

#ifdef SHARED
std::shared_timed_mutex lock;
#else
std::timed_mutex lock;
#endif

int main() {
#ifdef FUTURE
  auto result = std::async(std::launch::async, [] { return 1; });
  assert(result.wait_for(10ms) == std::future_status::ready);  // future
#else
  bool ready = false;
  std::mutex mutex;
  std::condition_variable condition;
  std::thread other([&] {
    std::lock_guard held(lock);
    std::lock_guard guard(mutex);
    ready = true;
    condition.notify_one();
  });
#if defined(LOCK)
  {
    std::unique_lock mine(lock, 10ms);
    assert(mine.owns_lock());  // lock
  }
#elif defined(SHARED)
  {
    std::shared_lock mine(lock, 10ms);
    assert(mine.owns_lock());  // shared
  }
#else
  std::unique_lock guard(mutex);
  const bool in_time = condition.wait_for(guard, 10ms, [&] { return ready; });
#ifdef CONDITION
  assert(in_time);  // condition
#else
  assert(in_time == ready);
#endif
  guard.unlock();
  std::this_thread::sleep_until(std::chrono::system_clock::now() + 1s);
#endif
  other.join();
#endif
}
