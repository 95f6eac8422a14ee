// what    what verdicts take for granted of files, random devices and condition variables
// why     the library's headers ask for them, not the program's own lines: the verdicts did not say it
// with    -D STREAM
// assumes there are no files but those that the program makes
// expect  sc holds
// with    -D SYSTEM
// expect  sc holds
// with    -D DEVICE
// assumes every random device gives the same numbers
// expect  sc holds
// with    -D CONDITION --spurious-wakeups=off
// assumes a wait on a condition variable never returns unasked (--spurious-wakeups lets it)
// expect  sc holds
// with    -D CONDITION
// assumes nothing
// expect  sc violated kind assertion
// with    -D ANY --spurious-wakeups=off
// assumes a wait on a condition variable never returns unasked (--spurious-wakeups lets it)
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <thread>

#if defined CONDITION
using Condition = std::condition_variable;
#else
using Condition = std::condition_variable_any;
#endif

int main() {
#ifdef STREAM
  const std::ifstream file("settings");
  assert(!file);
#endif
#ifdef SYSTEM
  assert(!std::filesystem::exists("settings"));
#endif
#ifdef DEVICE
  std::random_device device;
  std::mt19937 numbers(device());
  assert(std::uniform_int_distribution<int>(1, 6)(numbers) <= 6);
#endif
#if defined CONDITION || defined ANY
  std::mutex mutex;
  Condition changed;
  bool ready = false;
  std::unique_lock lock(mutex);
  std::thread other([&] {
    const std::lock_guard own(mutex);
    ready = true;
    changed.notify_one();
  });
  changed.wait(lock);
  assert(ready);
  lock.unlock();
  other.join();
#endif
}
