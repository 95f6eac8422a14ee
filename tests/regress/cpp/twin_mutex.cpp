// what    two threads that count under a lock, with std::thread and std::mutex
// why     twin of twin_mutex.c: the C++ library must not add executions
// expect  sc,pso,rc11 holds executions 2
// because either thread locks first
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int count;

int main() {
  const auto add = [] {
    const std::lock_guard lock(mutex);
    ++count;
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(count == 2);
}
