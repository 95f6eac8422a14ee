// what    std::condition_variable_any, also with stop tokens and deadlines
// why     the round of a wait that returns unasked takes two locks of the library's own: graphs had no end
// with
// expect  sc,rc11,armv8 holds
// with    -D STOP
// expect  sc,rc11,armv8 holds
// with    -D TIMED
// expect  sc,rc11 holds
// with    -D UNASKED
// expect  sc,rc11 violated kind assertion
// with    -D FORGOTTEN
// expect  sc violated kind deadlock
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex mutex;
std::condition_variable_any changed;
bool ready;

int main() {
#ifdef STOP
  std::jthread waiting([](std::stop_token token) {
    std::unique_lock lock(mutex);
    const bool found = changed.wait(lock, token, [] { return ready; });
    assert(found == ready);
  });
  const std::lock_guard lock(mutex);
  ready = true;
  changed.notify_one();
#else
  std::thread other([] {
    const std::lock_guard lock(mutex);
    ready = true;
#ifndef FORGOTTEN
    changed.notify_one();
#endif
  });
  {
    std::unique_lock lock(mutex);
#if defined TIMED
    const bool found = changed.wait_for(lock, std::chrono::seconds(1), [] { return ready; });
    assert(found == ready);
#elif defined UNASKED
    if (!ready) changed.wait(lock);
    assert(ready);
#else
    changed.wait(lock, [] { return ready; });
    assert(ready);
#endif
  }
  other.join();
#endif
}
