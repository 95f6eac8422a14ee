// what    std::condition_variable, std::jthread and stop tokens
// why     the smallest of each; a std::thread that is destroyed before it is joined ends the program
// with    -D CONDITION
// expect  sc,rc11 holds
// with    -D STOP
// expect  sc holds
// with    -D JOINABLE
// expect  sc violated kind terminate at end
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int count;

int main() {
#ifdef CONDITION
  std::thread other([] {
    const std::lock_guard lock(mutex);
    count = 1;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return count == 1; });
  }
  other.join();
#endif
#ifdef STOP
  std::jthread other([](std::stop_token token) {
    if (token.stop_requested()) count = 1;
  });
  other.request_stop();
#endif
#ifdef JOINABLE
  std::thread thread([] {});
#endif
}  // end
