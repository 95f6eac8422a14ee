// what    a condition variable that is waited for with a lock that others share
// why     whether somebody sees the locks of a wait that returns unasked was asked of initial values, too: a crash
// other   graph sc unknown a thread goes on for too long
// expect  sc holds
// with    -D SILENT
// expect  sc violated kind deadlock
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
std::condition_variable_any changed;
bool ready = false;

int main() {
  std::thread waits([] {
    std::shared_lock held(lock);
    changed.wait(held, [] { return ready; });
    assert(ready);
  });
  {
    std::unique_lock held(lock);
    ready = true;
  }
#ifndef SILENT
  changed.notify_all();
#endif
  waits.join();
}
